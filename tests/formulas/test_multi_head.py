from typing import Any

import numpy as np
import pytest

import transformer_lib as tl
from tests.refusals import refusals

RNG = np.random.default_rng(3)
X, M = RNG.normal(size=(2, 3, 8)), RNG.normal(size=(2, 5, 8))
MASK = np.array([[1, 0, 1, 1, 0], [0, 1, 0, 0, 0], [1, 1, 1, 1, 1]], dtype=bool)
WEIGHTS = {name: RNG.normal(size=(8, 8)) for name in ("W_Q", "W_K", "W_V", "W_O")}
BIASES = {name: RNG.normal(size=8) for name in ("b_Q", "b_K", "b_V", "b_O")}


def converted(backend: Any, arrays: dict[str, Any]) -> dict[str, Any]:
    return {name: backend(x) for name, x in arrays.items()}


def test_split_and_merge_are_inverse_and_keep_neighbors_together(backend: Any) -> None:
    split = tl.split_heads(backend(X), 4)
    assert tuple(split.shape) == (2, 4, 3, 2)
    for head in range(4):
        np.testing.assert_array_equal(split[:, head], X[..., 2 * head : 2 * head + 2])
    np.testing.assert_array_equal(tl.merge_heads(split), X)


def test_equals_one_attention_after_another(backend: Any) -> None:
    result = tl.multi_head_attention(
        backend(X), backend(M), **converted(backend, WEIGHTS | BIASES), mask=backend(MASK), h=4
    )
    outputs = []
    for head in range(4):
        columns = slice(2 * head, 2 * head + 2)
        q, k, v = (
            rows @ WEIGHTS[f"W_{letter}"][:, columns] + BIASES[f"b_{letter}"][columns]
            for rows, letter in ((X, "Q"), (M, "K"), (M, "V"))
        )
        outputs.append(tl.attention(q, k, v, MASK))
    expected = np.concatenate(outputs, axis=-1) @ WEIGHTS["W_O"] + BIASES["b_O"]
    np.testing.assert_allclose(result, expected, atol=1e-12)


def test_the_heads_are_side_by_side(backend: Any) -> None:
    weights = converted(backend, WEIGHTS)
    steps = tl.multi_head_attention_steps(backend(X), backend(M), **weights, h=4)
    beside = np.concatenate(list(np.moveaxis(np.asarray(steps.heads), 1, 0)), -1)
    np.testing.assert_allclose(steps.concatenated, beside)


@pytest.mark.parametrize("base", [None, 100.0])
@pytest.mark.parametrize("n_past", [0, 1, 4])
def test_the_past_of_a_cache_changes_nothing(n_past: int, base: Any, backend: Any) -> None:
    rows, weights = backend(M), converted(backend, WEIGHTS | BIASES)
    mask = tl.causal_mask(5, like=rows)
    options: dict[str, Any] = dict(h=4, rotary_base=base, **weights)
    whole = tl.multi_head_attention_steps(rows, rows, mask=mask, **options)
    before = tl.multi_head_attention_steps(rows[:, :n_past], rows[:, :n_past], **options)
    new = rows[:, n_past:]
    rest = tl.multi_head_attention_steps(
        new, new, mask=mask[n_past:], past=(before.K, before.V), **options
    )
    np.testing.assert_allclose(rest.output, whole.output[:, n_past:], atol=1e-10)
    np.testing.assert_allclose(rest.K, whole.K, atol=1e-12)


def test_a_text_without_a_batch_is_turned_as_one_of_a_batch() -> None:
    options: dict[str, Any] = dict(h=4, rotary_base=9.0, **WEIGHTS)
    alone = tl.multi_head_attention(X[0], X[0], **options)
    np.testing.assert_allclose(alone, tl.multi_head_attention(X, X, **options)[0], atol=1e-12)


def test_an_empty_memory_leaves_the_bias(backend: Any) -> None:
    weights = converted(backend, WEIGHTS | BIASES)
    result = tl.multi_head_attention(backend(X), backend(M[:, :0]), **weights, h=4)
    np.testing.assert_allclose(result, np.broadcast_to(BIASES["b_O"], (2, 3, 8)))


GOOD: dict[str, Any] = dict(X=X, M=M, **WEIGHTS, h=4)


test_bad_input = refusals(
    ("W_Q must have a width that 3 heads can share, got 8", dict(h=3)),
    ("h must be an integer of 1 or more, got 0", dict(h=0)),
    ("W_K must have as many columns", dict(W_K=np.ones((8, 4)))),
    ("mask must be boolean", dict(mask=MASK.astype(float))),
    (r"bias must broadcast to \(2, 4, 3, 5\)", dict(bias=np.ones((3, 3, 5)))),
    ("rotary|base must be positive", dict(rotary_base=-1.0)),
    ("X must have at least 2 axes", dict(X=np.ones(8))),
    of=lambda changes: tl.multi_head_attention(**(GOOD | changes)),
)
