"""Clocks: a hand's reach is the sine of its column, its height the cosine."""

import math
import re

import numpy as np
import pytest

import transformer_lib as tl
from tests.refusals import refusals
from transformer_lib import plot
from transformer_lib.plot.clocks import RADIUS


def tips(html):
    found = re.findall(r'class="tl-tip" cx="([-\d.]+)" cy="([-\d.]+)"', html)
    return np.array(found, dtype=float)


@pytest.mark.parametrize("position, base", [(0, 10000.0), (3, 10000.0), (5, 100.0), (777, 50.0)])
def test_the_hands_are_the_sinusoidal_encoding(position, base):
    shown = tips(plot.clocks(position, 6, base=base).html)
    (expected,) = tl.sinusoidal(1, 6, base=base, offset=position)
    # Coordinates are printed with one decimal of a pixel.
    np.testing.assert_allclose(shown[:, 0], RADIUS * expected[0::2], atol=0.051)
    np.testing.assert_allclose(shown[:, 1], -RADIUS * expected[1::2], atol=0.051)


def test_more_than_half_a_turn_is_swept_the_long_way():
    arcs = [
        re.findall(r"A40 40 0 (\d) 1", plot.clocks(position, 2).html)[0] for position in (3, 4, 7)
    ]
    assert arcs == ["0", "1", "0"]


def test_each_dial_says_its_columns_and_its_period():
    shown = plot.clocks(2, 4, base=400.0, title="Position <2>")
    assert shown.html.count("<figure>") == 2
    assert "columns 2, 3<br>period 126</figcaption>" in shown.html
    assert 'aria-label="Position &lt;2&gt;. columns 0, 1: period 6.28, hand at 115°;' in shown.html
    assert repr(shown).splitlines()[2] == "columns 2, 3: period 126, hand at 6°"


test_what_has_no_dial_is_refused = refusals(
    ("position must be 0 or more and finite, got -1", lambda: plot.clocks(-1, 4)),
    ("position must be 0 or more and finite, got nan", lambda: plot.clocks(math.nan, 4)),
    ("d_model must be a positive even number, got 5", lambda: plot.clocks(1, 5)),
    ("d_model must be a positive even number, got 0", lambda: plot.clocks(1, 0)),
    ("base must be positive", lambda: plot.clocks(1, 4, base=0)),
)
