from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import transformer_lib as tl
from tests.refusals import refusals


@given(st.integers(0, 6), st.integers(0, 4))
def test_causal_mask_lets_each_token_see_itself_and_the_past(n: int, offset: int) -> None:
    mask = tl.causal_mask(n, like=np.empty(0), offset=offset)
    assert mask.shape == (n, offset + n)
    for i in range(n):
        assert mask[i].tolist() == [key <= offset + i for key in range(offset + n)]


def test_padding_and_causal_masks_combine(backend: Any) -> None:
    ids = backend([[5, 6, 1, 1], [5, 6, 7, 1]])
    combined = tl.causal_mask(4, like=ids) & tl.padding_mask(ids, 1)
    assert tuple(combined.shape) == (2, 4, 4)
    for b, i, j in np.ndindex(2, 4, 4):
        assert bool(combined[b, i, j]) == (j <= i and int(ids[b, j]) != 1)


def test_additive_mask_does_to_scores_what_the_mask_does(backend: Any) -> None:
    scores = backend(np.random.default_rng(0).normal(size=(3, 3)))
    mask = tl.causal_mask(3, like=scores)
    added = tl.softmax(scores + tl.additive_mask(mask))
    steps = tl.attention_steps(scores, scores, scores, mask)
    assert (np.asarray(steps.weights)[~np.asarray(mask)] == 0).all()
    assert (np.asarray(added)[~np.asarray(mask)] == 0).all()
    assert np.asarray(tl.additive_mask(mask)).max() == 0


@pytest.mark.parametrize("n", [-1, 2.0, True, "3", None])
def test_bad_lengths(n: Any, unhooked: None) -> None:
    with pytest.raises(ValueError, match="n must be an integer of 0 or more, got"):
        tl.causal_mask(n, like=np.empty(0))
    with pytest.raises(ValueError, match="offset must be an integer of 0 or more, got"):
        tl.causal_mask(2, like=np.empty(0), offset=n)


test_bad_arrays = refusals(
    (r"mask must be boolean .* got dtype", lambda: tl.additive_mask(np.array([1.0, 0.0]))),
    ("ids must contain integers, got dtype", lambda: tl.padding_mask(np.array([1.0, 0.0]), 0)),
    ("ids must have at least 1 axes", lambda: tl.padding_mask(np.array(3), 0)),
)
