"""The numbers in the built pages are those stored in the notebooks."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from book import toc
from book.paths import ROOT, html_folder

WIDGET = "application/vnd.jupyter.widget-view+json"
TEXTS = ("text/plain", "text/markdown", "text/html")
DIFFERS = "nbval-ignore-output"  # times, and what differs between kinds of processor
HIDDEN = {"remove-cell", "remove-output", "remove_cell", "remove_output"}
NOTEBOOKS = toc.notebooks()

Output = dict[str, Any]


@pytest.fixture(params=NOTEBOOKS, ids=lambda path: path.stem)
def notebook(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def outputs(path: Path, shown_only: bool = False) -> list[Output]:
    """The outputs of all code cells that are the same at every run, in order."""
    cells = json.loads(path.read_text())["cells"]
    cells = [cell for cell in cells if DIFFERS not in cell["metadata"].get("tags", [])]
    if shown_only:
        cells = [cell for cell in cells if not HIDDEN & set(cell["metadata"].get("tags", []))]
    return [output for cell in cells for output in cell.get("outputs", [])]


def texts(output: Output) -> dict[str, str]:
    """What an output says, by kind: the same for a stored and a built one."""
    if output["output_type"] == "stream":
        return {output["name"]: "".join(output["text"])}
    data = output.get("data", {})
    return {kind: "".join(data[kind]) for kind in TEXTS if kind in data}


def built(path: Path) -> Path:
    """The notebook as the build executed it."""
    return ROOT / "_build" / "jupyter_execute" / path.relative_to(ROOT)


def test_executed_texts_are_those_stored(notebook: Path) -> None:
    stored = [texts(output) for output in outputs(notebook)]
    assert stored == [texts(output) for output in outputs(built(notebook))]


def shown_in_page(path: Path) -> list[Tag]:
    page = html_folder() / path.relative_to(ROOT).with_suffix(".html")
    soup = BeautifulSoup(page.read_text(), "html.parser")
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
        return words(html_text(said["text/html"]))
    if any(kind.startswith("image/") for kind in data) or "text/markdown" in said:
        return None
    return words(said.get("text/plain", ""))


def html_text(html: str) -> str:
    soup = BeautifulSoup(html, "html.parser")
    for hidden in soup(["style", "script"]):
        hidden.decompose()
    return soup.get_text()


def test_page_shows_the_stored_texts(notebook: Path) -> None:
    stored = outputs(notebook, shown_only=True)
    shown = shown_in_page(notebook)
    assert len(stored) == len(shown)
    for output, element in zip(stored, shown, strict=True):
        is_widget = WIDGET in str(element)
        if not is_widget and visible(output) is not None:
            assert words(html_text(str(element))) == visible(output)


def numbers(text: str) -> list[str]:
    return re.findall(r"\d+\.\d+", text)


def test_numbers_of_markdown_outputs_are_in_the_page(notebook: Path) -> None:
    stored = outputs(notebook, shown_only=True)
    for output, element in zip(stored, shown_in_page(notebook), strict=True):
        if "text/markdown" in texts(output) and "text/html" not in texts(output):
            assert numbers(element.get_text()) == numbers(texts(output)["text/markdown"])
