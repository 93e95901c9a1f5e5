"""What holds for every formula: both libraries agree, gradients are right, lists are refused."""

import functools
import inspect
import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch

import transformer_lib as tl
from transformer_lib import formulas

RNG = np.random.default_rng(0)


class Case(NamedTuple):
    function: Callable[..., Any]
    floats: dict[str, np.ndarray[Any, Any]]
    others: dict[str, np.ndarray[Any, Any]]  # masks and ids, which have no gradient


def case(function: Callable[..., Any], others: Any = None, /, **shapes: tuple[int, ...]) -> Case:
    floats = {n: RNG.normal(size=s) for n, s in shapes.items()}
    if function is not tl.relu:  # a gradient must be right at 0, too; that of relu has a corner
        for x in floats.values():
            x.flat[0] = 0
    return Case(function, floats, others or {})


MASK = np.array([[1, 0, 1, 1, 0], [1, 1, 1, 1, 1], [0, 0, 0, 0, 1]], dtype=bool)
QKV = {"Q": (2, 3, 4), "K": (2, 5, 4), "V": (2, 5, 6)}
HEADS = {"W_Q": (6, 4), "W_K": (3, 4), "W_V": (3, 10), "W_O": (10, 7)}
HEADS |= {"b_Q": (4,), "b_K": (4,), "b_V": (10,), "b_O": (7,)}
MULTI = functools.partial(tl.multi_head_attention, h=2)
GROUPED = functools.partial(tl.multi_head_attention, h=4, h_kv=2, divisor=1.0, rotary_base=9.0)
SMALL_HEADS = {"W_Q": (6, 8), "W_K": (3, 4), "W_V": (3, 6), "W_O": (12, 7)}
FORWARD = {"X": (2, 3, 4), "W_1": (4, 7), "W_2": (7, 5), "b_1": (7,), "b_2": (5,)}
GATED = {"X": (2, 3, 4), "W_gate": (4, 7), "W_1": (4, 7), "W_2": (7, 5)}
IDS = np.array([[2, 0, 3], [1, 2, 2]])

CASES = {
    "softmax": case(tl.softmax, x=(3, 5)),
    "attention": case(tl.attention, **QKV),
    "attention, mask": case(tl.attention, {"mask": MASK}, **QKV),
    "attention, bias": case(tl.attention, {"mask": MASK}, bias=(3, 5), **QKV),
    "embed": case(lambda E, ids: tl.embed(ids, E, scale=True), {"ids": IDS}, E=(4, 6)),
    "linear": case(tl.linear, X=(2, 3, 4), W=(4, 5), b=(5,)),
    "learned_positions": case(lambda P: tl.learned_positions(P, 3, offset=1), P=(5, 4)),
    "relative_bias": case(tl.relative_bias, {"buckets": IDS}, table=(4, 6)),
    "rotary": case(tl.rotary, {"positions": np.array([4, 5, 6])}, X=(2, 3, 8)),
    "rotary, halves": case(
        functools.partial(tl.rotary, halves=True), {"positions": np.array([4, 5])}, X=(3, 2, 6)
    ),
    "tied_logits": case(tl.tied_logits, hidden=(2, 3, 4), E=(5, 4), b=(5,)),
    "logits": case(tl.logits, hidden=(2, 3, 4), W=(4, 5), b=(5,)),
    "log_softmax": case(tl.log_softmax, x=(3, 5)),
    "pooled": case(tl.pooled, hidden=(2, 3, 4), W=(4, 5), b=(5,)),
    "relu": case(tl.relu, x=(3, 5)),
    "gelu": case(tl.gelu, x=(3, 5)),
    "gelu_tanh": case(tl.gelu_tanh, x=(3, 5)),
    "silu": case(tl.silu, x=(3, 5)),
    "feed_forward": case(tl.feed_forward, **FORWARD),
    "feed_forward, gelu": case(functools.partial(tl.feed_forward, activation=tl.gelu), **FORWARD),
    "swiglu": case(tl.swiglu, **GATED),
    "swiglu, gelu": case(functools.partial(tl.swiglu, activation=tl.gelu), **GATED),
    "layer_norm": case(tl.layer_norm, X=(2, 3, 5), gain=(5,), bias=(5,)),
    "rms_norm": case(tl.rms_norm, X=(2, 3, 5), gain=(5,)),
    "residual": case(tl.residual, X=(2, 3), change=(2, 3)),
    "sublayer, pre": case(lambda X: tl.sublayer(X, tl.silu, tl.rms_norm, "pre"), X=(2, 3, 5)),
    "sublayer, post": case(lambda X: tl.sublayer(X, tl.silu, tl.rms_norm, "post"), X=(2, 3, 5)),
    "split_heads": case(functools.partial(tl.split_heads, h=4), X=(2, 3, 8)),
    "merge_heads": case(tl.merge_heads, X=(2, 4, 3, 5)),
    "multi_head_attention": case(MULTI, {"mask": MASK}, X=(2, 3, 6), M=(2, 5, 3), **HEADS),
    "multi_head_attention, grouped": case(
        GROUPED, {"mask": MASK}, X=(2, 3, 6), M=(2, 5, 3), **SMALL_HEADS
    ),
    "multi_head_attention, bias": case(MULTI, bias=(2, 3, 5), X=(2, 3, 6), M=(2, 5, 3), **HEADS),
}
# The tests of these stand in their own files: they make arrays from numbers, take functions, or
# return more than one array or one number.
TESTED_ALONE = {
    *("additive_mask", "alibi_bias", "alibi_slopes", "causal_mask", "frequencies", "one_hot"),
    *("padding_mask", "relative_buckets", "sinusoidal", "sinusoidal_rotation"),
    *("cross_entropy", "perplexity", "rnn_step", "lstm_step"),
    *("encoder_layer", "decoder_layer", "encoder_stack", "decoder_stack"),
}

every = pytest.mark.parametrize("name", CASES)


def outcome(name: str, convert: Callable[[Any], Any]) -> Any:
    function, floats, others = CASES[name]
    return function(**{n: convert(x) for n, x in (floats | others).items()})


@every
def test_numpy_equals_torch(name: str) -> None:
    one, other = outcome(name, np.asarray), outcome(name, torch.from_numpy)
    assert isinstance(one, np.ndarray) and isinstance(other, torch.Tensor)
    np.testing.assert_allclose(one, other.numpy(), rtol=1e-12, atol=1e-12)


@every
def test_gradients_equal_finite_differences(name: str) -> None:
    function, floats, others = CASES[name]
    fixed = {n: torch.from_numpy(x) for n, x in others.items()}
    tensors = [torch.from_numpy(x).requires_grad_() for x in floats.values()]
    assert torch.autograd.gradcheck(
        lambda *given: function(**dict(zip(floats, given, strict=True)), **fixed), tensors
    )


@every
def test_float32_stays_float32_and_is_close(name: str, backend: Callable[[Any], Any]) -> None:
    def single(x: Any) -> Any:
        return backend(x.astype(np.float32) if x.dtype == np.float64 else x)

    result = outcome(name, single)
    assert "float32" in str(result.dtype)
    np.testing.assert_allclose(result, outcome(name, np.asarray), rtol=1e-4, atol=1e-4)


@every
def test_integers_are_promoted_to_float(name: str, backend: Callable[[Any], Any]) -> None:
    if name in ("split_heads", "merge_heads"):
        pytest.skip("moves entries of any kind and computes nothing")
    function, floats, others = CASES[name]
    whole = {n: (3 * x).astype(np.int64) for n, x in floats.items()}
    # Each library's own default: float64 in numpy, float32 in torch.
    result = function(**{n: backend(x) for n, x in (whole | others).items()})
    assert "float" in str(result.dtype)
    expected = function(**{n: x.astype(np.float64) for n, x in whole.items()}, **others)
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-4)


@every
def test_nan_in_nan_out(name: str, backend: Callable[[Any], Any]) -> None:
    function, floats, others = CASES[name]
    for sick in floats:
        given = {n: np.full_like(x, np.nan) if n == sick else x for n, x in floats.items()}
        result = function(**{n: backend(x) for n, x in (given | others).items()})
        assert np.isnan(np.asarray(result)).any(), sick


@every
def test_two_libraries_at_once_are_refused(name: str, unhooked: None) -> None:
    function, floats, others = CASES[name]
    arrays = floats | others
    if len(arrays) == 1:
        pytest.skip("takes one array")
    last = list(arrays)[-1]
    with pytest.raises(ValueError, match="one library"):
        function(**(arrays | {last: torch.from_numpy(arrays[last])}))


def test_every_formula_is_public_and_has_a_case() -> None:
    """Also one of a new file: what begins with _ and what only formulas call is none."""
    files = [each.name for each in pkgutil.iter_modules(formulas.__path__)]
    written = {
        name.removesuffix("_steps")
        for module in (import_module(f"{formulas.__name__}.{file}") for file in files)
        for name, found in inspect.getmembers(module, inspect.isfunction)
        if found.__module__ == module.__name__ and module.__name__.split(".")[-1] not in HELPERS
        if not name.startswith("_") and name not in INNER
    }
    assert written - set(tl.__all__) == set(), "export it in transformer_lib/__init__.py"
    assert written == {name.split(",")[0] for name in CASES} | TESTED_ALONE, "add a case above"


HELPERS = {"checked", "checks", "half", "multi_head_checks", "operand", "record"}
INNER = {"in_turn", "mask_joins", "sines_and_cosines", "turns"}
