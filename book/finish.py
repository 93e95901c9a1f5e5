"""What is done to the pages after Sphinx: formulas, names, order, what runs and what may, icons."""

import re
from pathlib import Path

from book import icons, mathml, names, page_cells, policy, toc, without_script
from book.paths import ROOT, html_folder

_ABOVE = re.compile(
    r'(<article class="bd-article">\s*)(<div class="cell .*?)(<section\b[^>]*>\s*<h1>.*?</h1>)',
    re.DOTALL,
)
FLOW = 'class="tl-flow"'
_MATHJAX = re.compile(
    r"<script>window\.MathJax = .*?</script>\s*<script[^>]*/mathjax/[^>]*></script>\s*"
)
_WAITS = re.compile(
    r'<script (?=[^>]*[/"](?:doctools|sphinx_highlight|clipboard\.min|copybutton|togglebutton'
    r"|sphinx-book-theme|design-tabs|searchtools|language_data|searchindex)\.js)"
)
"""Scripts that do nothing before the page is there; a browser keeps their order."""

_OWN = re.compile(r'<link rel="stylesheet"[^>]*>')
_SCRIPT = re.compile(r"<script[^>]* src=")
_STYLE = re.compile(r'href="([^"]*_static/)type\.css')
_FACE = """<script>
const tlFace = Object.assign(document.createElement("link"), {
  rel: "preload", as: "font", type: "font/woff2", crossOrigin: "",
  href: "%svendor/fonts/source-serif-4-latin-wght-normal.woff2",
});
if (location.protocol !== "file:") document.head.append(tlFace); // a browser would refuse it
</script>"""


def finish(root: Path = ROOT) -> int:
    """Mend every page of the built book in its place; how many there are.

    Raises:
        SystemExit: when a formula cannot be read.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in written(html_folder(root))}
    made = mathml.convert((f for page in pages.values() for f in mathml.formulas(page)), root)
    running, exercises = toc.notebooks(root), toc.exercises(root)
    handlers = policy.found(pages.values())
    for path, page in pages.items():
        page = page if mathml.formulas(page) else without_mathjax(page)
        mended = with_face(with_room(title_first(names.mend(mathml.put(page, made)))))
        mended = with_width(own_styles(without_script.say(mended)))
        source = root / path.relative_to(html_folder(root)).with_suffix(".ipynb")
        if source in running:
            mended = count(mended, *page_cells.seen(source))
        if source in exercises:  # here and not by a script, after which its code would wrap anew
            mended = mended.replace('"bd-article"', '"bd-article tl-exercise"', 1)
        path.write_text(policy.allow(deferred(mended), handlers), encoding="utf-8")
    icons.drop_unused(html_folder(root), pages.values())
    return len(pages)


def count(page: str, runs: int, cells: int) -> str:
    """The page with a note for its bar: how many of the cells that it shows run in a browser."""
    note = f'<article data-runs="{runs}" data-cells="{cells}" '
    return page.replace("<article ", note, 1)


def title_first(page: str) -> str:
    """The page with the cells that stand above its title below it, as an exercise has one.

    >>> title_first('<article class="bd-article"><div class="cell a">1</div><section><h1>T</h1>')
    '<article class="bd-article"><section><h1>T</h1><div class="cell a">1</div>'
    """
    return _ABOVE.sub(r"\1\3\2", page, count=1)


def with_room(page: str) -> str:
    """The page with a place for its bar, where it has cells, so that nothing moves when that comes.

    >>> with_room('<article><h1>T</h1><div class="cell a">1</div>')
    '<article><h1>T</h1><div class="tl-live-room"></div><div class="cell a">1</div>'
    """
    if '<div class="cell ' not in page or FLOW in page:
        return page
    return without_script.below_title(page, '<div class="tl-live-room"></div>')


def with_width(page: str) -> str:
    """The page with its side bar closed, where the flow needs the width; a button opens that.

    Its styles ask for a class of the body, because the flow itself is read after the first paint.

    >>> with_width('<body id="b"><i class="tl-flow">')
    '<body class="tl-front" id="b"><i class="tl-flow">'
    """
    side = "bd-sidebar-primary bd-sidebar"
    if FLOW not in page:
        return page
    page = page.replace("<body ", '<body class="tl-front" ', 1)
    return page.replace(f'{side}"', f'{side} pst-sidebar-hidden"', 1)


def with_face(page: str) -> str:
    """The page with a script that asks for the face of its text before its styles are there.

    Else that comes after the first paint, and where a line breaks elsewhere in it, all below moves.

    >>> print(with_face('<title>T</title><link href="../_static/type.css?v=1">')[-62:])
    </script><title>T</title><link href="../_static/type.css?v=1">
    """
    style = _STYLE.search(page)
    return page.replace("<title>", _FACE % style[1] + "<title>", 1) if style else page


def deferred(page: str) -> str:
    """The page that is painted without waiting for scripts that wait for it themselves.

    >>> deferred('<script src="_static/copybutton.js?v=1"></script>')
    '<script defer src="_static/copybutton.js?v=1"></script>'
    """
    return _WAITS.sub("<script defer ", page)


def own_styles(page: str) -> str:
    """The page with the style sheets that its text names in its head.

    Firefox paints without waiting for one that is in the body. A script stops Chromium until all
    styles above it are there, and only then does it ask for those below.

    >>> own_styles('<head><script src="b"></script></head><p><link rel="stylesheet" href="a">A</p>')
    '<head><link rel="stylesheet" href="a"><script src="b"></script></head><p>A</p>'
    """
    head, end, body = page.partition("</head>")
    first = _SCRIPT.search(head)
    place = first.start() if first else len(head)
    styles = "".join(_OWN.findall(body))
    return head[:place] + styles + head[place:] + end + _OWN.sub("", body)


def without_mathjax(page: str) -> str:
    """A page without formulas, without the script that draws them.

    Sphinx loads it, 270 KB, on the front page, because pages below that one have formulas.
    """
    return _MATHJAX.sub("", page)


def written(html: Path) -> list[Path]:
    """The pages of a built book, without what its theme brings along."""
    found = (path for path in html.rglob("*.html") if "_static" not in path.parts)
    return sorted(found)
