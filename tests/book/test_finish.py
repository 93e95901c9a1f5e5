"""What is done to a page after Sphinx: formulas become MathML, and what has no name gets one."""

import re
from pathlib import Path

import pytest
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader

from book.html import icons, mathml, policy
from book.html.finish import (
    deferred,
    mend,
    name_torch,
    own_styles,
    without_mathjax,
    written,
)
from book.html.mathml import Formula
from book.paths import ROOT

MATH = '<span class="math notranslate nohighlight"><math><mi>d</mi></math></span>'
INLINE = '<span class="math notranslate nohighlight">\\({}\\)</span>'
BLOCK = '<div class="math notranslate nohighlight" id="e">\n\\[{}\\]</div>'


def test_a_formula_of_each_kind_is_converted_in_its_place() -> None:
    page = "<p>" + INLINE.format("a &lt; b") + " and</p>" + BLOCK.format(r"\frac12")
    found = mathml.formulas(page)
    assert found == [Formula("a < b", False), Formula(r"\frac12", True)]
    made = mathml.put(page, mathml.convert(found))
    assert "<math><mi>a</mi><mo>&lt;</mo><mi>b</mi></math></span> and</p>" in made
    assert '<div class="math notranslate nohighlight" id="e"><math display="block"><mfrac>' in made


def test_the_macros_of_the_book_are_expanded() -> None:
    formula = Formula(r"\textcolor{query}{Q} K^\top", False)
    made = mathml.convert([formula])[formula]
    assert '<mi class="tl-role-query">Q</mi>' in made
    assert '<mi mathvariant="sans-serif">T</mi>' in made


@pytest.mark.parametrize("tex", [r"\unheardof{x}", r"\frac{1"])
def test_a_formula_that_cannot_be_read_stops_the_build(tex: str) -> None:
    with pytest.raises(SystemExit, match="MathJax cannot read the formula"):
        mathml.convert([Formula(tex, False)])


@pytest.mark.parametrize(
    ("page", "mended"),
    [
        ('<th class="head"><p></p></th>', "<td></td>"),
        ('<th class="head"><p>x</p></th>', '<th class="head"><p>x</p></th>'),
        ('<table class="tl-table tl-math">', '<table translate="no" class="tl-table tl-math">'),
        ('<table class="table"><svg id="a">', '<table class="table"><svg translate="no" id="a">'),
        (f"{MATH}. A", f'<span class="tl-kept">{MATH}.</span> A'),
        (f"{MATH} and {MATH}&amp;", f"{MATH} and {MATH}&amp;"),
    ],
)
def test_what_has_no_name_or_a_wrong_one_is_mended(page: str, mended: str) -> None:
    assert mend(page) == mended


def framed(body: str) -> str:
    """A body as the frame of all pages has it."""
    frame = DictLoader({"!layout.html": "{% block content %}{{ body }}{% endblock %}"})
    loader = ChoiceLoader([frame, FileSystemLoader(ROOT / "_templates")])
    return Environment(loader=loader).get_template("layout.html").render(body=body).strip()


@pytest.mark.parametrize(
    ("page", "mended"),
    [
        ('<summary aria-label="Toggle hidden content">', "<summary>"),
        (
            '<div id="pst-primary-sidebar" class="bd-sidebar-primary bd-sidebar">',
            '<div id="pst-primary-sidebar" role="navigation" aria-label="Book" '
            'class="bd-sidebar-primary bd-sidebar">',
        ),
        (
            '<div class="citation" id="a" role="doc-biblioentry">',
            '<div class="citation" id="a" role="listitem">',
        ),
    ],
)
def test_the_frame_of_a_page_mends_what_it_holds(page: str, mended: str) -> None:
    assert framed(page) == mended


def test_a_page_says_what_it_needs_scripts_for() -> None:
    title = '<section id="a"><h1>T</h1>'
    shown = '<div class="tl-frames"></div><fieldset class="tl-question">'
    line = "Scripts are off: this page needs them to judge answers and move its pictures."
    note = f'<noscript><p class="tl-noscript">{line}</p></noscript>'
    assert framed(title + shown) == title + note + shown
    assert framed(title) == title


def test_the_cell_of_an_id_and_the_place_of_the_bar_are_below_the_title() -> None:
    cell, title = '<div class="cell docutils">id</div>\n', '<section id="a">\n<h1>T</h1>'
    room = '<div class="tl-live-room"></div>'
    assert framed(cell + title + "<p>") == title + room + cell + "<p>"
    assert framed("<i></i>" + title + "<p>") == "<i></i>" + title + "<p>"


def test_the_pages_of_a_folder_are_those_of_no_theme(tmp_path: Path) -> None:
    for name in ("index.html", "chapters/a.html", "_static/macros.html"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = [path.relative_to(tmp_path).as_posix() for path in written(tmp_path)]
    assert found == ["chapters/a.html", "index.html"]


def test_a_page_knows_which_of_its_cells_need_torch() -> None:
    page = '<main><article class="bd-article">'
    assert name_torch(page, [True, False, True]) == (
        '<main><article data-torch="0 2" class="bd-article">'
    )


def test_a_policy_allows_the_scripts_of_the_build_and_no_others() -> None:
    page = '<meta charset="utf-8"/><script>let a;</script><script src="b.js"></script>'
    held = policy.allow(page, policy.found(['<p onclick="p()">', '<a onclick="f(&quot;&quot;)">']))
    meta = '<meta charset="utf-8"/><meta http-equiv="Content-Security-Policy" content="'
    assert held.startswith(meta)
    rules = dict(each.split(" ", 1) for each in held[len(meta) :].split('"')[0].split("; "))
    hashes = {f"'sha256-{policy.digest(code)}'" for code in ("let a;", "p()", 'f("")')}
    allowed = {"'self'", "'wasm-unsafe-eval'", "'unsafe-hashes'"}
    assert set(rules["script-src"].split()) == allowed | hashes
    assert rules["default-src"] == "'self'"


def test_a_page_in_a_sandbox_may_load_what_its_host_has() -> None:
    page = policy.allow('<head><meta charset="utf-8"></head>', host="https://host.example")
    rules = page.split('content="')[1].split('"')[0].split("; ")
    mine = [each.split(" ", 1)[1] for each in rules if "'self'" in each]
    assert len(mine) == 7 and all(each.startswith("'self' https://host.example") for each in mine)
    assert "host.example" not in policy.allow('<head><meta charset="utf-8"></head>')


def test_a_page_with_a_policy_asks_for_its_scripts_at_once() -> None:
    head = '<head><title>T</title><script src="a.js"></script><script defer src="c.js"></script>'
    page = head + '<script data-x="1" src="b.js?v=2"></script></head><script src="d.js"></script>'
    asked = re.findall(r'<link rel="preload" as="script" href="([^"]+)">', policy.allow(page))
    assert asked == ["a.js", "b.js?v=2"]


def test_the_style_sheets_of_a_text_come_before_anything_is_painted() -> None:
    own = '<link rel="stylesheet" href="_static/flow/flow.css">'
    page = '<head>{}</head><body><link rel="x" href="b">{}</body>'
    assert own_styles(page.format("<title>T</title>", own)) == page.format(
        f"<title>T</title>{own}", ""
    )


def test_a_page_without_formulas_loads_no_mathjax() -> None:
    scripts = """<script>window.MathJax = {"tex": {}}</script>
    <script defer="defer" src="_static/vendor/mathjax/tex-mml-chtml.js?v=1"></script>
    """
    assert without_mathjax(f"<a>{scripts}<b>") == "<a><b>"


def test_a_style_sheet_keeps_the_icons_that_are_shown() -> None:
    shown = r'.fa-a:before,.fa-b:before{content:"\f001"}'
    style = shown + r'.fa-c:before{content:"\f002"}.fa{content:"\f003"}p{}'
    assert icons.without_unused(style, {"fa-b"}) == shown + r'.fa{content:"\f003"}p{}'


def test_a_page_is_painted_before_the_scripts_that_wait_for_it() -> None:
    page = '<script>let a;</script><script data-a="b" src="_static/{}.js?v=1"></script>'
    assert 'script defer data-a="b"' in deferred(page.format("design-tabs"))
    assert deferred('<script src="searchindex.js">') == '<script defer src="searchindex.js">'
    for name in ("documentation_options", "parts"):  # which is called before, which is part of it
        assert deferred(page.format(name)) == page.format(name)
