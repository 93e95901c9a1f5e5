"""T5: an encoder and a decoder with relative positions, RMS norms first and unscaled scores.

Source: Raffel et al. (2020), section 2.1; the code released with it, for version 1.1.
"""

from collections.abc import Collection
from typing import Any

from transformer_lib.families.family import ACTIVATIONS, HEADLESS, Family, HfConfig
from transformer_lib.families.table import Table, dense, head, layers, norm, same, under
from transformer_lib.model.configuration import Configuration

GATED = {"gated-gelu": "geglu_tanh", "gated-silu": "swiglu"}
ENCODER = {"kind": "encoder", **HEADLESS, "scale_head": False}  # of T5EncoderModel

OTHERS = (
    *("feed_forward_proj", "is_gated_act", "dense_act_fn", "num_decoder_layers"),
    *("scale_decoder_outputs", "tie_word_embeddings"),
)


def _attention(place: int, theirs: str, ours: str) -> Table:
    names = {x: f"{theirs}.{x.lower()}" for x in "QKVO"}
    parts = norm("layer_norm", f"{ours}_norm")
    for x, name in names.items():
        parts |= dense(name, ours, x)
    return under(parts, f"layer.{place}.")


def _feed_forward(place: int, gated: bool) -> Table:
    first = dense("wi_0", "feed_forward", "gate") | dense("wi_1", "feed_forward", "1")
    parts = first if gated else dense("wi", "feed_forward", "1")
    inside = under(parts | dense("wo", "feed_forward", "2"), "DenseReluDense.")
    return under(inside | norm("layer_norm", "feed_forward_norm"), f"layer.{place}.")


def _stack(config: Configuration, name: str, layer: Table) -> Table:
    table = "block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    return (
        layers(layer, config.layers, f"{name}.block.", f"{name}.")
        | same(f"{name}.{table}", f"{name}.relative_positions")
        | norm(f"{name}.final_layer_norm", f"{name}.norm")
    )


def _table(config: Configuration) -> Table:
    own, gated = (
        _attention(0, "SelfAttention", "self_attention"),
        config.activation in GATED.values(),
    )
    cross = _attention(1, "EncDecAttention", "cross_attention")
    return (
        same("shared.weight", "embedding.tokens")
        | _stack(config, "encoder", own | _feed_forward(1, gated))
        | _stack(config, "decoder", own | cross | _feed_forward(2, gated))
        | head("lm_head")
    )


def _read(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    layers = hf_config.get("num_layers", 6)
    if hf_config.get("num_decoder_layers") not in (None, layers):
        raise ValueError(
            f"config.json asks for num_decoder_layers = {hf_config['num_decoder_layers']}, "
            f"which must equal num_layers = {layers} here"
        )
    form, forms = hf_config.get("feed_forward_proj", "relu"), GATED | ACTIVATIONS
    if form not in forms:
        raise ValueError(
            f"config.json asks for feed_forward_proj = {form!r}, which is not supported"
        )
    means = {"is_gated_act": form in GATED, "dense_act_fn": form.removeprefix("gated-")}
    if form == "gated-gelu":
        means["dense_act_fn"] = "gelu_new"
    for key, meant in means.items():
        if hf_config.get(key, meant) != meant:
            raise ValueError(
                f"config.json asks for {key} = {hf_config[key]!r}, which must be {meant!r} with "
                f"feed_forward_proj = {form!r}"
            )
    # Version 1.1 has a head of its own and does not scale before it.
    first = hf_config.get("tie_word_embeddings") is not False
    kinds = hf_config.get("architectures") or ()
    alone = hf_config.get("is_encoder_decoder") is False or "T5EncoderModel" in kinds
    return {
        "scale_head": hf_config.get("scale_decoder_outputs", first),
        "tied": first,
        "activation": forms[form],
    } | (ENCODER if alone else {})


def _write(config: Configuration) -> dict[str, Any]:
    form = {ours: theirs for theirs, ours in GATED.items()}.get(config.activation)
    alone = {"architectures": ["T5EncoderModel"], "is_encoder_decoder": False}
    return {
        "feed_forward_proj": form or config.activation,
        "num_decoder_layers": config.layers,
        "d_kv": config.d_k,
        "scale_decoder_outputs": config.scale_head,
        "tie_word_embeddings": config.tied,
    } | (alone if config.kind == "encoder" else {})


FAMILY = Family(
    name="t5",
    architecture="T5ForConditionalGeneration",
    fixed={
        "kind": "encoder-decoder",
        "place": "pre",
        "norm": "rms",
        "position": "t5",
        "bias": False,
        "scale_embedding": False,
        "scale_scores": False,
        "head_bias": False,
    },
    fields={
        "vocabulary_size": ("vocab_size", 32128),
        "d_model": ("d_model", 512),
        "heads": ("num_heads", 8),
        "head_width": ("d_kv", 64),
        "layers": ("num_layers", 6),
        "d_ff": ("d_ff", 2048),
        "buckets": ("relative_attention_num_buckets", 32),
        "max_distance": ("relative_attention_max_distance", 128),
        "dropout": ("dropout_rate", 0.1),
        "eps": ("layer_norm_epsilon", 1e-6),
        "padding_id": ("pad_token_id", 0),
    },
    supported={"is_encoder_decoder": (True, False)},
    aliases={
        "hidden_size": "d_model",
        "num_attention_heads": "num_heads",
        "num_hidden_layers": "num_layers",
        "head_dim": "d_kv",
    },
    others=(*OTHERS, "n_positions"),  # relative positions have no table of some length
    table=_table,
    read=_read,
    write=_write,
    copies={
        "lm_head.weight": "shared.weight",
        "encoder.embed_tokens.weight": "shared.weight",
        "decoder.embed_tokens.weight": "shared.weight",
    },
    unused=(r"EncDecAttention\.relative_attention_bias",),
)
