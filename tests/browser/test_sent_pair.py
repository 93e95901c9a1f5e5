"""A pair of sentences as a link, with a small model: it waits for the press, and goes on."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.live import START_LIMIT

LOAD = "Load a real model"
MESSAGES = "() => performance.getEntriesByType('resource').map(({ name }) => name)"


def typed(page: Page, name: str, text: str) -> None:
    page.get_by_label(f"{name} sentence").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type(text)


def button(page: Page, name: str) -> Locator:
    """The first button of the widget with a name."""
    return page.locator(".tl-widget").get_by_role("button", name=name, exact=True).first


def copied(page: Page) -> dict[str, list[str]]:
    """What the link holds that the button copies."""
    button(page, "Copy link").click()
    expect(page.locator(".tl-widget").get_by_text("The link is copied")).to_be_visible()
    link = urlsplit(page.evaluate("() => navigator.clipboard.readText()"))
    assert link.path.endswith("/chapters/real_model.html") and not link.query
    return parse_qs(link.fragment, keep_blank_values=True)


@pytest.mark.usefixtures("given", "runnable")
def test_a_link_brings_sentences_that_a_press_scores_and_takes_others_along(
    context: BrowserContext, site: str
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_viewport_size({"width": 390, "height": 844})
    page.set_default_timeout(START_LIMIT)
    page.goto(f"{site}/chapters/real_model.html#first=zebras+sleep&second=a+cat,+%26+a+key")
    line = page.locator(".tl-sent")
    expect(line.get_by_role("listitem")).to_have_text(["zebras sleep", "a cat, & a key"])
    assert not [url for url in page.evaluate(MESSAGES) if "pyodide" in url or "published" in url]

    page.locator(".tl-start").first.click()
    expect(page.get_by_label("first sentence")).to_have_value("zebras sleep", timeout=START_LIMIT)
    expect(page.get_by_role("rowheader", name="zebras")).to_be_visible(timeout=START_LIMIT)
    assert copied(page) == {"first": ["zebras sleep"], "second": ["a cat, & a key"]}

    # What the reader types and scores is what the next link has; Python heard of the sentences.
    typed(page, "first", "a cot")
    typed(page, "second", "")
    page.keyboard.press("Delete")
    button(page, "Score").click()
    expect(page.get_by_role("rowheader", name="cot")).to_be_visible()
    expect(page.get_by_role("rowheader", name="zebras")).to_have_count(0)
    assert copied(page) == {"first": ["a cot"]}
    typed(page, "first", "a" * 301)
    button(page, "Copy link").click()
    said = page.locator(".tl-widget").get_by_role("status").filter(has_text="There is no link")
    expect(said).to_contain_text("the first sentence has 301 characters, and at most 300 are read")

    # Another link, while the fields are there: they have it, and what stood there can be had again.
    typed(page, "first", "a key")
    page.evaluate("() => { location.hash = 'first=a+cat&second=zebras'; }")
    expect(page.get_by_label("first sentence")).to_have_value("a cat")
    expect(page.get_by_role("rowheader", name="cat")).to_have_count(0)
    button(page, "Score").click()
    expect(page.get_by_role("rowheader", name="cat")).to_be_visible()
    line.get_by_role("button", name="Put back what stood there").click()
    expect(page.get_by_label("first sentence")).to_have_value("a key")
    expect(page.get_by_label("second sentence")).to_have_value("")
    page.evaluate("() => { location.hash = 'first=a%0Ab'; }")
    expect(line).to_have_text(re.compile("^This link cannot be shown: the first sentence is not"))
    expect(page.get_by_label("first sentence")).to_have_value("a key")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390
    page.close()
