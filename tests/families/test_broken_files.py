"""Every way in which a checkpoint on disk can be broken, each named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import transformer_lib as tl
from tests.families.checkpoints import copy, make, write
from transformer_lib import families

pytestmark = pytest.mark.slow  # transformers alone takes seconds to import


def changed(change: Callable[[dict[str, Any]], Any]) -> Callable[[Path, Path], None]:
    def spoil(folder: Path, to: Path) -> None:
        tensors = tl.read_safetensors(folder / "model.safetensors")
        change(tensors)
        copy(folder, to, tensors)

    return spoil


def rewritten(**words: Any) -> Callable[[Path, Path], None]:
    return lambda folder, to: copy(folder, to, None, **words)


def cut(folder: Path, to: Path) -> None:
    copy(folder, to)
    whole = (to / "model.safetensors").read_bytes()
    (to / "model.safetensors").write_bytes(whole[:-5])


def without(name: str) -> Callable[[Path, Path], None]:
    def spoil(folder: Path, to: Path) -> None:
        copy(folder, to)
        (to / name).unlink()

    return spoil


def saying(text: str) -> Callable[[Path, Path], None]:
    def spoil(folder: Path, to: Path) -> None:
        copy(folder, to)
        (to / "config.json").write_text(text, encoding="utf-8")

    return spoil


def sharded(spoil: Callable[[Path, dict[str, Any]], None]) -> Callable[[Path, Path], None]:
    def write_shards(folder: Path, to: Path) -> None:
        write("gpt2", to, max_shard_size="3KB")
        index = to / "model.safetensors.index.json"
        listed = json.loads(index.read_text(encoding="utf-8"))
        spoil(to, listed["weight_map"])
        index.write_text(json.dumps(listed), encoding="utf-8")

    return write_shards


FIRST = "transformer.h.0.ln_1.weight"
BROKEN: dict[str, Callable[[Path, Path], None]] = {
    r"missing transformer.wpe.weight \(16, 12\); missing transformer.h.0.ln_1.weight": changed(
        lambda x: (x.pop(FIRST), x.pop("transformer.wpe.weight"))
    ),
    r"unknown transformer.h.7.ln_1.weight \(12,\)": changed(
        lambda x: x.update({"transformer.h.7.ln_1.weight": x[FIRST]})
    ),
    r"transformer.h.0.attn.c_attn.weight must be \(12, 36\), got \(36, 12\)": changed(
        lambda x: x.update(
            {"transformer.h.0.attn.c_attn.weight": x["transformer.h.0.attn.c_attn.weight"].T.copy()}
        )
    ),
    "family must be one of .* got 'gpt_neox'": rewritten(model_type="gpt_neox"),
    "config.json asks for scale_attn_by_inverse_layer_idx = True": rewritten(
        scale_attn_by_inverse_layer_idx=True
    ),
    "config.json asks for activation_function = 'quick_gelu'": rewritten(
        activation_function="quick_gelu"
    ),
    "config.json does not describe a model: d_model must be a multiple of heads": rewritten(
        n_head=5
    ),
    "config.json does not describe a model: n?.*layers must be an integer": rewritten(
        n_layer="two"
    ),
    "is not a complete safetensors file": cut,
    "does not contain config.json": without("config.json"),
    "contains neither model.safetensors nor": without("model.safetensors"),
    "it is not JSON": saying("{"),
    "it needs model_type": saying("{}"),
    "does not contain model-00002": sharded(lambda to, _: next(to.glob("model-00002*")).unlink()),
    "do not name the same tensors: none.weight": sharded(
        lambda _, places: places.update({"none.weight": next(iter(places.values()))})
    ),
    "must give the name of a file for each tensor, got '../": sharded(
        lambda _, places: places.update({FIRST: "../model.safetensors"})
    ),
}


@pytest.mark.parametrize("message", BROKEN)
def test_a_broken_checkpoint_is_named(
    message: str, gpt2: Path, tmp_path: Path, unhooked: None
) -> None:
    BROKEN[message](gpt2, tmp_path)
    with pytest.raises(ValueError, match=message):
        families.load(tmp_path)


LACKING: dict[str, tuple[str, dict[str, Any]]] = {
    "rope_type = 'linear', which is not supported": (
        "llama",
        {"rope_parameters": {"rope_type": "linear", "factor": 2.0, "rope_theta": 1e4}},
    ),
    "asks for mlp_bias = True": ("llama", {"mlp_bias": True}),
    "asks for layer_types": ("mistral", {"layer_types": ["full_attention"]}),
    "asks for is_decoder = True": ("bert", {"is_decoder": True}),
    "asks for apply_residual": ("bloom", {"apply_residual_connection_post_layernorm": True}),
    "asks for num_decoder_layers = 3": ("t5", {"num_decoder_layers": 3}),
    "encoder_layers = 2 and decoder_layers = 3": ("bart", {"decoder_layers": 3}),
    "share_encoder_decoder_embeddings": ("marian", {"share_encoder_decoder_embeddings": False}),
    "dense_act_fn = 'relu', which must be 'gelu_new'": ("t5, gated", {"dense_act_fn": "relu"}),
    "is_gated_act = False, which must be True": ("t5, gated", {"is_gated_act": False}),
    "vocab_size = 24, which must be vocab_size = 23": ("marian", {"decoder_vocab_size": 24}),
    "feed_forward_proj = 'gated-tanh', which is not supported": (
        "t5",
        {"feed_forward_proj": "gated-tanh"},
    ),
}


@pytest.mark.parametrize("message", LACKING)
def test_what_we_lack_is_named(message: str) -> None:
    name, words = LACKING[message]
    family = families.FAMILIES[name.split(",")[0]]
    with pytest.raises(ValueError, match=message):
        family.configuration(make(name).config.to_dict() | words, ())


def test_the_config_that_is_missing_a_key_means_the_default() -> None:
    """The first files of GPT-2 on the hub say no more than this."""
    words = dict(n_layer=12, n_head=12, n_embd=768, n_positions=1024, vocab_size=50257)
    config = families.FAMILIES["gpt2"].configuration(words, ())
    assert (config.d_ff, config.activation, config.tied) == (3072, "gelu_tanh", True)
    total = sum(int(np.prod(shape)) for shape in tl.parameter_shapes(config).values())
    assert total == 124_439_808  # as transformers counts it
