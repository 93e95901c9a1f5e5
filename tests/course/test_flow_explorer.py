"""The explorer of the front page: each field moves what it should, and no more."""

import re

import pytest

from course import flow_explorer as front
from course.flow import flow
from course.next_word import changed, next_words
from tests.widgets.test_frames import parts_of

PROBABILITIES = re.compile(r"<td>([\d.]+)</td>")
OTHER = "dragons who sat on the mat"


def explorer():
    """The explorer, its fields by name, and what its two boxes show."""
    made = front.flow_explorer()
    fields = {field.description: field for field in made.guess.children[1].children}
    return made, fields, made.flow.children[-1], made.guess.children[-1]


def test_a_typed_sentence_moves_both():
    made, fields, way, guess = explorer()
    assert made.flow.children[0] is fields["sentence"], "one sentence, shown twice"
    fields["sentence"].value = OTHER
    assert way.value == flow(OTHER)._repr_html_()
    assert guess.value == next_words(OTHER)._repr_html_()


def test_changes_of_the_model_add_up():
    _, fields, way, guess = explorer()
    fields["silent head"].value = (1, 2)
    fields["mask"].value = True
    sentence = front.SENTENCES[0]
    assert way.value == flow(sentence, (1, 2), True)._repr_html_()
    assert guess.value == next_words(sentence, changed((1, 2), True))._repr_html_()


def test_the_draw_leaves_the_way_alone():
    _, fields, way, guess = explorer()
    before = way.value
    fields["temperature"].value, fields["top-k"].value, fields["top-p"].value = 0.5, 4, 0.8
    filters = {"temperature": 0.5, "top_k": 4, "top_p": 0.8}
    assert guess.value == next_words(front.SENTENCES[0], **filters)._repr_html_()
    assert way.value == before


@pytest.mark.parametrize("text", ["the zebra", "cat " * 41])
def test_what_is_wrong_is_said_and_passes(text):
    _, fields, way, guess = explorer()
    before = way.value, guess.value
    fields["sentence"].value = text
    assert 'role="alert"' in way.value and 'role="alert"' in guess.value
    fields["sentence"].value = front.SENTENCES[0]
    assert (way.value, guess.value) == before


def test_every_head_can_be_chosen():
    _, fields, _, _ = explorer()
    assert fields["silent head"].options == {"none": front.NO_HEAD, **front.heads()}
    assert list(front.heads().values()) == [(i, j) for i in range(2) for j in range(4)]
    assert front.heads()["head 3 of layer 2"] == (1, 2)


def test_without_a_kernel_the_way_stands_still_and_the_guess_has_menus():
    made, _, way, _ = explorer()
    still, moves = (box._repr_mimebundle_()["text/html"] for box in made)
    assert way.value in still and "readonly" in still and "tl-start" in still
    assert "tl-start" in moves and "readonly" not in moves
    frames = parts_of(front.before())[-1]
    assert len(frames) == 4 * 10
    for frame, attend in zip(frames, (None, changed(lifted=True), changed((0, 0))), strict=False):
        expected = front.next_verb(front.SENTENCES[0], attend).html
        assert PROBABILITIES.findall(frame) == PROBABILITIES.findall(expected) != []
