"""A product on the board: its numbers, its first lit entry, the sum that it spells."""

import re

import numpy as np

from tests.refusals import refusals
from transformer_lib import plot
from transformer_lib.plot.product import spelled

A = np.array([[1.0, 0, 2], [0, 1, 1]])
B = np.array([[0.5, 0], [1, -1], [0.25, 3]])


def cells(html, side):
    table = html.split(f"tl-side-{side}")[1].split("</table>")[0]
    return [float(x.replace("−", "-")) for x in re.findall(r"<td[^>]*data-i[^>]*>([^<]+)<", table)]


def test_the_three_tables_hold_the_factors_and_the_product():
    html = plot.product(A, B, decimals=2).html
    for side, matrix in (("l", A), ("r", B), ("p", A @ B)):
        np.testing.assert_allclose(cells(html, side), np.ravel(matrix))


def test_the_first_entry_is_lit_and_spelled_without_a_script():
    shown = plot.product(A, B, decimals=2, names=("Q", "Kᵀ", "scores"))
    # Three entries of the row, three of the column, and where they meet.
    assert shown.html.count("tl-lit") == 7
    assert "1.00 · 0.50 + 0.00 · 1.00 + 2.00 · 0.25 = 1.00</output>" in shown.html
    assert "row 1 of Q with column 1 of Kᵀ: 1.00 · 0.50" in shown.text


def test_one_entry_at_a_time_is_in_the_order_of_the_keyboard():
    html = plot.product(A, B).html
    assert html.count('tabindex="0"') == 1
    assert html.count('tabindex="-1"') == 3


def test_a_rounded_sum_says_that_it_is_rounded():
    assert spelled(np.array([1 / 3]), np.array([1 / 3]), 1 / 9, 2) == "0.33 · 0.33 ≈ 0.11"
    assert spelled(np.array([0.5]), np.array([0.5]), 0.25, 2) == "0.50 · 0.50 = 0.25"


test_labels_and_shapes_that_do_not_fit_are_refused = refusals(
    ("B must have as many rows as A has columns", lambda: plot.product(A, A)),
    ("labels must name all 2 rows of A, got 1", lambda: plot.product(A, B, rows=["They"])),
    ("labels must name all 2 columns of B, got 3", lambda: plot.product(A, B, columns=[*"abc"])),
)


def test_the_entry_that_shows_first_is_not_zero() -> None:
    made = plot.product([[0.0, 1.0]], [[5.0, 2.0], [0.001, 3.0]], decimals=2)
    assert "row 1 of A with column 2 of B: 0.00 · 2.00 + 1.00 · 3.00 = 3.00" in str(made)
    assert made._repr_html_().count('tabindex="0"') == 1
    assert '<td class="tl-lit" tabindex="0" data-i="0" data-j="1">3.00' in made._repr_html_()
