"""The self-test of the warm-up sends each wrong answer to a section of the page that helps."""

import html
import json
import re

import pytest

from book.paths import ROOT
from book.text import prose

NOTEBOOK = prose.read(ROOT / "chapters" / "00_warm_up.ipynb")
TEXT = "\n".join(passage.text for passage in prose.passages(NOTEBOOK))
SECTIONS = [re.sub(r"\W+", "-", title.lower()) for title in re.findall(r"^## (.+)", TEXT, re.M)]
ASKED = {cell["id"]: cell for cell in NOTEBOOK["cells"] if cell["id"].startswith("self-")}
LINK = re.compile(r'<a href="#([^"]+)">')


def wrong_answers(page: str) -> list[str]:
    """What is said of each wrong answer of one question."""
    choices = re.findall(r'data-verdict="wrong".*?class="tl-feedback"[^>]*>(.*?)</div>', page)
    number = re.search(r'data-wrong="([^"]*)" data-mistakes="([^"]*)"', page)
    if not number:
        return choices
    mistakes = json.loads(html.unescape(number[2]))
    return [html.unescape(number[1]), *(said for _, said in mistakes)]


QUESTIONS = [id for id, cell in ASKED.items() if cell["cell_type"] == "code"]


@pytest.mark.parametrize("id", QUESTIONS)
def test_each_wrong_answer_leads_to_a_section(id: str) -> None:
    said = wrong_answers("".join(ASKED[id]["outputs"][0]["data"]["text/html"]))
    assert len(said) >= 2
    for each in said:
        (anchor,) = LINK.findall(each)
        assert anchor in SECTIONS, each


def test_the_self_test_asks_for_each_section_before_it_is_taught() -> None:
    ids = [cell["id"] for cell in NOTEBOOK["cells"]]
    first = next(c["id"] for c in NOTEBOOK["cells"] if "## Dot product" in "".join(c["source"]))
    assert len(QUESTIONS) == 8 and all(ids.index(id) < ids.index(first) for id in ASKED)
    named = set(LINK.findall("".join("".join(ASKED[id]["source"]) for id in QUESTIONS)))
    taught = SECTIONS[SECTIONS.index("dot-product") : SECTIONS.index("rounding-and-cutting") + 1]
    assert named == set(taught)
