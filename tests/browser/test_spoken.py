"""What a reader hears who does not see the page: names, an order, and what a press has done."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from book.paths import html_folder
from tests.browser.exercise_page import numbers, solutions, visit
from tests.browser.live import DESKTOP, bar, cell, type_into, wait

HEARS = """() => {
  const status = document.querySelector(".tl-live-bar [role=status]");
  window.heard = [];
  new MutationObserver(() => {
    const copy = status.cloneNode(true);
    copy.querySelectorAll("[aria-hidden=true]").forEach((each) => each.remove());
    if (window.heard.at(-1) !== copy.textContent) window.heard.push(copy.textContent);
  }).observe(status, { childList: true, characterData: true, subtree: true });
}"""
"""What the status of the page says, without what is hidden from who listens."""


ICON = re.compile("[\ue000-\uf8ff]")
"""A letter that fonts of icons alone have."""


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["intro", "chapters/attention"])
def test_no_icon_is_read(fresh: Page, site: str, name: str, width: int) -> None:
    fresh.set_viewport_size({"width": width, "height": 900})
    fresh.goto(f"{site}/{name}.html")
    for node in spoken(fresh):
        for part in ("name", "description"):
            assert not ICON.search(str(node.get(part, {}).get("value", ""))), node
        if node["role"]["value"] in ("button", "link"):
            assert node["name"]["value"].strip(), node


def test_each_fold_says_whose_code_it_shows(fresh: Page, site: str) -> None:
    fresh.goto(f"{site}/chapters/attention.html")
    expect(fresh.locator(".tl-run-cell").first).to_be_visible()
    triangles = [n for n in spoken(fresh) if n["role"]["value"] == "DisclosureTriangle"]
    names = [node["name"]["value"] for node in triangles]
    folds = [name for name in names if name.startswith("Show the code")]
    assert folds and len(set(folds)) == len(folds)
    assert all(re.fullmatch(r"Show the code of cell \d+", name) for name in folds)


def test_each_button_that_copies_says_of_which_cell(fresh: Page, site: str) -> None:
    fresh.goto(f"{site}/chapters/attention.html")
    expect(fresh.locator(".tl-run-cell").first).to_be_visible()
    expect(fresh.locator("main .copybtn:not([aria-label])")).to_have_count(0)
    names = [node["name"]["value"] for node in spoken(fresh) if node["role"]["value"] == "button"]
    copies = [name for name in names if name.startswith("Copy")]
    assert copies and len(set(copies)) == len(copies)
    assert all(re.fullmatch(r"Copy the (code|output) of cell \d+", name) for name in copies)
    ran = [name.removeprefix("Run ") for name in names if name.startswith("Run cell")]
    assert {name.partition(" of ")[2] for name in copies} >= set(ran)


def test_the_title_of_a_table_is_heard_once(fresh: Page, site: str) -> None:
    fresh.set_viewport_size({"width": 390, "height": 900})
    fresh.goto(f"{site}/chapters/12_training.html")
    expect(fresh.locator("main .tl-box[data-reached]").first).to_be_attached()
    titles = fresh.locator("main table caption").all_text_contents()
    nodes = [node for node in spoken(fresh) if node["role"]["value"] in ("group", "table")]
    heard = [node["name"]["value"] for node in nodes if "name" in node]
    assert any(title in heard for title in titles)
    for title in titles:
        assert sum(title in name for name in heard) <= titles.count(title), title


def test_every_icon_of_every_page_is_silent() -> None:
    for page in html_folder().rglob("*.html"):
        if "_static" not in page.parts:
            icons = re.findall(r'<\w+ [^>]*class="[^"]*\bfa-[^>]*>', page.read_text("utf-8"))
            assert [each for each in icons if "aria-hidden" not in each] == [], page


def spoken(page: Page) -> list[dict[str, Any]]:
    """The nodes of the accessibility tree that are not passed over, in their order."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    below = {node["nodeId"]: node for node in tree}
    waits, found = [tree[0]], []
    while waits:
        node = waits.pop()
        if not node["ignored"]:
            found.append(node)
        waits += [below[each] for each in reversed(node["childIds"]) if each in below]
    return found


@DESKTOP
def test_the_verdict_of_a_check_is_said_in_the_status(page: Page, site: str) -> None:
    visit(page, site, "04_attention")
    number, right = numbers(page), solutions("04_attention")["softmax"]
    check = number["softmax-check-rows"]
    for answer, verdict in (("softmax = abs", "does not pass yet"), (right, "passes")):
        type_into(page, number["softmax"], answer)
        page.get_by_role("button", name=f"Check cell {check}", exact=True).focus()
        page.keyboard.press("Enter")
        wait(page)
        status = bar(page).get_by_role("status")
        expect(status).to_contain_text(f"Cell {check}: {verdict}.")
        why = cell(page, check).locator(".tl-says")
        if verdict == "passes":
            expect(why).to_have_count(0)
        else:
            expect(status).to_contain_text(why.inner_text())


@DESKTOP
def test_a_load_is_heard_in_few_words(page: Page, site: str) -> None:
    page.goto(f"{site}/chapters/attention.html")
    page.evaluate(HEARS)
    page.get_by_role("button", name="Run this page").focus()
    page.keyboard.press("Enter")
    wait(page)
    heard: list[str] = page.evaluate("heard")
    assert "Loading Python: " in heard
    assert len(heard) < 10, heard


@DESKTOP
def test_the_first_press_keeps_the_place_of_the_keyboard(page: Page, site: str) -> None:
    for name in ("Run this page", "Run cell 2"):
        page.goto(f"{site}/chapters/attention.html")
        button = page.get_by_role("button", name=name, exact=True)
        button.focus()
        page.keyboard.press("Enter")
        page.wait_for_function("() => window.tlLive")
        here = page.evaluate("document.activeElement.textContent")
        assert here in ("Run this page", "Run", "Stop", "Cancel")


@pytest.mark.parametrize(
    ("name", "slider"),
    [("chapters/04_attention", ".tl-frames input[type=range]"), ("intro", "#flow-heat")],
)
def test_a_swipe_over_a_slider_scrolls_the_page(
    browser: Browser, site: str, name: str, slider: str
) -> None:
    phone = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True
    )
    page = phone.new_page()
    page.goto(f"{site}/{name}.html")
    if name == "intro":
        page.get_by_role("button", name="Show everything").click()
    for begins in (0.15, 0.9):
        before, after = swipe(page, slider, begins, 4, -200)
        assert before[0] == after[0]
        assert after[1] > before[1] + 100
    for right in (0, 120):  # a tap and a drag
        before, after = swipe(page, slider, 0.4 if right else 0.7, right, 0)
        assert before[0] != after[0]
        assert before[1] == after[1]
    phone.close()


def swipe(page: Page, selector: str, begins: float, right: int, down: int) -> list[list[float]]:
    """Value and place before and after a finger moved from a place of a slider."""
    slider = page.locator(selector).first
    slider.evaluate("(e) => e.scrollIntoView({ block: 'center', behavior: 'instant' })")
    page.wait_for_timeout(100)
    box = slider.bounding_box()
    assert box
    x, y = box["x"] + box["width"] * begins, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *points: dict[str, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})
        page.wait_for_timeout(16)

    stands = "(e) => [Number(e.value), scrollY]"
    before = slider.evaluate(stands)
    touch("touchStart", {"x": x, "y": y})
    for part in range(1, 11 if right or down else 1):
        touch("touchMove", {"x": x + right * part / 10, "y": y + down * part / 10})
    touch("touchEnd")
    page.wait_for_timeout(300)
    return [before, slider.evaluate(stands)]


def test_the_stages_are_read_in_the_order_in_which_they_show(fresh: Page, site: str) -> None:
    fresh.set_viewport_size({"width": 390, "height": 900})
    fresh.goto(f"{site}/intro.html")
    fresh.get_by_role("button", name="Show everything").click()
    for width, first in ((390, "5 Next word"), (1280, "1 Words"), (390, "5 Next word")):
        fresh.set_viewport_size({"width": width, "height": 900})
        expect(fresh.locator(".flow-stage h2").first).to_have_text(first)
        tops = fresh.locator(".flow-stage").evaluate_all(
            "(all) => all.map((each) => each.getBoundingClientRect().top)"
        )
        assert tops == sorted(tops)
        read = [
            node["name"]["value"] for node in spoken(fresh) if node["role"]["value"] == "region"
        ]
        assert read[0] == first
        assert len(read) == 5
        where = "(e, o) => e.compareDocumentPosition(document.querySelector(o))"
        told = fresh.locator(".flow-told").evaluate(where, ".flow-stages")
        assert told == (2 if width == 390 else 4)  # before it, or after it
    # Each head says its layer: the word below them would come after them.
    heard = [node["name"]["value"] for node in spoken(fresh) if "name" in node]
    assert "head 1 of layer 1" in heard
    assert fresh.locator(".flow-heads [aria-hidden=true]", has_text="layer").count() == 2


def test_a_slider_says_once_what_it_shows(fresh: Page, site: str) -> None:
    fresh.goto(f"{site}/intro.html")
    fresh.get_by_role("button", name="Show everything").click()
    for key, shown in (("End", "all"), ("Home", "1")):
        fresh.locator("#flow-top").press(key)
        expect(fresh.locator("#flow-top-out")).to_have_text(shown)
        expect(fresh.locator("#flow-top")).to_have_attribute("aria-valuetext", shown)
    assert fresh.locator(".flow-foot output:not([aria-live=off])").count() == 0
