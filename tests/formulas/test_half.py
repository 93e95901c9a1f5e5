"""Sixteen bits: every formula of float16 and bfloat16 is as near to the truth as they allow."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.formulas.test_every_formula import CASES

HALVES: dict[str, Callable[[Any], Any]] = {
    "numpy float16": lambda x: np.asarray(x, np.float16),
    "torch float16": lambda x: torch.as_tensor(x).half(),
    "torch bfloat16": lambda x: torch.as_tensor(x).bfloat16(),
}
EPS = {"numpy float16": 2**-10, "torch float16": 2**-10, "torch bfloat16": 2**-7}
SMALL = {"b", "b_1", "b_2", "bias", "gain", "b_Q", "b_K", "b_V", "b_O"}
RNG = np.random.default_rng(3)
TEXT = RNG.normal(size=(3, 4096))
IDS = RNG.integers(0, 4096, size=3)
MANY = RNG.integers(0, 50, size=5000)
LOGITS = RNG.normal(size=(5000, 50))

CELL, WIDE, STATE = (RNG.normal(size=s) / 64 for s in ((3, 4), (4096, 16), (4, 16)))

half = pytest.mark.parametrize("kind", HALVES)


def size_of(name: str, entry: str, large: float) -> float:
    """Rows are large as in a residual stream, and weights such that no step leaves float16."""
    if entry in ("W_Q", "W_K"):
        return 1e-3
    if entry == "E":
        return 1.0
    return 0.1 if entry.startswith("W") else 1.0 if entry in SMALL else large


def double(x: Any) -> Any:
    return np.asarray(x.double() if torch.is_tensor(x) else x, np.float64)


def compare(kind: str, function: Callable[..., Any], arrays: dict[str, Any], **others: Any) -> None:
    """The error is a few units in the last place of the largest entry of its row."""
    rounded = {name: HALVES[kind](x) for name, x in arrays.items()}
    convert = torch.as_tensor if kind.startswith("torch") else np.asarray
    fixed = {n: convert(x) if isinstance(x, np.ndarray) else x for n, x in others.items()}
    found = function(**rounded, **fixed)
    assert found.dtype == next(iter(rounded.values())).dtype
    true = double(function(**{n: double(x) for n, x in rounded.items()}, **others))
    largest = np.abs(true).max(axis=-1, keepdims=True) if true.ndim else abs(true)
    assert np.all(np.abs(double(found) - true) <= 8 * EPS[kind] * largest + 1e-7)


@half
@pytest.mark.parametrize("large", [1.0, 300.0])
@pytest.mark.parametrize("name", CASES)
def test_large_entries(name: str, large: float, kind: str) -> None:
    function, floats, others = CASES[name]
    sized = {n: size_of(name, n, large) * x for n, x in floats.items()}
    compare(kind, function, sized, **others)


LONG: dict[str, tuple[Callable[..., Any], dict[str, Any], dict[str, Any]]] = {
    "softmax": (tl.softmax, {"x": TEXT}, {}),
    "softmax of equals": (tl.softmax, {"x": np.zeros((2, 5000))}, {}),
    "log_softmax": (tl.log_softmax, {"x": TEXT}, {}),
    "log_softmax, large": (tl.log_softmax, {"x": 500 * TEXT}, {}),
    "layer_norm": (tl.layer_norm, {"X": 400 + 300 * TEXT}, {}),
    "rms_norm": (tl.rms_norm, {"X": 20000 * TEXT / np.abs(TEXT).max()}, {}),
    "cross_entropy": (tl.cross_entropy, {"logits": 10 * TEXT}, {"targets": IDS}),
    "cross_entropy of many": (tl.cross_entropy, {"logits": LOGITS}, {"targets": MANY}),
    "smoothed": (
        tl.cross_entropy,
        {"logits": 10 * TEXT},
        {"targets": IDS, "label_smoothing": 0.5},
    ),
    "perplexity": (tl.perplexity, {"logits": LOGITS}, {"targets": MANY}),
    "attention": (tl.attention, {x: 300 * RNG.normal(size=(2, 2, 64)) for x in "QKV"}, {}),
    "attention to many": (tl.attention, {"Q": TEXT[:1, :8], "K": LOGITS[:, :8], "V": LOGITS}, {}),
    "frequencies": (lambda like: tl.frequencies(4098, like=like), {"like": TEXT}, {}),
    "alibi_bias": (lambda like: tl.alibi_bias(1, 4000, 2, like=like), {"like": TEXT}, {}),
    "sinusoidal": (lambda like: tl.sinusoidal(3, 8, like=like, offset=9999), {"like": TEXT}, {}),
    "rnn_step": (tl.rnn_step, {"x": TEXT, "h": CELL, "W_x": WIDE[:, :4], "W_h": STATE[:, :4]}, {}),
    "lstm_step": (
        lambda **given: tl.lstm_step(**given).hidden,
        {"x": TEXT, "h": CELL, "c": 300 * CELL, "W_x": WIDE, "W_h": STATE},
        {},
    ),
}


@half
@pytest.mark.parametrize("name", LONG)
def test_long_rows(name: str, kind: str) -> None:
    function, floats, others = LONG[name]
    compare(kind, function, floats, **others)


@half
def test_the_steps_of_a_formula_have_16_bits_too(kind: str) -> None:
    dtype = HALVES[kind](TEXT).dtype
    assert {x.dtype for x in tl.layer_norm_steps(HALVES[kind](TEXT))} == {dtype}
    x = HALVES[kind](np.ones((2, 3)))
    mask = tl.causal_mask(2, like=x)
    assert {step.dtype for step in tl.attention_steps(x, x, x, mask)} == {dtype}
