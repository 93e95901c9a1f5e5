"""What is done to the pages after Sphinx: formulas, names, order, what runs and what may, icons."""

import re
from pathlib import Path

from book import icons, mathml, names, page_cells, policy, toc, without_script
from book.paths import ROOT, html_folder

_ABOVE = re.compile(
    r'(<article class="bd-article">\s*)(<div class="cell .*?)(<section\b[^>]*>\s*<h1>.*?</h1>)',
    re.DOTALL,
)


def finish(root: Path = ROOT) -> int:
    """Mend every page of the built book in its place; how many there are.

    Raises:
        SystemExit: when a formula cannot be read.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in written(html_folder(root))}
    made = mathml.convert((f for page in pages.values() for f in mathml.formulas(page)), root)
    running, handlers = toc.notebooks(root), policy.found(pages.values())
    for path, page in pages.items():
        mended = with_room(title_first(names.mend(mathml.put(page, made))))
        mended = without_script.say(mended)
        source = root / path.relative_to(html_folder(root)).with_suffix(".ipynb")
        if source in running:
            mended = count(mended, *page_cells.seen(source))
        path.write_text(policy.allow(mended, handlers), encoding="utf-8")
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
    if '<div class="cell ' not in page:
        return page
    return without_script.below_title(page, '<div class="tl-live-room"></div>')


def written(html: Path) -> list[Path]:
    """The pages of a built book, without what its theme brings along."""
    found = (path for path in html.rglob("*.html") if "_static" not in path.parts)
    return sorted(found)
