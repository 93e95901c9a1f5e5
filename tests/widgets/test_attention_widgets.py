import json
import math

import numpy as np
import pytest

from tests.widgets.test_frames import parts_of, says_what_is_wrong_and_recovers
from transformer_lib import attention, widgets
from transformer_lib.widgets.attention_editor import parse_divisor, parse_matrix

Q, K, V = np.eye(2, 3), np.arange(12.0).reshape(4, 3) / 7, np.arange(8.0).reshape(4, 2)


def editor():
    box = widgets.attention_editor(Q, K, V)
    row, shown = box.children
    return *row.children, shown


def test_explorer_shows_the_weights_and_output_of_every_divisor():
    shown = widgets.attention_explorer(Q, K, V, ["a", "b"], list("wxyz"))
    (slider,), _, frames = parts_of(shown)
    stops = json.loads(slider["data-stops"])
    assert slider["aria-valuetext"] == "1" and (stops[0], stops[-1]) == ("0.05", "10")
    for label, divisor in (("√3 ≈ 1.732", 3**0.5), ("0.05", 0.05)):
        frame = frames[stops.index(label)]
        for number in attention(Q, K, V, divisor=divisor).flat:
            assert f"<td>{number:.4f}</td>" in frame


def test_explorer_takes_labels_and_a_start():
    box = widgets.attention_explorer(Q, K, V, divisors=[1.0, 2.0], labels=["one", "two"], start=1)
    assert parts_of(box)[0][0]["aria-valuetext"] == "two"
    assert repr(box) == "2 frames: Divide the scores by from one to two"
    with pytest.raises(ValueError, match="at least one point"):
        widgets.attention_explorer(Q, K, V, divisors=[])


def test_editor_answers_what_is_typed():
    q, _, _, divisor, shown = editor()
    assert f"{attention(Q, K, V)[0, 0]:.4f}" in shown.value
    q.value = "2, 0 0\n\n0 −1 0.5"
    divisor.value = "√2"
    typed = np.array([[2.0, 0, 0], [0, -1, 0.5]])
    for number in attention(typed, K, V, divisor=math.sqrt(2)).flat:
        assert f"{number:.4f}" in shown.value


@pytest.mark.parametrize(
    "field, text, message",
    [
        (0, "1 2\n3", "Q must have rows of equal length"),
        (0, "one 0 0", "Q must contain finite numbers, got &#x27;one&#x27;"),
        (1, "nan 0 0", "K must contain finite numbers"),
        (1, "1 2", "K must have as many columns"),
        (2, "", "V must have at least one row"),
        (2, "1 2", "V must have as many rows"),
        (2, "1\n" * 13, "at most 12"),
        (3, "0", "divisor must be positive"),
        (3, "", "divisor must contain finite numbers"),
        (3, "sqrt(-1)", "divisor must be the root"),
        (3, "<b>", "&lt;b&gt;"),
    ],
)
def test_editor_says_what_is_wrong_and_recovers(field, text, message, unhooked):
    *fields, shown = editor()
    says_what_is_wrong_and_recovers(fields[field], shown, text, message)


def test_editor_has_a_stable_text_form():
    box = widgets.attention_editor(Q, K, V)
    assert repr(box) == "editor of Q (2, 3), K (4, 3), V (4, 2) and the divisor"


def test_what_the_editor_shows_first_reads_back_as_it_was():
    *fields, _ = editor()
    for field, array in zip(fields[:3], (Q, K, V), strict=True):
        np.testing.assert_allclose(parse_matrix("Q", field.value), array, atol=1e-9)
    assert parse_divisor(fields[3].value, 3) == math.sqrt(3)
