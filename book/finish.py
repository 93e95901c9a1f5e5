"""What is done to the pages after Sphinx: formulas, names, words for no script, icons."""

from pathlib import Path

from book import icons, mathml, names, without_script
from book.paths import ROOT, html_folder


def finish(root: Path = ROOT) -> int:
    """Mend every page of the built book in its place; how many there are.

    Raises:
        SystemExit: when a formula cannot be read.
    """
    pages = {path: path.read_text(encoding="utf-8") for path in written(html_folder(root))}
    made = mathml.convert((f for page in pages.values() for f in mathml.formulas(page)), root)
    for path, page in pages.items():
        mended = names.mend(mathml.put(page, made))
        path.write_text(without_script.say(mended), encoding="utf-8")
    icons.drop_unused(html_folder(root), pages.values())
    return len(pages)


def written(html: Path) -> list[Path]:
    """The pages of a built book, without what its theme brings along."""
    found = (path for path in html.rglob("*.html") if "_static" not in path.parts)
    return sorted(found)
