"""The numbers in the built pages are those stored in the notebooks."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, NavigableString, SoupStrainer, Tag
from bs4.element import TemplateString

from book import build, toc
from book.paths import ROOT, html_folder
from book.text import prose
from book.text.shown_cells import tags

DIFFERS = "nbval-ignore-output"
TEXTS = ("text/plain", "text/markdown", "text/html")
WIDGET = "application/vnd.jupyter.widget-view+json"
CELLS = SoupStrainer("div", class_=re.compile(r"^cell "))
CODE = re.compile(r'(class="cell_input [^>]*>)\s*<div.*?</pre>\s*</div>\s*</div>', re.DOTALL)
"""The code of a cell as a page shows it, most of its tags, and none of what is compared."""

HIDDEN = {"style", "script"}
SAID = (NavigableString, TemplateString)
"""All text but that of styles and scripts: a frame that is not shown yet is a template."""

LEFT_OUT = {DIFFERS, "remove-cell", "remove-output", "remove_cell", "remove_output"}

Output = dict[str, Any]


def outputs(path: Path) -> list[Output]:
    """The outputs of all code cells that are shown and the same at every run, in order."""
    cells = [cell for cell in prose.read(path)["cells"] if not LEFT_OUT & tags(cell)]
    return [output for cell in cells for output in cell.get("outputs", [])]


def texts(output: Output) -> dict[str, str]:
    """What an output says, by kind."""
    if output["output_type"] == "stream":
        return {output["name"]: "".join(output["text"])}
    data = output.get("data", {})
    return {kind: "".join(data[kind]) for kind in TEXTS if kind in data}


def shown_in_page(path: Path) -> list[Tag]:
    page = html_folder() / path.relative_to(ROOT).with_suffix(".html")
    if not page.exists():
        pytest.skip("there is no book: call make book first")
    soup = BeautifulSoup(
        CODE.sub(r"\1", page.read_text(encoding="utf-8")), "html.parser", parse_only=CELLS
    )
    return [
        each
        for each in soup.select(f"div.cell:not(.tag_{DIFFERS}) div.cell_output > *")
        if each.name != "style"
    ]


def words(text: str) -> str:
    """The text without its white space, which a page may lay out anew."""
    return re.sub(r"\s+", "", text)


def visible(output: Output) -> str | None:
    """The words that an output shows in a page; None where it shows a picture or a widget."""
    said = texts(output)
    for kind in ("stdout", "stderr"):
        if kind in said:
            return words(said[kind])
    data = output.get("data", {})
    if "text/html" in said:
        return words(text_of(said["text/html"]))
    if any(kind.startswith("image/") for kind in data) or "text/markdown" in said:
        return None
    return words(said.get("text/plain", ""))


class Text(HTMLParser):
    """What HTML says, without a tree of its tags, which takes longer to build than to read."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []

    def handle_data(self, data: str) -> None:
        if self.cdata_elem not in HIDDEN:
            self.said.append(data)


def text_of(html: str) -> str:
    """The text of stored HTML, without what is none."""
    reader = Text()
    reader.feed(html)
    reader.close()
    return "".join(reader.said)


def numbers(text: str) -> list[str]:
    return re.findall(r"\d+\.\d+", text)


@pytest.mark.parametrize("notebook", toc.notebooks(), ids=lambda path: path.stem)
def test_page_shows_the_stored_texts_and_the_numbers_of_markdown(notebook: Path) -> None:
    for output, element in zip(outputs(notebook), shown_in_page(notebook), strict=True):
        is_widget = WIDGET in output.get("data", {}) and WIDGET in str(element)
        if not is_widget and visible(output) is not None:
            assert words(element.get_text(types=SAID)) == visible(output)
        if "text/markdown" in texts(output) and "text/html" not in texts(output):
            assert numbers(element.get_text()) == numbers(texts(output)["text/markdown"])


@pytest.mark.parametrize("reason", ["", 'six.whl could not be "fetched"'])
def test_the_last_words_say_why_pages_do_not_run(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    reason: str,
) -> None:
    vendor = tmp_path / "assets" / "vendor"
    vendor.mkdir(parents=True)
    written = {"wheels.ensure": reason, "course_zip.write": None, "page_cells.write": None}
    for name, gives in written.items():
        monkeypatch.setattr(f"book.build.{name}", lambda *_, gives=gives: gives)
    monkeypatch.setattr(build, "build", lambda root: build.put_runtime(root) is None)
    assert build.main([str(tmp_path)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith(reason or "then each page runs its code, too.")
