import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import transformer_lib as tl
from tests.refusals import refusals

E = np.random.default_rng(0).normal(size=(6, 4))


@given(st.lists(st.integers(0, 5), max_size=7))
def test_lookup_equals_one_hot_times_matrix(ids: list[int]) -> None:
    given_ids = np.array(ids, dtype=int)
    np.testing.assert_array_equal(tl.embed(given_ids, E), tl.one_hot(given_ids, 6) @ E)


def test_lookup_of_a_batch_and_of_one_id(backend: Any) -> None:
    batch = tl.embed(backend([[1, 5, 0], [2, 2, 3]]), backend(E))
    assert tuple(batch.shape) == (2, 3, 4)
    np.testing.assert_array_equal(batch[1, 2], E[3])
    np.testing.assert_array_equal(tl.embed(backend(4), backend(E)), E[4])


def test_scaling_multiplies_by_the_root_of_the_width(backend: Any) -> None:
    ids = backend([5, 1])
    scaled = tl.embed(ids, backend(E), scale=True)
    np.testing.assert_allclose(scaled, E[[5, 1]] * math.sqrt(4), rtol=1e-14)


def test_one_hot(backend: Any) -> None:
    rows = tl.one_hot(backend([[2, 0]]), 3, like=backend(np.ones(1, dtype=np.float32)))
    assert "float32" in str(rows.dtype)
    assert rows.tolist() == [[[0, 0, 1], [1, 0, 0]]]


@pytest.mark.parametrize("ids", [[0, 6], [-1, 2]])
@pytest.mark.parametrize("take", [tl.embed, lambda ids, E: tl.one_hot(ids, 6)])
def test_ids_out_of_range(ids: list[int], take: Any, unhooked: None, backend: Any) -> None:
    with pytest.raises(ValueError, match=r"ids must be from 0 to 5, got"):
        take(backend(ids), backend(E))


test_bad_input = refusals(
    ("ids must contain integers", lambda: tl.embed(np.array([1.0]), E)),
    ("ids must contain integers", lambda: tl.one_hot(np.array([True]), 3)),
    ("V must be an integer of 1 or more", lambda: tl.one_hot(np.array([0]), 2.5)),
    ("V must be an integer of 1 or more", lambda: tl.one_hot(np.array([0]), True)),
)
