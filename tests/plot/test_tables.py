import re

import numpy as np
import pytest
import torch

from tests.refusals import refusals
from transformer_lib import attention_steps, plot
from transformer_lib.plot import style
from transformer_lib.plot.heat_map import describe

WEIGHTS = np.array([[0.1, 0.9, 0.0], [0.25, 0.5, 0.25]])
TOKENS = ["They", "<pad>"]


@pytest.mark.parametrize("array", [WEIGHTS, torch.tensor(WEIGHTS, requires_grad=True)])
def test_heat_map_prints_every_number_and_says_where_the_largest_stands(array):
    shown = plot.heat_map(array, TOKENS, list("abc"), title="Weights", decimals=2)
    cells = re.findall(r"<td[^>]*>([^<]+)</td>", shown.html)
    assert cells == ["0.10", "0.90", "0.00", "0.25", "0.50", "0.25"]
    assert "2 rows by 3 columns. The largest value is 0.90, in row They, column b." in shown.html
    assert '<thead><tr><td></td><th scope="col">a</th>' in shown.html
    assert "&lt;pad&gt;" in shown.html and "<pad>" not in shown.html
    assert repr(shown).splitlines()[2].split() == ["They", "0.10", "0.90", "0.00"]


def test_tint_grows_with_the_value_and_scores_change_color_with_the_sign():
    assert re.findall(r'tl-w" style="--a:([\d.]+)', plot.heat_map(WEIGHTS).html) == [
        "0.06", "0.54", "0.15", "0.3", "0.15",
    ]  # fmt: skip
    scores = plot.heat_map([[-2.0, 1.0, -np.inf]], meaning="scores", decimals=1).html
    assert '<td class="tl-n" style="--a:0.6">−2.0</td>' in scores
    assert '<td class="tl-p" style="--a:0.3">1.0</td>' in scores
    assert '<td class="tl-i">−∞</td>' in scores
    halved = plot.heat_map([[1.0]], meaning="scores", limit=2.0).html
    assert '--a:0.3"' in halved


def test_a_map_of_eight_by_eight_is_small():
    shown = plot.heat_map(np.full((8, 8), 0.123), list("abcdefgh"), list("abcdefgh"))
    assert len(shown._repr_html_()) < 8000


def test_a_map_without_labels_counts_rows_and_columns_from_1():
    array = np.zeros((3, 4))
    array[1, 3] = 0.5
    where = "The largest value is 0.50, in row {}, column {}."
    assert where.format("2 of 3", "4 of 4") in plot.heat_map(array, decimals=2).html
    assert where.format("b", "4 of 4") in plot.heat_map(array, list("abc"), decimals=2).html
    shown = plot.heat_map(array, columns=list("abcd"), decimals=2)
    assert where.format("2 of 3", "d") in shown.html


LAST_BIT = 0.1 + 0.2  # 0.30000000000000004


def test_equal_values_are_named_whatever_their_last_bits():
    said = [
        describe(np.array([[a, 0.1, 0.2], [0.2, b, 0.1]]), ["x", "y"], list("abc"), decimals=4)
        for a in (0.3, LAST_BIT)
        for b in (0.3, LAST_BIT)
    ]
    assert set(said) == {
        "2 rows by 3 columns. The largest value is 0.3000, equal: row x, column a; row y, column b."
    }


@pytest.mark.parametrize("noise", [0.0, 1e-16, -1e-16])
def test_equal_rows_are_said_to_be_equal(noise):
    rows = np.array([[0.5, -0.25, 0.3], [0.5 + noise, -0.25, 0.3 - noise]])
    assert describe(rows, ["first", "second"], list("abc"), decimals=2).endswith(
        "All rows are equal. The largest value is 0.50, in column a."
    )
    assert "All rows are equal" not in describe(rows + np.array([[0.0], [0.1]]))


def test_when_all_are_equal_no_place_is_named():
    assert describe(np.full((2, 3), LAST_BIT), decimals=1).endswith("columns. All values are 0.3.")
    assert describe(np.array([[-0.0, 0.0], [0.0, -1e-17]])).endswith("All values are 0.0000.")
    assert describe(np.array([[0.3]]), decimals=1).endswith("is 0.3, in row 1 of 1, column 1 of 1.")


def test_many_equal_values_are_counted():
    said = describe(np.array([[1.0, 1, 1], [1, 1, 0]]), decimals=0)
    assert said.endswith("The largest value is 1, equal in 5 places.")


def test_a_number_at_the_edge_of_rounding_prints_alike_whatever_its_last_bits():
    edges = [0.00005 - 1e-20, 0.00005, 0.00005 + 1e-20]
    assert len({repr(plot.matrix([[edge]])) for edge in edges}) == 1
    tinted = [plot.heat_map([[0.175 + k * 2.8e-17]]).html for k in (-1, 0, 1)]
    assert len(set(tinted)) == 1


def test_bars_name_equal_bars():
    shown = plot.bars([LAST_BIT, 0.3, 0.4 - 1e-17, 0.0], list("abcd"), decimals=1)
    assert "The largest value is 0.4, in row c" in shown.html
    shown = plot.bars([LAST_BIT, 0.3, 0.1, 0.1], list("abcd"), decimals=1)
    assert "is 0.3, equal: row a, column value; row b, column value." in shown.html


def test_description_of_a_matrix_without_a_finite_value():
    assert describe(np.full((1, 2), -np.inf)).endswith("No value is finite.")


LIGHT, DARK = ((255, 255, 255), (34, 40, 50)), ((18, 18, 18), (206, 214, 221))


SIGNS = [style.POSITIVE, style.NEGATIVE]


def tinted(color, background, alpha):
    return alpha * np.array(color) + (1 - alpha) * np.array(background)


@pytest.mark.parametrize(
    "theme, colors", [(LIGHT, [style.WEIGHT, *SIGNS]), (DARK, [style.WEIGHT_IN_THE_DARK, *SIGNS])]
)
def test_text_on_the_strongest_tint_is_legible_in_both_themes(theme, colors):
    background, ink = theme
    for color in colors:
        assert contrast(tinted(color, background, style.STRONGEST), ink) >= 4.5


@pytest.mark.parametrize("theme, color", [(LIGHT, style.WEIGHT), (DARK, style.WEIGHT_IN_THE_DARK)])
def test_a_share_of_58_percent_is_told_from_one_of_21_in_both_themes(theme, color):
    more, less = (tinted(color, theme[0], share * style.STRONGEST) for share in (0.58, 0.21))
    assert contrast(more, less) >= 1.4


@pytest.mark.parametrize("color", [style.RASPBERRY, style.OLIVE, style.SLATE])
def test_a_line_is_seen_in_both_themes_and_looks_like_no_role(color):
    assert min(contrast(color, background) for background in (LIGHT[0], DARK[0])) >= 3
    roles = re.findall(r"--tl-(?:query|key|value|weight): #(\w{6});", style.PARTS_STYLE)
    assert len(roles) == 8  # light and dark
    for role in roles:
        assert np.linalg.norm(cielab(color) - cielab(bytes.fromhex(role))) >= 20


def cielab(color):
    """Where a color is in CIELAB, in which 20 is a difference that nobody misses."""
    to_xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x, y, z = np.cbrt(np.array(to_xyz) @ linear(color) / [0.9505, 1, 1.089])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color):
    return float(np.dot(linear(color), [0.2126, 0.7152, 0.0722]))


def linear(color):
    channels = [c / 255 for c in color]
    return [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]


def test_step_table_shows_the_mask_only_where_there_is_one():
    Q, K, V = np.eye(2, 3), np.ones((4, 3)), np.ones((4, 2))
    without = plot.step_table(attention_steps(Q, K, V), ["a", "b"], list("wxyz"), decimals=1)
    mask = np.array([True, False, True, True])
    with_mask = plot.step_table(attention_steps(Q, K, V, mask), ["a", "b"], list("wxyz"))
    assert re.findall(r"<caption>(\w+) <small>(.*?)<", without.html) == [
        ("scores", "(2, 4)"),
        ("scaled", "(2, 4)"),
        ("weights", "(2, 4)"),
        ("output", "(2, 2)"),
    ]
    assert "masked (2, 4)" in repr(with_mask) and "−∞" in with_mask.html
    assert with_mask._repr_html_().count("<style>") == 1


def test_equation_names_matrices_and_keeps_its_signs():
    shown = plot.equation(
        [WEIGHTS, "@", np.eye(3), "=", WEIGHTS], names=["A", "B", "C"], decimals=1
    )
    assert shown.html.count("<table") == 3
    assert re.findall(r'tl-op">(.)<', shown.html) == ["×", "="]
    assert "A = [0.1  0.9  0.0]\n    [0.2  0.5  0.2]\n@\nB = " in repr(shown)


def test_bars_are_as_long_as_their_values():
    shown = plot.bars(np.array([0.75, 0.25]), ["fire", "<s>"], title="Next")
    assert re.findall(r"width:([\d.]+)%", shown.html) == ["100.0", "33.3"]
    whole = plot.bars(np.array([0.75, 0.25]), ["fire", "<s>"], limit=1)
    assert re.findall(r"width:([\d.]+)%", whole.html) == ["75.0", "25.0"]
    assert repr(shown) == "Next\nfire  0.7500\n <s>  0.2500"


test_bad_input_is_named = refusals(
    ("matrix must be", lambda: plot.heat_map(np.zeros((2, 2, 2)))),
    ("matrix must be", lambda: plot.heat_map(np.zeros((0, 2)))),
    ("real numbers", lambda: plot.heat_map([["a"]])),
    ("equal length", lambda: plot.heat_map([[1.0], [1.0, 2.0]])),
    ("rows must name all 2", lambda: plot.heat_map(WEIGHTS, ["one"])),
    ("columns must name all 3", lambda: plot.heat_map(WEIGHTS, columns=["one"])),
    ("limit must be", lambda: plot.heat_map(WEIGHTS, limit=0.0)),
    ("meaning must be", lambda: plot.heat_map(WEIGHTS, meaning="heat")),
    ("names must name all 1", lambda: plot.equation([WEIGHTS], names=["a", "b"])),
    ("values must be 2", lambda: plot.bars([0.5], ["a", "b"])),
    ("limit must be", lambda: plot.bars([0.5], ["a"], limit=float("nan"))),
    ("0 or more", lambda: plot.bars([-0.5, np.nan], ["a", "b"])),
)


def test_a_title_names_a_table_once_and_what_it_shows_is_its_description():
    """A caption is the name of its table; a label with the same words would be heard beside it."""
    for shown in (
        plot.heat_map(WEIGHTS, title="Weights"),
        plot.bars([0.5, 0.25], ["a", "b"], title="Weights"),
    ):
        assert "aria-label" not in shown.html
        assert re.search(r'aria-description="2 rows by \d columns?\. The largest', shown.html)
    for unnamed in (plot.heat_map(WEIGHTS), plot.bars([0.5], ["a"])):
        assert "aria-label" in unnamed.html and "aria-description" not in unnamed.html


def test_the_cell_of_a_bar_is_not_read():
    cells = re.findall(r"<td[^>]*>(?=<)", plot.bars([0.5, 0.25], ["a", "b"]).html)
    assert cells == ['<td class="tl-bar" aria-hidden="true">'] * 2


def test_the_name_below_a_matrix_is_heard_once():
    html = plot.matrix([[1.0]], name="Q").html
    assert html.count("Q") == 2 and '<span aria-hidden="true">Q</span>' in html
