"""What is done to the pages after Sphinx: formulas, styles, what runs and what may, icons."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from book import toc
from book.html import address, code, icons, lecture, listing, mathml, policy
from book.live import page_cells
from book.paths import ROOT, html_folder

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
_MENDS = {
    # The page that leads to the first one has no head.
    r'\A(<meta http-equiv="Refresh" content="0; url=([^"]+)" />)\s*\Z': (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>The Worked Transformer'
        r'</title><meta name="color-scheme" content="light dark">'
        r'<link rel="icon" href="_static/favicon.svg">\1</head>'
        r'<body><a href="\2">The first page</a></body></html>'
    ),
    # The triangle beside a chapter has no name.
    r'(<a class="[^"]*" href="[^"]*">([^<]*)</a><details[^>]*>)<summary>': (
        r'\1<summary aria-label="Pages below \2">'
    ),
    # The letter of an icon has no sound, and what it shows has a name of its own.
    r'<(i|span) class="(fa[srb]? |fa-(?:solid|regular|brands) )(?![^>]*aria-hidden)': (
        r'<\1 aria-hidden="true" class="\2'
    ),
    # One quiet word marks a section that may be left out.
    r"(<h2>|<a [^>]*nav-link[^>]*>\s*)(Optional: )": r'\1<small class="tl-optional">\2</small>',
    # A cell that heads nothing is none of the heads.
    r"<th\b[^>]*>(?:\s|</?[bp]>)*</th>": "<td></td>",
    # A browser that translates a page leaves code, tokens, numbers and drawings as they are.
    r'<(?=(?:table|div) class="tl-(?:table|matrix|tokens|arch)\b|div class="cell_input\b'
    r"|svg\b|(?:pre|code)>)(\w+)": r'<\1 translate="no"',
    # Or a line breaks between a formula and the full stop behind it.
    r'(<span class="math notranslate nohighlight"><math\b(?:(?!</math>).)*</math></span>)'
    r"([.,;:?!)”’]+)": r'<span class="tl-kept">\1\2</span>',
}
"""What no template sees as a whole, and what stands there instead."""


def finish(root: Path = ROOT) -> int:
    """Mend every page of the built book in its place; how many there are.

    Raises:
        SystemExit: when a formula cannot be read.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in written(html_folder(root))}
    made = mathml.convert((f for page in pages.values() for f in mathml.formulas(page)), root)
    running, exercises = toc.notebooks(root), toc.exercises(root)
    handlers = policy.found(pages.values())
    published = address.read(os.environ.get(address.VARIABLE, ""))
    host = "/".join(published.split("/")[:3])
    for path, page in pages.items():
        page = page if mathml.formulas(page) else without_mathjax(page)
        mended = own_styles(code.hang(mend(mathml.put(page, made))))
        source = root / path.relative_to(html_folder(root)).with_suffix(".ipynb")
        if source in running:
            mended = name_torch(mended, page_cells.seen(source))
        if source in exercises:  # here and not by a script, after which its code would wrap anew
            mended = mended.replace('"bd-article"', '"bd-article tl-exercise"', 1)
        framed = host if 'id="flow-root"' in page else ""  # others show it in frames
        path.write_text(policy.allow(deferred(mended), handlers, framed), encoding="utf-8")
    if published:
        address.finish(html_folder(root), published)
    icons.drop_unused(html_folder(root), pages.values())
    lecture.join(html_folder(root) / "_static/present")
    listing.write(html_folder(root))
    return len(pages)


def mend(page: str) -> str:
    """The page with every fault mended that `_MENDS` knows; most are in `_templates`.

    >>> mend('<a class="a" href="b">Heads</a><details><summary>v</summary>')
    '<a class="a" href="b">Heads</a><details><summary aria-label="Pages below Heads">v</summary>'
    """
    for pattern, instead in _MENDS.items():
        page = re.sub(pattern, instead, page)
    return page


def name_torch(page: str, needs: Sequence[bool]) -> str:
    """The page with a note for its bars: the places, from 0, of the cells that need torch."""
    places = " ".join(str(at) for at, torch in enumerate(needs) if torch)
    return page.replace("<article ", f'<article data-torch="{places}" ', 1)


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
