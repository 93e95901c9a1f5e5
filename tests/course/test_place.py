"""The small drawing at the top of a chapter: its box is lit, and the others lead to their pages."""

import json
import re

import pytest

import course
from book import toc
from book.paths import ROOT
from course.place import PAGES

PLACED = {
    "02_embeddings": "Embedding",
    "03_positional_encoding": "Positions",
    "04_attention": "Self-attention",
    "05_multi_head_attention": "Self-attention",
    "06_masked_attention": "Masked self-attention",
    "07_cross_attention": "Cross-attention",
    "08_feed_forward": "Feed-forward",
    "09_add_and_norm": "Add & norm",
    "11_language_model_head": "Linear",
}
"""The chapters that stand in the drawing, and the box of each."""


@pytest.mark.parametrize("chapter", PLACED)
def test_a_chapter_shows_its_box_above_its_first_section_and_no_code(chapter):
    cells = json.loads((ROOT / f"chapters/{chapter}.ipynb").read_text(encoding="utf-8"))["cells"]
    sources = ["".join(cell["source"]) for cell in cells]
    first = next(i for i, source in enumerate(sources) if source.startswith("## "))
    (here,) = [cell for cell in cells[:first] if "course.here(" in "".join(cell["source"])]
    assert here["metadata"]["tags"] == ["remove-input"]
    assert f'"{PLACED[chapter]}",' in "".join(here["source"])
    shown = "".join(here["outputs"][0]["data"]["text/plain"])
    assert shown.startswith(f"You are here: {PLACED[chapter]}\ngoes in: ")


def test_the_box_is_lit_and_the_others_are_links():
    html = course.here("Feed-forward", "rows", "rows").html
    lit = re.findall(r'<(\w+) class="[^"]*tl-here"', html)
    assert lit == ["div", "div"]  # in the encoder and in the decoder, and no link to itself
    assert "08_feed_forward.html" not in html
    assert html.count('href="09_add_and_norm.html"') == 5
    assert "tl-small" in html


def test_every_box_leads_to_a_page_of_the_book():
    assert {f"chapters/{page}" for page in PAGES.values()} <= set(toc.pages())


def test_what_goes_in_and_out_is_read_with_its_shape():
    shown = course.here("Softmax", "scores, (n, <i>V</i>)", "shares", kind="decoder", place="pre")
    assert "<dd>scores, (n, <i>V</i>)</dd>" in shown.html
    assert shown.text.endswith("goes in: scores, (n, V)\ncomes out: shares")
    assert shown.html.count('href="09_add_and_norm.html"') == 5


def test_a_chapter_on_the_whole_model_lights_nothing_and_links_every_box():
    shown = course.here("", "ids, (n,)", "scores, (n, V)", kind="decoder", place="pre")
    html = re.sub(r"<style>.*?</style>", "", shown.html)
    assert "tl-here" not in html
    assert len(re.findall(r"<a ", html)) == html.count("tl-part")
    assert shown.text.startswith("You are here: the whole model\ngoes in: ids")
