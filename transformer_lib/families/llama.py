"""LLaMA: a decoder with RMS norms, rotary positions, a gated layer, shared keys and values.

Source: Touvron et al. (2023a), section 2.2, and (2023b), section 2.2, for shared keys and values.
"""

from collections.abc import Collection
from typing import Any

from transformer_lib.families.family import Family, HfConfig
from transformer_lib.families.table import Table, dense, head, layers, norm, same
from transformer_lib.model.configuration import Configuration

LAYER = (
    norm("input_layernorm", "self_attention_norm")
    | dense("self_attn.q_proj", "self_attention", "Q")
    | dense("self_attn.k_proj", "self_attention", "K")
    | dense("self_attn.v_proj", "self_attention", "V")
    | dense("self_attn.o_proj", "self_attention", "O")
    | norm("post_attention_layernorm", "feed_forward_norm")
    | dense("mlp.gate_proj", "feed_forward", "gate")
    | dense("mlp.up_proj", "feed_forward", "1")
    | dense("mlp.down_proj", "feed_forward", "2")
)
FIXED = {
    "kind": "decoder",
    "place": "pre",
    "norm": "rms",
    "position": "rotary",
    "halves": True,
    "activation": "swiglu",
    "scale_embedding": False,
    "head_bias": False,
    "dropout": 0.0,
}
FIELDS = {
    "vocabulary_size": ("vocab_size", 32000),
    "d_model": ("hidden_size", 4096),
    "heads": ("num_attention_heads", 32),
    "key_value_heads": ("num_key_value_heads", None),
    "head_width": ("head_dim", None),
    "layers": ("num_hidden_layers", 32),
    "d_ff": ("intermediate_size", 11008),
    "max_length": ("max_position_embeddings", 2048),
    "eps": ("rms_norm_eps", 1e-6),
    "tied": ("tie_word_embeddings", False),
}
SUPPORTED = {
    "hidden_act": ("silu",),
    "mlp_bias": (False,),
    "rope_scaling": (None,),
    "partial_rotary_factor": (1.0,),
}
COPIES = {"lm_head.weight": "model.embed_tokens.weight"}
ROPE = ("rope_parameters", "rope_theta")  # which `base` reads
UNUSED = (r"rotary_emb\.inv_freq",)


def table(config: Configuration) -> Table:
    """Return the table of names, which Mistral shares."""
    return (
        same("model.embed_tokens.weight", "embedding.tokens")
        | layers(LAYER, config.layers, "model.layers.", "decoder.")
        | norm("model.norm", "decoder.norm")
        | head("lm_head")
    )


def base(hf_config: HfConfig) -> dict[str, Any]:
    """Return the base of rotary positions, which config.json gives in one of two places.

    Raises:
        ValueError: positions are scaled for longer sequences, which is not supported.
    """
    rope = hf_config.get("rope_parameters") or {}
    known = {"rope_type": "default", "type": "default", "partial_rotary_factor": 1.0}
    for key, value in rope.items():
        if key != "rope_theta" and value is not None and value != known.get(key):
            only = f": only {known[key]!r}" if key in known else ""
            raise ValueError(
                f"config.json asks for {key} = {value!r}, which is not supported{only}"
            )
    theta: float = rope.get("rope_theta") or hf_config.get("rope_theta") or 10000.0
    return {"base": float(theta)}


def rope(config: Configuration) -> dict[str, Any]:
    """Return the keys of config.json for rotary positions."""
    parameters = {"rope_type": "default", "rope_theta": config.base}
    return {"rope_parameters": parameters, "head_dim": config.d_k, "hidden_act": "silu"}


def _read(hf_config: HfConfig, names: Collection[str]) -> dict[str, Any]:
    return base(hf_config) | {"bias": hf_config.get("attention_bias", False)}


def _write(config: Configuration) -> dict[str, Any]:
    return rope(config) | {"attention_bias": config.bias}


FAMILY = Family(
    name="llama",
    architecture="LlamaForCausalLM",
    fixed=FIXED,
    fields=FIELDS,
    supported=SUPPORTED,
    others=(*ROPE, "attention_bias"),
    table=table,
    read=_read,
    write=_write,
    prefix="model.",
    copies=COPIES,
    unused=UNUSED,
)
