"""The page "On this device": what a reader wrote in this book is forgotten, and may come back."""

import json

from playwright.sync_api import Page, expect

from tests.browser.exercise_page import OPEN, code_of, visit
from tests.browser.live import PHONE, type_into

NAME = "04_attention"
OTHER = {"tl-live:/2026/chapters/02_embeddings": '{"a": "1"}', "of-another-site": "kept"}
OLD = "tl-live:chapters/03_positional_encoding"
KEEP = "(all) => Object.entries(all).forEach(([key, text]) => localStorage.setItem(key, text))"
KEPT = "() => Object.fromEntries(Object.entries(localStorage))"


def press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name).click()


@PHONE
def test_a_reader_forgets_what_was_written_in_this_book(page: Page, site: str) -> None:
    visit(page, site, NAME)
    page.evaluate(KEEP, OTHER | {OLD: json.dumps({"c004": "old = 1"})})
    type_into(page, 1, 'STUDENT = "s1234567"')
    page.locator(".tl-live-bar").get_by_role("link", name="until you let it forget").click()
    before = page.evaluate(KEPT)
    assert any("s1234567" in text for text in before.values())

    press(page, "Forget everything that I wrote in this book")
    said = page.locator(".tl-device-words [role=status]")
    expect(said).to_contain_text("what you wrote in 1 cell of 1 page, the student number too.")
    assert not any("s1234567" in text for text in page.evaluate(KEPT).values())
    press(page, "Undo")
    assert page.evaluate(KEPT) == before

    press(page, "Forget everything that I wrote in this book")
    press(page, "Forget what an earlier version kept")
    expect(said).to_contain_text("in 1 cell of 1 page")
    kept = page.evaluate(KEPT)
    assert {key: kept.get(key) for key in (*OTHER, OLD)} == OTHER | {OLD: None}
    visit(page, site, NAME)
    page.wait_for_function(OPEN)
    assert "s1234567" not in "".join(code_of(page).values())
