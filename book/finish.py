"""What is done to the pages after Sphinx: formulas, names, what runs and what may, icons."""

from pathlib import Path

from book import icons, mathml, names, page_cells, policy, toc, without_script
from book.paths import ROOT, html_folder


def finish(root: Path = ROOT) -> int:
    """Mend every page of the built book in its place; how many there are.

    Raises:
        SystemExit: when a formula cannot be read.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in written(html_folder(root))}
    made = mathml.convert((f for page in pages.values() for f in mathml.formulas(page)), root)
    running, handlers = toc.notebooks(root), policy.found(pages.values())
    for path, page in pages.items():
        mended = without_script.say(names.mend(mathml.put(page, made)))
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


def written(html: Path) -> list[Path]:
    """The pages of a built book, without what its theme brings along."""
    found = (path for path in html.rglob("*.html") if "_static" not in path.parts)
    return sorted(found)
