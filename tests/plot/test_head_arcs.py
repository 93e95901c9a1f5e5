"""All heads as arcs: what is drawn is what the weights say."""

import re

import numpy as np

from tests.refusals import refusals
from transformer_lib import plot

WORDS = ["They", "<are>", "here"]
BACK = np.array([[1, 0, 0], [0.75, 0.25, 0], [0.01, 0.39, 0.6]])
AHEAD = np.array([[0, 0, 1], [0, 1, 0], [0, 0, 1]])
ARC = re.compile(r'd="M(\d+) ([\d.]+)C\S+ \S+ \S+ \S+ \d+ ([\d.]+)" stroke-width="(\S+)"')


def arcs(html):
    """The head's arcs: side, lines of the word that looks and of the other, width."""
    return [
        (float(x) > 90, (float(a) - 34) / 24, (float(b) - 34) / 24, float(w))
        for x, a, b, w in ARC.findall(html)
    ]


def drawn(*heads, **options):
    return plot.head_arcs(WORDS, heads, **options)


def test_an_arc_leads_from_the_word_that_looks_and_is_as_wide_as_its_weight():
    assert arcs(drawn(BACK, BACK).html.split("</g>")[0]) == [
        (False, 2, 1, 2.45),
        (False, 1, 0, 4.25),
    ]


def test_looks_ahead_are_on_the_other_side_and_are_named():
    html = drawn(BACK, AHEAD).html
    assert [arc[0] for arc in arcs(html)] == [False, False, True]
    assert "look ahead" in html and "look ahead" not in drawn(BACK, BACK).html


def test_a_look_at_itself_is_a_dot():
    html = drawn(BACK, BACK).html.split("</g>")[0]
    assert re.findall(r'cy="(\S+)" r="(\S+)"', html) == [("58", "2"), ("82", "3.4"), ("34", "5")]


def test_all_heads_have_their_words_and_pictures_of_one_size():
    html = drawn(BACK, AHEAD, names=["one", "<two>"]).html
    assert len(re.findall("<svg", html)) == 2 and len(set(re.findall('viewBox="[^"]+"', html))) == 1
    assert html.count(">here</text>") == 2 and html.count(">&lt;are&gt;</text>") == 2
    assert ">&lt;two&gt;</text>" in html and "<are>" not in html


def test_the_text_says_where_each_word_looks_most():
    assert repr(drawn(BACK, AHEAD)).splitlines()[1:] == [
        "head 1: They looks at They (1.00), <are> at They (0.75), here at here (0.60)",
        "head 2: They looks at here (1.00), <are> at <are> (1.00), here at here (1.00)",
    ]


test_heads_that_do_not_fit_are_refused = refusals(
    (r"weights must be 3 by 3 per head, got \(2, 2\)", lambda: drawn(BACK, np.eye(2))),
    ("weights must be from 0 to 1", lambda: drawn(BACK, 2 * BACK)),
    ("names must name all 2 heads, got 1", lambda: drawn(BACK, BACK, names=["one"])),
)
