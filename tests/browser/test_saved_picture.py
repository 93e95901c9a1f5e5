"""The front page's picture as a file: plain marks and text, which hold all that the page shows."""

import json
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from book import preview
from course.small_decoder import start
from course.small_flow import picture
from transformer_lib import Vocabulary

TEXTS = "{http://www.w3.org/2000/svg}text"
DRAWN = "(root) => new XMLSerializer().serializeToString(tlFlow.drawPicture(root))"
SAVED = "(root) => { tlFlow.savePicture(root, 'png', 'sentence'); }"
# A drawing is measured where it has no style of the page: in a shadow.
OUTSIDE = """(root) => {
  const host = document.body.appendChild(document.createElement("div"));
  const svg = host.attachShadow({ mode: "open" }).appendChild(tlFlow.drawPicture(root));
  const texts = [...svg.querySelectorAll("text")];
  const found = texts.filter((text) => {
    const box = text.getBoundingClientRect(), all = svg.getBoundingClientRect();
    return box.left < all.left || box.right > all.right || box.top < all.top
      || box.bottom > all.bottom;
  }).map((text) => text.textContent);
  host.remove();
  return found;
}"""
LONG = "the cats who ate the blackberry and went to the store and ate the blackberries and " * 2
WORDS = ["достопримечательности", "переосвидетельствовавшимися", "я"]
FOREIGN = """(root, words) => {
  document.querySelectorAll(".flow-words span, .flow-keys text, .flow-bars li:not(:last-child) b")
    .forEach((each, k) => { each.textContent = words[k % words.length]; });
  document.getElementById("flow-sentence").textContent = words.join(" ");
}"""
CANONICAL = """(href) => {
  document.querySelector("[rel=canonical]")?.remove();
  document.head.append(Object.assign(document.createElement("link"), { rel: "canonical", href }));
}"""
LOADED = "performance.getEntriesByType('resource').map((each) => each.name)"


@pytest.fixture(scope="module")
def front(second_tab: Page, site: str) -> Iterator[Page]:
    """The front page on a phone, where its stages have another order."""
    second_tab.set_viewport_size({"width": 390, "height": 900})
    second_tab.emulate_media(color_scheme="light")
    second_tab.goto(f"{site}/intro.html")
    expect(second_tab.locator(".flow-live")).to_be_visible()
    # A first visit loads nothing that draws a file or stands in a frame.
    assert not re.search("flow/(picture|frame|embed)", json.dumps(second_tab.evaluate(LOADED)))
    second_tab.add_script_tag(url=f"{site}/_static/flow/picture.js")
    yield second_tab


@pytest.fixture
def page(front: Page) -> Page:
    """The same, with its first sentence and no silent head."""
    restore = front.get_by_role("button", name="Restore")
    front.locator("#flow-sentence").fill("the chefs who went to the store")
    if restore.count():
        restore.click()
    return front


def drawn(page: Page, root: str = "#flow-root") -> ElementTree.Element:
    return ElementTree.fromstring(page.locator(root).evaluate(DRAWN))


def texts(svg: ElementTree.Element) -> list[str]:
    return ["".join(each.itertext()) for each in svg.iter(TEXTS)]


def test_a_drawing_is_plain_and_names_the_book(page: Page) -> None:
    svg = drawn(page)
    assert (svg.get("width"), svg.get("height")) == ("1260", "660")
    names = {each.tag.rpartition("}")[2] for each in svg.iter()}
    assert names == {"svg", "title", "rect", "g", "path", "circle", "marker", "text", "tspan"}
    kinds = {key for each in svg.iter() for key in each.attrib}
    assert not {key for key in kinds if key in ("class", "style") or "href" in key or ":" in key}
    assert [each.get("id") for each in svg.iter() if each.get("id")] == ["tip"]
    ends = [end for each in svg.iter() if (end := each.get("marker-end"))]
    assert ends == ["url(#tip)"]
    values = " ".join(value for each in svg.iter() for value in each.attrib.values())
    assert not re.search(r"rgb|color\(|var\(|https?:|url\((?!#tip)", values)
    assert texts(svg)[-1] == "The Worked Transformer"  # and no address of this machine


def test_a_drawing_says_what_the_page_says(page: Page) -> None:
    page.get_by_role("button", name="Silence head 3 of layer 2").click()
    said = texts(drawn(page))
    assert said[0] == "the chefs who went to the store islikeliest verb 0.25"
    assert " ".join(said[1:3]) == page.locator("#flow-say").inner_text()
    stages = [text for text in said if text[:1] in "12345" and text[1:2] == " "]
    assert [text[2:] for text in stages] == [
        "Words", "Vectors", "Attentionhead 3 of layer 2, silent", "Stream", "Next word"
    ]  # fmt: skip
    bars = page.locator(".flow-bars b, .flow-bars small").all_text_contents()
    assert said[-1 - len(bars) : -1] == bars
    weights = page.locator(".flow-shares text").all_text_contents()
    assert ",".join(weights) in ",".join(said)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_drawing_has_the_colors_of_the_page(page: Page, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=theme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)")
    found = drawn(page)[1].get("fill")
    page.emulate_media(color_scheme="light")
    assert found == "#" + "".join(f"{int(part):02x}" for part in paper[:3])


def test_no_text_runs_over_the_edge(page: Page) -> None:
    root, field = page.locator("#flow-root"), page.locator("#flow-sentence")
    assert root.evaluate(OUTSIDE) == []
    page.get_by_role("button", name="Silence").click()
    assert root.evaluate(OUTSIDE) == []
    sentence = " ".join(LONG.split()[:23])
    field.fill(sentence)
    assert " ".join(texts(drawn(page))[:2]).startswith(sentence)  # on two lines
    assert root.evaluate(OUTSIDE) == []
    field.fill("the cats")
    root.evaluate(FOREIGN, WORDS)
    assert root.evaluate(OUTSIDE) == []
    assert WORDS[1] in texts(drawn(page))


def test_a_refused_word_leaves_the_sentence_before(page: Page) -> None:
    page.locator("#flow-sentence").fill("the zebra ")
    assert texts(drawn(page))[:2] == ["the chefs who went to the store are", "1 Words"]


def test_a_published_book_has_its_address_in_the_drawing(page: Page) -> None:
    for address in ("http://192.168.0.7/intro.html", "http://localhost:8000/intro.html"):
        page.evaluate(CANONICAL, address)
        assert texts(drawn(page))[-1] == "The Worked Transformer"
    page.evaluate(CANONICAL, "https://host.example/course/intro.html")
    assert texts(drawn(page))[-1] == "host.example/course/intro.html"
    page.locator("[rel=canonical]").evaluate("(link) => link.remove()")


def test_a_model_of_one_layer_has_three_points(page: Page) -> None:
    words = Vocabulary("the cat cats sleeps sleep here now".split())
    html = picture(start(np.random.default_rng(1), len(words.tokens)), words, "the cat").html
    page.evaluate("(html) => { document.body.insertAdjacentHTML('beforeend', html); }", html)
    said = texts(drawn(page, ".flow-still"))
    page.locator(".flow-still").evaluate("(flow) => flow.remove()")
    assert said.count("layer 1") == 2 and "layer 2" not in said and "<s>" in said


def test_a_picture_is_saved_as_a_file(page: Page) -> None:
    with page.expect_download() as saved:
        page.locator("#flow-root").evaluate(SAVED)
    assert saved.value.suggested_filename == "worked-transformer-sentence.png"
    head = saved.value.path().read_bytes()[:24]
    assert head[1:4] == b"PNG" and list(np.frombuffer(head[16:24], ">u4")) == [2520, 1320]


def test_the_stored_preview_shows_the_front_page(fresh: Page, site: str) -> None:
    assert preview.draw(fresh, site).split() == preview.stored().split(), (
        "the front page says something else than the preview of a link: python -m book.preview"
    )
