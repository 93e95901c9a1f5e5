"""Arrows before one is turned: they are where the vectors are, and the numbers follow from them."""

import itertools
import math
import re

import numpy as np
import pytest

import transformer_lib as tl
from tests.refusals import refusals
from transformer_lib import plot
from transformer_lib.plot.arrow_labels import HALF, TALL, between, labels

QUERY, KEYS = [1.0, -0.5], {"a": [2.0, 1.0], "<b>": [-1.5, 0.3], "c": [0.0, 1.2]}
VALUES = [[2, 1], [9, 3], [5, 9]]
WEIGHTS = tl.softmax(np.array(list(KEYS.values())) @ QUERY / math.sqrt(2))


def drawn(values=VALUES, **options):
    return plot.arrows({"They": QUERY}, KEYS, values, **options)


def pairs(pattern, html):
    return np.array(re.findall(pattern, html), dtype=float)


def test_the_arrows_end_where_the_vectors_do():
    html = drawn().html
    ends = (pairs(r"left: (\S+)%; top: (\S+)%", html) - 50) * 2 * HALF / 100
    np.testing.assert_allclose(ends * [1, -1] / 40, [QUERY, *KEYS.values()], atol=0.005)
    turned = pairs(r"L(\S+) 0L\S+ 7V\S+ transform=\"rotate\((\S+)\)", html)
    tips = turned[:, 0] * np.exp(1j * np.radians(turned[:, 1]))
    np.testing.assert_allclose(np.stack([tips.real, tips.imag], 1), ends, atol=0.2)


@pytest.mark.parametrize("divisor", [1, math.sqrt(2), 2.5])
def test_the_numbers_are_the_scores_and_their_softmax(divisor):
    scores = np.array(list(KEYS.values())) @ QUERY / divisor
    lines = repr(drawn(divisor=divisor)).replace("−", "-")
    said = pairs(r" = (\S+), angle .*weight (\S+)", lines)
    # Two decimals are shown.
    np.testing.assert_allclose(said, np.stack([scores, tl.softmax(scores)], 1), atol=0.0051)


def test_the_output_is_the_mean_of_the_values_on_lines_as_thick_as_the_weights():
    html = drawn().html
    *points, output = pairs(r'<circle r="[68]" cx="(\S+)" cy="(\S+)"', html)
    np.testing.assert_allclose(output, WEIGHTS @ points, atol=0.06)
    thick = pairs(r'stroke-width="(\S+)"', html)
    np.testing.assert_allclose(thick, 1 + 14 * WEIGHTS, atol=0.06)
    said = pairs(r"The output is (\S+), (\S+)\.$", repr(drawn()))
    np.testing.assert_allclose(said, [WEIGHTS @ VALUES], atol=0.06)


def test_the_angle_is_that_of_the_cosine():
    said = [int(degrees) for degrees in re.findall(r"angle (\d+)°", drawn().html)]
    keys = np.array(list(KEYS.values()))
    cosines = keys @ QUERY / np.linalg.norm(keys, axis=1) / np.linalg.norm(QUERY)
    np.testing.assert_array_equal(said, np.degrees(np.arccos(cosines)).round())
    assert "angle" not in repr(plot.arrows({"They": [0, 0]}, KEYS))


def test_an_arrow_has_a_name_a_value_and_a_place_in_the_order_of_the_keyboard():
    html = drawn().html
    assert html.count('tabindex="0" role="slider"') == 4
    assert 'aria-label="key of &lt;b&gt;"' in html and "<b>," not in html
    assert 'aria-valuetext="(−1.5, 0.3), 169 degrees, length 1.5"' in html
    assert re.findall(r"tl-grip tl-role-(\w+)", html) == ["query", "key", "key", "key"]


def test_a_word_may_look_at_itself():
    lines = repr(plot.arrows({"They": [2, 1]}, {"They": [1, 1], "are": [0, 1]})).splitlines()
    assert [line.split(":")[0] for line in lines[1:3]] == ["They (2.0, 1.0)", "They (1.0, 1.0)"]


def test_without_values_there_is_one_plane_and_no_output():
    shown = drawn(None)
    assert shown.html.count("<svg") == 1 and drawn().html.count("<svg") == 2
    assert repr(shown).endswith("They looks at a with weight 0.75.")


def test_no_name_covers_another_or_leaves_the_picture_at_any_two_angles():
    names, lengths = ["They", "Dragons", "breathe", "fire"], [80, 82, 76, 60]
    for turned in itertools.product(range(0, 360, 15), repeat=2):
        angles = np.radians([*turned, -18, 160])
        tips = [(r * math.cos(a), -r * math.sin(a)) for r, a in zip(lengths, angles, strict=True)]
        lines = [p for tip in tips for p in between((0, 0), tip)]
        boxes = labels(names, tips, (0, 0), lines)
        for (a, b, wide), (c, d, other) in itertools.combinations(boxes, 2):
            assert abs(a - c) >= wide + other or abs(b - d) >= 2 * TALL, turned
        assert all(abs(x) + wide <= HALF and abs(y) + TALL <= HALF for x, y, wide in boxes), turned


test_vectors_that_do_not_fit_are_refused = refusals(
    ("query must contain one vector, got 2", ({"a": [1, 1], "b": [1, 1]}, KEYS)),
    ("keys must be from 2 to 4 vectors, got 1", ({"They": [1, 1]}, {"a": [1, 1]})),
    ("They must be two finite numbers", ({"They": [1, 1, 1]}, KEYS)),
    ("a must be two finite numbers", ({"They": [1, 1]}, {"a": [1, math.inf], "b": [1, 1]})),
    ("values must be one for each of 3 keys, got 1", ({"They": [1, 1]}, KEYS, [[1, 1]])),
    (r"values\[0\] must be two finite numbers", ({"They": [1, 1]}, KEYS, [[1], [1], [1]])),
    of=lambda arguments: plot.arrows(*arguments),
)
