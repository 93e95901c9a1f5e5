"""The n-gram model beside plain loops, a hand-worked example and what must hold for any text."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.refusals import refusals
from transformer_lib.text import NGramModel

V = 5
texts = st.lists(st.integers(0, V - 1), min_size=1, max_size=30)


def by_loops(known: list[int], context: list[int], token: int, order: int, D: float) -> float:
    """The formula as it is written, one n-gram at a time."""
    if order == 0:
        return 1 / V
    n = order - 1
    shorter = by_loops(known, context, token, order - 1, D)
    if n > len(context):
        return shorter
    last = context[len(context) - n :]
    after = Counter(known[i + n] for i in range(len(known) - n) if known[i : i + n] == last)
    if not after:
        return shorter
    total = sum(after.values())
    return max(after[token] - D, 0) / total + D * len(after) / total * shorter


@given(known=texts, new=texts, order=st.integers(1, 5), D=st.sampled_from([0.1, 0.5, 0.75, 1.0]))
def test_it_is_the_formula(known: list[int], new: list[int], order: int, D: float) -> None:
    model = NGramModel(np.array(known), order=order, vocabulary_size=V, discount=D)
    expected = [by_loops(known, new[:i], token, order, D) for i, token in enumerate(new)]
    np.testing.assert_allclose(model.probabilities(np.array(new)), expected, atol=1e-12)


@given(known=texts, context=st.lists(st.integers(0, V - 1), max_size=8), order=st.integers(1, 5))
def test_the_next_token_has_a_distribution(
    known: list[int], context: list[int], order: int
) -> None:
    model = NGramModel(np.array(known), order=order, vocabulary_size=V)
    row = model.next_probabilities(np.array(context, int))
    assert row.shape == (V,) and (row > 0).all()
    assert row.sum() == pytest.approx(1, abs=1e-12)
    for token in range(V):
        along = model.probabilities(np.array([*context, token]))[-1]
        assert row[token] == pytest.approx(along, abs=1e-12)


def test_an_example_worked_by_hand() -> None:
    # In 0 1 0 1 0 2 the token 0 stands three times, followed by 1, 1 and 2; D = 1/2.
    model = NGramModel(np.array([0, 1, 0, 1, 0, 2]), order=2, vocabulary_size=4, discount=0.5)
    single = {0: 2.5 / 6 + 0.25 / 4, 1: 1.5 / 6 + 0.25 / 4, 2: 0.5 / 6 + 0.25 / 4, 3: 0.25 / 4}
    after_0 = model.next_probabilities(np.array([3, 0]))
    expected = [single[0] / 3, 1.5 / 3 + single[1] / 3, 0.5 / 3 + single[2] / 3, single[3] / 3]
    np.testing.assert_allclose(after_0, expected, atol=1e-12)
    # After 2 nothing stood, after 3 neither: the single tokens decide.
    np.testing.assert_allclose(model.next_probabilities(np.array([2])), list(single.values()))


GOOD = dict(ids=np.array([1, 2]), order=2, vocabulary_size=V)
test_bad_arguments = refusals(
    ("order must be an integer of 1 or more", dict(order=0)),
    ("discount must be at most 1", dict(discount=1.5)),
    ("discount must be positive", dict(discount=0.0)),
    ("ids must contain at least one token", dict(ids=np.zeros(0, int))),
    ("ids must be a numpy array of integers", dict(ids=[1, 2])),
    ("ids must be from 0 to 4, got 1 to 5", dict(ids=np.array([1, V]))),
    of=lambda changes: NGramModel(**(GOOD | changes)),
)
test_bad_ids = refusals(
    ("ids must be from 0", lambda: NGramModel(**GOOD).probabilities(np.array([-1])))
)
