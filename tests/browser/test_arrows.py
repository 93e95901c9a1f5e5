"""Arrows that are turned: the script draws what Python draws, and no name covers another."""

import math
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
    query = arrows.get_by_role("slider").first
    angle, length = math.degrees(math.atan2(QUERY[1], QUERY[0])), math.hypot(*QUERY)
    for turn in range(15, 375, 15):
        for _ in range(3):
            query.press("ArrowLeft")
        to = math.radians(angle + turn)
        expected = drawn([length * math.cos(to), length * math.sin(to)]).html
        inside = arrows.locator("main").inner_html()
        assert inside.split("<") == arrows.evaluate(DRAWN, expected).split("<")
        assert arrows.evaluate(COLLIDE) == []


def vector(arrows: Page, name: str) -> str:
    said = arrows.get_by_role("slider", name=name).get_attribute("aria-valuetext") or ""
    return said.partition(")")[0] + ")"


def tip(arrows: Page, name: str) -> tuple[float, float]:
    box = arrows.get_by_role("slider", name=name).bounding_box()
    assert box and box["width"] >= 40
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_key_is_dragged_by_the_pointer_and_no_longer_than_the_plane(arrows: Page) -> None:
    x, y = tip(arrows, "key of fire")
    arrows.mouse.move(x, y)
    arrows.mouse.down()
    arrows.mouse.move(x, y - 40)
    assert vector(arrows, "key of fire") == "(−1.4, 1.4)"
    arrows.mouse.move(x + 4000, y)
    assert vector(arrows, "key of fire") == "(2.5, 0.0)"
    arrows.mouse.up()
    arrows.mouse.move(x, y)
    assert vector(arrows, "key of fire") == "(2.5, 0.0)"
    said = arrows.locator("[aria-live]").inner_text()
    assert said == "They looks at fire with weight 0.50. The output is 4.4, 5.3."


def swipe_up(arrows: Page, x: float, y: float) -> float:
    """Move a finger up from a place, and say how far the page has scrolled."""
    touch = arrows.context.new_cdp_session(arrows)
    touch.send("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for kind, up in (("touchStart", 0), *(("touchMove", up) for up in range(10, 110, 10))):
        at = [{"x": x, "y": y - up}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": at})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    return float(arrows.evaluate("scrollY"))


def test_a_finger_turns_an_arrow_and_scrolls_the_page_everywhere_else(arrows: Page) -> None:
    x, y = tip(arrows, "key of breathe")
    before = vector(arrows, "key of breathe")
    assert swipe_up(arrows, x, y) == 0
    assert vector(arrows, "key of breathe") == "(1.8, 1.7)" != before
    assert swipe_up(arrows, x - 200, y + 20) > 50
    assert vector(arrows, "key of breathe") == "(1.8, 1.7)"
