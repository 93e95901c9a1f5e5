import math
import re

from tests.refusals import refusals
from transformer_lib import plot

NEEDS = {
    ("x", 0): [],
    ("x", 1): [],
    ("x", 2): [],
    ("h", 0): [("x", 0)],
    ("h", 1): [("x", 1), ("h", 0)],
    ("h", 2): [("x", 2), ("h", 1)],
}
COUNTS = {state: float(10 * (state[0] == "h") + state[1]) for state in NEEDS}
WORDS = ["his", "<uncle>", "tea"]


def drawn(needs=NEEDS, counts=COUNTS, words=WORDS):
    return plot.dependency_graph(needs, counts, words, title="Steps")


def test_each_number_stands_in_its_own_box():
    boxes = re.findall(r'<rect x="([\d.]+)" y="([\d.]+)".*?<text.*?>([^<]+)</text>', drawn().html)
    assert {number for _, _, number in boxes} == {"0", "1", "2", "10", "11", "12"}
    by_number = {number: (float(x), float(y)) for x, y, number in boxes}
    assert by_number["0"][0] == by_number["10"][0] < by_number["1"][0]
    assert by_number["10"][1] < by_number["0"][1]


def test_there_is_one_line_for_each_need():
    lines = re.findall(r'<path d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', drawn().html)
    assert len(lines) == len(set(lines)) == 5
    assert sum(y0 == y1 for _, y0, _, y1 in lines) == 2
    assert all(float(x0) < float(x1) for x0, y0, x1, y1 in lines if y0 == y1)


def test_text_twin_has_the_words_below_nothing_lost():
    assert repr(drawn()).splitlines() == [
        "Steps", "   his  <uncle>  tea", "h  10   11       12", "x  0    1        2",
    ]  # fmt: skip
    assert "<uncle>" not in drawn().html


def test_a_state_that_cannot_be_reached_shows_a_dash():
    assert "–" in repr(drawn(counts=COUNTS | {("h", 0): math.inf}))


test_bad_input_is_refused = refusals(
    ("counts must have a number", {"counts": {}}),
    ("words must have one for", {"words": WORDS[:2]}),
    ("needs must have all", {"needs": {("h", 0): [("x", 7)]}}),
    of=lambda change: drawn(**change),
)
