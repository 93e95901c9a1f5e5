"""Which part of the published model carries the margin of minimal pairs: swaps and their null."""

import numpy as np
import pytest

from course.published import model, swaps
from course.published.looking import Run
from transformer_lib import log_softmax

NOUNS = ["author", "pilot", "judge"]
ALL = [(layer, head) for layer in range(1, 31) for head in range(1, 10)]

pytestmark = pytest.mark.published


@pytest.fixture(scope="module")
def run() -> Run:
    good, bad = "No {} that the boys know has", "The {} that no boys know has"
    pairs = [(good.format(noun), bad.format(noun)) for noun in NOUNS]
    return swaps.run_pairs(model.loaded(), pairs, "ever")


def test_the_margins_are_those_of_the_whole_model(run: Run) -> None:
    (ever,) = run.model.tokenizer.encode(" ever")
    logs = log_softmax(run.model(run.ids)[:, -1].astype(np.float64))[:, ever] / np.log(2)
    np.testing.assert_allclose(run.margin, logs, atol=1e-3)
    np.testing.assert_allclose(swaps.margins(run), logs[::2] - logs[1::2], atol=1e-3)


def test_all_heads_move_the_whole_margin_and_none_moves_nothing(run: Run) -> None:
    np.testing.assert_allclose(swaps.moved(run, ALL), swaps.margins(run), atol=1e-3)
    np.testing.assert_array_equal(swaps.moved(run, []), 0)


def test_the_null_takes_the_heads_of_the_same_kind_of_sentence_before(run: Run) -> None:
    good, bad = run.margin.reshape(-1, 2).T
    for shift in (1, 2):
        other = (np.roll(bad, shift) - bad - np.roll(good, shift) + good) / 2
        np.testing.assert_allclose(swaps.moved(run, ALL, shift), other, atol=1e-3)
    assert swaps.moved(run, [(15, 5)], 3) == pytest.approx(0, abs=1e-3)  # each noun its own


def test_a_head_of_layer_15_moves_more_than_another_noun_does(run: Run) -> None:
    """Numbers of a sweep over all 270 heads that was written before this module."""
    moved = swaps.moved(run, [(15, 5)])
    assert moved == pytest.approx([1.31, 1.75, 2.09], abs=0.01)
    assert moved.mean() > max(np.abs(swaps.moved(run, [(15, 5)], k)).max() for k in (1, 2))
    against = swaps.moved(run, [(12, 8)])
    assert against == pytest.approx([-3.63, -1.21, -4.22], abs=0.01)


def test_what_cannot_be_done_is_said_in_words(run: Run) -> None:
    with pytest.raises(ValueError, match="there is no head 10 in layer 3"):
        swaps.moved(run, [(3, 10)])
    with pytest.raises(ValueError, match="the same number of tokens"):
        swaps.run_pairs(run.model, [("No author has", "The author of a book has")], "ever")
