"""Where the number of a subject stands in the published model: swaps, means and probes."""

import numpy as np
import pytest

from course.published import looking, model, number_probe
from course.published.looking import Item, Run

pytestmark = pytest.mark.published


@pytest.fixture(scope="module")
def run() -> Run:
    published = model.loaded()
    return looking.run(published, looking.items(published)[:4])


def test_the_margins_are_those_of_the_whole_model(run: Run) -> None:
    are, is_ = looking.verbs(run.model)
    logits = run.model(run.ids)[:, -1]
    np.testing.assert_allclose(run.margin, logits[:, are] - logits[:, is_], atol=1e-4)
    assert [run.model.tokenizer.decode([i]) for i in (are, is_)] == [" are", " is"]


def test_all_that_can_carry_the_number_gives_the_whole_effect(run: Run) -> None:
    """The subject before layer 1, the last word at the end, and all heads at the last word."""
    last = run.ids.shape[1] - 1
    heads = [(i, k) for i in range(1, 31) for k in range(1, 10)]
    for margin in (
        looking.swapped(run, 0, run.subject, run.subject),
        looking.swapped(run, 15, run.subject, last),
        looking.swapped(run, 30, last, last),
        looking.with_heads(run, heads),
    ):
        np.testing.assert_allclose(margin, run.margin[run.other], atol=1e-3)
        np.testing.assert_allclose(looking.share(run, margin), 1, atol=1e-3)


def test_what_carries_no_number_gives_none_of_the_effect(run: Run) -> None:
    last = run.ids.shape[1] - 1
    for margin in (
        looking.with_heads(run, [], "mean"),
        looking.onward(run, 20, looking.stream(run, 20)[:, 2:]),
        looking.swapped(run, 0, run.subject + 1, last),
        looking.swapped(run, 30, run.subject, last - 1),
    ):
        np.testing.assert_allclose(margin, run.margin, atol=1e-3)


def test_a_head_of_the_last_layer_is_silenced_as_by_its_rows_of_W_O(run: Run) -> None:
    found = looking.with_heads(run, [(30, 4)], "zero")
    arrays = model.silenced(run.model.parameters, run.model.config, 30, 4)
    silent = run.model._replace(parameters=arrays)(run.ids)[:, -1]
    are, is_ = looking.verbs(run.model)
    np.testing.assert_allclose(found, silent[:, are] - silent[:, is_], atol=1e-3)
    assert abs(found - run.margin).max() > 1e-3


def test_two_heads_are_enough_and_needed_over_all_items() -> None:
    published = model.loaded()
    known = looking.items(published)
    assert len(known) == 23
    whole = looking.run(published, known)
    assert looking.reach(looking.effect(whole.margin)) == pytest.approx((7.66, 0.89), abs=0.01)
    two = [(27, 1), (28, 9)]
    put = looking.share(whole, looking.with_heads(whole, two))
    assert looking.reach(put) == pytest.approx((0.85, 0.02), abs=0.01)
    out = looking.with_heads(whole, two, "mean")
    assert looking.effect(out).mean() < 0.15 * looking.effect(whole.margin).mean()
    assert looking.right(out).mean() < 0.7 < looking.right(whole.margin).mean()


def test_a_probe_needs_the_subject_and_random_labels_need_its_noun() -> None:
    asked = number_probe.probed(model.loaded(), "key door letter picture book report road window")
    at_subject, at_end = (number_probe.told(asked, 0, at) for at in (asked.subject, 5))
    assert at_subject.known.mean() == at_subject.control.mean() == 1
    assert at_subject.new.mean() > 0.9
    assert at_end.new.mean() == at_end.known.mean() == 0.5


def test_what_cannot_be_done_is_said_in_words(run: Run) -> None:
    with pytest.raises(ValueError, match="there is no head 10 in layer 3"):
        looking.with_heads(run, [(3, 10)])
    with pytest.raises(ValueError, match="value must be other, mean or zero, got 'none'"):
        looking.with_heads(run, [(3, 1)], "none")
    with pytest.raises(ValueError, match="layer must be from 0 to 30, got 31"):
        looking.stream(run, 31)
    with pytest.raises(ValueError, match="subject, preposition, attractor, got 'key to'"):
        looking.items(run.model, "key to")
    uneven = Item(("key", "keys"), "to", ("cabinet", "blackberries"))
    with pytest.raises(ValueError, match="the same number of tokens"):
        looking.run(run.model, [uneven])
