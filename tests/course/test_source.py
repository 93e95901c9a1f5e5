"""The code that a page shows is that of the library, without what only a tool reads."""

import json
import re

import pytest

from book import toc
from course import source
from transformer_lib.formulas.softmax import softmax
from transformer_lib.plot.markup import Markup, plain
from transformer_lib.training import settings


class Twice:
    """Doubles."""

    def forward(self, x: int) -> int:
        """Return twice x.

        >>> 1 < 2
        True
        """
        y = x + x  # type: ignore[operator]
        return y  # twice


def test_a_method_loses_its_indent_docstring_and_remarks_to_the_type_checker():
    code = "def forward(self, x: int) -> int:\n    y = x + x\n    return y  # twice"
    assert source(Twice.forward).text == code


def test_a_class_loses_every_docstring():
    assert '"""' not in source(Twice).text
    assert source(Twice).text.startswith("class Twice:\n    def forward")


def test_several_functions_stand_below_each_other():
    text = source(settings.warm_up_rate, softmax).text
    first, second = source(settings.warm_up_rate).text, source(softmax).text
    assert text == f"{first}\n\n\n{second}"


def test_what_is_shown_runs():
    names = dict(vars(settings))
    exec(source(settings.warm_up_rate).text, names)
    assert names["warm_up_rate"](16, d_model=4, warm_up=4) == 0.125


def test_the_html_shows_the_same_code_in_colors():
    shown = source(Twice.forward)
    assert isinstance(shown, Markup)
    assert plain(shown.html).strip() == shown.text
    assert re.search(r'<div class="highlight"><pre>.*<span class="k">def</span>', shown.html)


@pytest.mark.parametrize("functions", [(), (len,), (3,), (softmax, "softmax")])
def test_what_has_no_code_is_refused(functions):
    with pytest.raises(ValueError, match="functions must"):
        source(*functions)


def test_what_the_chapters_show_fits_their_column() -> None:
    """The page shows the lines of the library's own file, so they must be short there."""
    shown = [
        line
        for path in toc.chapters()
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
        if "course.source(" in "".join(cell["source"])
        for output in cell["outputs"]
        for line in "".join(output["data"]["text/plain"]).splitlines()
    ]
    assert len(shown) > 30
    assert [line for line in shown if len(line) > 78] == []
