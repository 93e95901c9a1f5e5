import xml.etree.ElementTree as ET

import numpy as np

import transformer_lib as tl
from tests.refusals import refusals
from transformer_lib import plot

NAMES = ["the", "cat", "<END>"]
ROWS = np.log([[0.1, 0.6, 0.3], [0.2, 0.05, 0.75], [0.4, 0.5, 0.1]])


def searched(width):
    return tl.beam_search(lambda ids: ROWS[ids[-1]], [2], width=width, end=2, max_new_tokens=3)


def drawings(drawn):
    """The tree that goes to the right, and the one that goes down."""
    return list(ET.fromstring(drawn.html).iter("svg"))


def paths(svg):
    return [dict(path.attrib) for path in svg.iter("path")]


def test_each_expansion_is_one_edge_and_one_word_with_its_probability():
    found = searched(2)
    drawn = plot.tree(found, NAMES, most_dropped=10)
    across, down = drawings(drawn)
    assert len(paths(across)) == len(paths(down)) == sum(len(step) for step in found.steps)
    words, rows = (["".join(t.itertext()) for t in svg.iter("text")] for svg in (across, down))
    for edge in (edge for step in found.steps for edge in step):
        assert f"{np.exp(edge.log_probability):.3f}" in words
        assert NAMES[edge.token] in words
        assert f"{NAMES[edge.token]} {np.exp(edge.log_probability):.3f}" in rows


def test_dropped_edges_are_dashed_and_the_best_sequence_is_thick_and_drawn_last():
    found = searched(2)
    fates = [edge.fate for step in found.steps for edge in step]
    dropping = sum(any(e.fate == "dropped" for e in step) for step in found.steps)
    assert fates.count("dropped") > dropping
    for drawn in map(paths, drawings(plot.tree(found, NAMES, most_dropped=1))):
        assert sum("stroke-dasharray" in path for path in drawn) == dropping
        thick = [path["stroke-width"] == "4" for path in drawn]
        assert sum(thick) == len(found.best.tokens)
        assert thick == sorted(thick)


def test_the_text_is_an_outline_and_the_description_names_the_best():
    drawn = plot.tree(searched(1), NAMES, start="<START>", title="Width 1", most_dropped=0)
    assert repr(drawn) == "Width 1\n<START> 1.000\n  cat 0.500\n    <END> 0.375, finished"
    assert ET.fromstring(drawn.html).find("svg").get("aria-label") == (
        "Search tree. Width 1: 2 steps. The best sequence is cat <END>, probability 0.375."
    )


def test_no_two_words_stand_in_one_place():
    for drawn in drawings(plot.tree(searched(3), NAMES, most_dropped=10)):
        places = [(text.get("x"), text.get("y")) for text in drawn.iter("text")]
        assert len(places) == len(set(places))


def test_a_deep_outline_is_as_wide_as_its_last_row():
    deep = tl.beam_search(lambda ids: ROWS[ids[-1]], [2], width=1, end=None, max_new_tokens=30)
    _, down = drawings(plot.tree(deep, NAMES, most_dropped=0))
    *_, last = down.iter("text")
    width = float(down.get("viewBox").split()[2])
    assert float(last.get("x")) + 7 * len("".join(last.itertext())) < width


test_names_that_do_not_fit_are_refused = refusals(
    ("names must have a token for id 2, got 2 names", lambda: plot.tree(searched(2), NAMES[:2])),
    (
        "most_dropped must be 0 or more, got -1",
        lambda: plot.tree(searched(2), NAMES, most_dropped=-1),
    ),
)
