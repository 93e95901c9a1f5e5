"""Configurations whose sizes all differ, one for each switch that a cost depends on."""

from typing import Any

from transformer_lib import Configuration

SIZES: dict[str, Any] = {"vocabulary_size": 13, "d_model": 8, "heads": 4, "layers": 3, "d_ff": 10}


def configuration(kind: str = "decoder", **changes: Any) -> Configuration:
    return Configuration(kind=kind, **SIZES | {"max_length": 17, "dropout": 0.0} | changes)


CHANGES: dict[str, dict[str, Any]] = {
    "decoder": {},
    "pre": {"place": "pre"},
    "without biases": {"bias": False},
    "no layers": {"layers": 0, "place": "pre"},
    "gated": {"activation": "swiglu", "norm": "rms"},
    "groups": {"key_value_heads": 2, "head_width": 6, "position": "rotary"},
    "own head": {"tied": False},
    "own head without bias": {"tied": False, "head_bias": False},
    "learned positions": {"position": "learned", "embedding_norm": True},
    "relative positions": {"position": "t5", "buckets": 6},
    "encoder": {"kind": "encoder", "head_transform": True, "token_types": 2, "classes": 5},
    "encoder-decoder": {"kind": "encoder-decoder", "place": "pre", "source_vocabulary_size": 19},
    "sides": {"kind": "encoder-decoder", "side_positions": True, "position": "learned"},
    "shared": {"kind": "encoder-decoder", "embedding_norm": True, "key_value_heads": 1},
}
