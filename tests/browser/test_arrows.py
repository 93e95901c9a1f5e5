"""Arrows that are turned: the script draws what Python draws, and no name covers another."""

import math
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page

from transformer_lib import plot
from transformer_lib.plot.markup import Markup, tags

KEYS = {"Dragons": [0.8, 1.9], "breathe": [1.8, -0.6], "fire": [-1.4, 0.5]}
VALUES = [[2, 1], [9, 3], [5, 9]]
QUERY = [1.6, 1.2]
DRAWN = """(html) => {
  const box = document.createElement("div");
  box.innerHTML = html;
  return box.innerHTML;
}"""
COLLIDE = """() => [...document.querySelectorAll("svg")].flatMap((svg) => {
  const boxes = [...svg.querySelectorAll("text")].map((text) => [text.textContent, text.getBBox()]);
  return boxes.flatMap(([one, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => Math.abs(a.x + a.width / 2 - b.x - b.width / 2) < (a.width + b.width) / 2 &&
      Math.abs(a.y + a.height / 2 - b.y - b.height / 2) < (a.height + b.height) / 2 - 2)
    .map(([other]) => `${one} ${other}`));
})"""


def drawn(query: list[float]) -> Markup:
    return plot.arrows({"They": query}, KEYS, VALUES)


@pytest.fixture
def arrows(context: BrowserContext) -> Iterator[Page]:
    page = context.new_page()
    shown = drawn(QUERY)
    page.set_viewport_size({"width": 390, "height": 700})
    page.set_content(f"<!doctype html>{tags(shown.head)}<main>{shown.html}</main><p>{'o ' * 3000}")
    yield page
    page.close()


def test_the_script_draws_what_python_draws_and_no_name_covers_another(arrows: Page) -> None:
    query = arrows.locator(".tl-vector").first
    angle, length = math.degrees(math.atan2(QUERY[1], QUERY[0])), math.hypot(*QUERY)
    for turn in range(5, 365, 5):
        query.press("ArrowLeft")
        to = math.radians(angle + turn)
        expected = drawn([length * math.cos(to), length * math.sin(to)]).html
        inside = arrows.locator("main").inner_html()
        assert inside.split("<") == arrows.evaluate(DRAWN, expected).split("<")
        assert arrows.evaluate(COLLIDE) == []
