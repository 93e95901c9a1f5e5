"""The plane before it is moved: arrows where the vectors are, numbers that follow from them."""

import re

import numpy as np
import pytest

import transformer_lib as tl
from transformer_lib import plot

QUERY, KEYS = [1.0, -0.5], {"a": [2.0, 1.0], "<b>": [-1.5, 0.3], "c": [0.0, 1.2]}


def drawn(**options):
    return plot.plane({"query": QUERY, **KEYS}, **options)


def test_the_arrows_end_where_the_vectors_do():
    html = drawn(limit=2.0).html
    ends = np.array(re.findall(r'<line x2="(\S+)" y2="(\S+)"', html), dtype=float)
    np.testing.assert_allclose(ends * [1, -1] / 80, [QUERY, *KEYS.values()])


def test_the_numbers_are_the_dot_products_and_their_softmax():
    products = np.array(list(KEYS.values())) @ QUERY
    rows = re.findall(r"= ([−\d.]+), angle \d+°</td><td>([\d.]+)</td>", drawn().html)
    shown = np.array([[x.replace("−", "-") for x in row] for row in rows], dtype=float)
    np.testing.assert_allclose(shown[:, 0], products)
    # Two decimals are shown.
    np.testing.assert_allclose(shown[:, 1], tl.softmax(products), atol=0.005)


def test_the_angle_is_that_of_the_cosine():
    said = [int(degrees) for degrees in re.findall(r"angle (\d+)°", drawn().html)]
    keys = np.array(list(KEYS.values()))
    cosines = keys @ QUERY / np.linalg.norm(keys, axis=1) / np.linalg.norm(QUERY)
    np.testing.assert_array_equal(said, np.degrees(np.arccos(cosines)).round())
    assert "angle" not in repr(plot.plane({"query": [0, 0], "a": [1, 1]}))


def test_an_arrow_has_a_name_a_value_and_a_place_in_the_order_of_the_keyboard():
    html = drawn().html
    assert html.count('tabindex="0" role="slider"') == 4
    assert 'aria-label="&lt;b&gt;"' in html and "<b>" not in html
    assert 'aria-valuetext="(−1.5, 0.3)"' in html
    assert re.findall(r"tl-role-(\w+)", html) == ["query", "key", "key", "key"]


def test_the_text_holds_every_vector_and_number():
    lines = repr(drawn(title="Who?")).splitlines()
    assert lines[:3] == [
        "Who?",
        "query (1.0, −0.5)",
        "a (2.0, 1.0): 1.0 · 2.0 + −0.5 · 1.0 = 1.50, angle 53°, share 0.86",
    ]
    assert len(lines) == 5


def test_vectors_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="vectors must be 2 to 4, got 1"):
        plot.plane({"query": [1, 1]})
    with pytest.raises(ValueError, match="a must be two numbers from -3 to 3, got"):
        plot.plane({"query": [1, 1], "a": [1, 2, 3]})
    with pytest.raises(ValueError, match="a must be two numbers from -1 to 1, got"):
        plot.plane({"query": [1, 1], "a": [0, 1.5]}, limit=1.0)
