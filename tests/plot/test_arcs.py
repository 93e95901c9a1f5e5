import re

from tests.refusals import refusals
from transformer_lib import plot

WORDS = ["The", "chef", "who", "<ran>", "is"]
STEPS, LOOKS = {(1, 2): 1.0, (2, 3): 1.0, (3, 4): 1.0}, {(0, 1): 0.2, (0, 2): 0.2, (1, 4): 1.0}


def drawn(left=STEPS, right=LOOKS):
    return plot.arcs(WORDS, left, right, names=("steps", "looks"))


def test_every_arc_starts_and_ends_at_its_words():
    line = {word: float(y) for y, word in re.findall(r'y="([\d.]+)"[^>]*>([^<]+)<', drawn().html)}
    curves = re.findall(r"M[\d.]+ ([\d.]+)C[^M\"]* ([\d.]+)", drawn().html)
    height = [line[w] - 5 for w in ("The", "chef", "who", "&lt;ran&gt;", "is")]
    pairs = [(height.index(float(a)), height.index(float(b))) for a, b in curves]
    assert sorted(pairs) == sorted([*STEPS, *LOOKS])


def test_sides_differ_in_place_and_color_and_strong_arcs_come_last():
    arc = r'<path d="M([\d.]+)[^>]*stroke="(\S+)" stroke-opacity="(\S+)"'
    left, faint, strong = re.findall(arc, drawn().html)
    assert float(left[0]) < float(faint[0]) == float(strong[0])
    assert left[1] != faint[1] == strong[1]
    assert (left[2], faint[2], strong[2]) == ("1", "0.2", "1")


def test_the_longest_arcs_stay_inside_the_picture():
    words = [str(i) for i in range(30)]
    html = plot.arcs(words, {(0, 29): 1}, {(29, 0): 1}, names=("a", "b")).html
    width = float(re.search(r'viewBox="0 0 (\d+)', html)[1])
    for start, reach in re.findall(r"M([\d.]+) [\d.]+C([-\d.]+)", html):
        assert 0 < float(start) + 0.75 * (float(reach) - float(start)) < width


def test_description_names_the_strongest_arcs_and_is_escaped():
    shown = drawn()
    assert "3 arcs on the right, looks: chef-is." in shown.html
    assert "<ran>" not in shown.html
    assert repr(shown).splitlines()[1] == "steps: chef-who, who-<ran>, <ran>-is"


test_bad_arcs_are_refused = refusals(
    *(("left must join two of 5 words", {pair: 1.0}) for pair in ((0, 5), (-1, 2), (2, 2))),
    *(("strengths from 0 to 1", {(0, 1): bad}) for bad in (1.5, float("nan"))),
    of=drawn,
)


test_an_empty_sentence_is_refused = refusals(
    ("words must be one or more", lambda: plot.arcs([], {}, {}, names=("a", "b")))
)


def test_arcs_of_equal_strength_are_all_named_whatever_their_last_bits():
    text = repr(drawn(right={(0, 1): 0.1 + 0.2, (1, 3): 0.3, (0, 4): 0.2}))
    assert text.endswith("looks: The-chef, chef-<ran>")
