"""A question, a slip or a table brings its style along, unless the notebook has shown it once."""

import re

import numpy as np
import pytest

import course
from course import ledger, questions, style
from transformer_lib import plot, widgets
from transformer_lib.plot import markup
from transformer_lib.plot.style import (
    NEGATIVE,
    POSITIVE,
    TABLE_STYLE,
    WEIGHT,
    WEIGHT_IN_THE_DARK,
)

SHOWN = {
    "question": lambda: questions.number("n", "?", 1.0),
    "slip": lambda: questions.pose("dragon-weights"),
    "entries": lambda: ledger.show("002.4a.scaled"),
    "lines": lambda: ledger.compact("002.decoding.row_3"),
    "catalogue": lambda: ledger.catalogue(ledger.load()),
    "matrix": lambda: plot.matrix([[1.0]]),
    "frames": lambda: widgets.frames(lambda x: plot.matrix([[x]]), x=[1.0, 2.0]),
}


@pytest.fixture(autouse=True)
def nothing_is_shared(monkeypatch):
    monkeypatch.setattr(markup, "_shared", set())
    with np.printoptions():
        yield


def html_of(kind):
    return SHOWN[kind]()._repr_html_()


@pytest.mark.parametrize("kind", SHOWN)
def test_the_style_comes_along_until_the_notebook_has_shown_it(kind):
    styles = re.findall("<style>.*?</style>", html_of(kind))
    assert len(styles) == len(set(styles)) == (2 if kind == "frames" else 1)
    course.setup()
    assert "<style>" not in html_of(kind)


def test_setup_shows_all_of_it_each_time_it_is_called():
    for _ in range(2):
        html = course.setup()._repr_html_()
        assert (html.count("<style>"), html.count("<script>")) == (4, 2)
    assert "<script>" not in html_of("question")


def test_setup_shows_arrays_with_four_decimals_and_scalars_as_plain_numbers():
    course.setup()
    assert (str(np.array([1e-9, 1 / 3])), repr(np.float64(0.5))) == ("[0.     0.3333]", "0.5")


def test_what_setup_does_not_show_still_comes_along():
    course.setup()
    assert plot.architecture()._repr_html_().count("<style>") == 1


def test_a_style_tag_holds_the_rules_and_no_comment():
    assert (
        style.STYLE.count("{")
        == (style.ASSETS / "course.css").read_text(encoding="utf-8").count("{")
        > 20
    )
    assert "/*" not in style.STYLE and "\n" not in style.STYLE


@pytest.mark.parametrize("name, color", {"p": POSITIVE, "n": NEGATIVE}.items())
def test_tables_have_the_colors_of_the_drawings(name, color):
    red, green, blue = color
    assert f".tl-{name} {{background: rgb({red} {green} {blue} / var(--a));}}" in TABLE_STYLE


def test_shares_have_the_color_of_weights_in_light_and_in_the_dark():
    declared = re.findall(r"--tl-share: (\d+) (\d+) (\d+);", TABLE_STYLE)
    assert [tuple(map(int, color)) for color in declared] == [WEIGHT, WEIGHT_IN_THE_DARK]
    assert ".tl-w {background: rgb(var(--tl-share) / var(--a));}" in TABLE_STYLE
