"""Every key that types a character types it, wherever a reader can enter text."""

import string

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.exercise_page import code_of, numbers, visit
from tests.browser.live import DESKTOP, cell, wait

VISIBLE = string.digits + string.ascii_letters + string.punctuation
CLOSED = dict(zip("([{", ")]}", strict=True))
"""What the editor of code adds to a bracket; of a quote, three would become five."""

LINE = "score = {'Q K': (Q @ K.T) / np.sqrt(4)}  # 1 / 2 != \"?\""
FIELDS = {
    "chapters/04_attention": "input.tl-number, .tl-widget textarea, .tl-widget input[type=text]",
}


def type_code(page: Page, number: int) -> None:
    """Type each visible character into a line of its own, and then a line of code."""
    cell(page, number).locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.press("Delete")
    for key in VISIBLE:
        page.keyboard.type(key)
        page.keyboard.press("End")
        page.keyboard.press("Enter")
    page.keyboard.type(LINE)
    (code,) = [code for name, code in code_of(page).items() if numbers(page)[name] == number]
    wanted = [key + CLOSED.get(key, "") for key in VISIBLE]
    assert [line.strip() for line in code.split("\n")] == [*wanted, LINE]


def type_text(field: Locator) -> None:
    """Type all characters into a field, which then holds them."""
    field.click()
    field.press("ControlOrMeta+a")
    field.page.keyboard.type(f"{VISIBLE} {LINE}")
    expect(field).to_have_value(f"{VISIBLE} {LINE}")


@DESKTOP
def test_every_character_is_typed_into_an_answer_and_into_the_search(page: Page, site: str) -> None:
    visit(page, site, "04_attention")
    type_code(page, numbers(page)["softmax"])
    page.keyboard.press("ControlOrMeta+k")
    type_text(page.locator("#pst-search-dialog input"))


@DESKTOP
@pytest.mark.parametrize("name", FIELDS)
def test_every_character_is_typed_into_a_page_that_runs(page: Page, site: str, name: str) -> None:
    page.goto(f"{site}/{name}.html")
    page.get_by_role("button", name="Make it live").first.click()
    wait(page)
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    found = page.locator(FIELDS[name]).all()
    assert len(found) > 1
    for field in found:
        type_text(field)
    if cell(page, 2).locator(".cm-content").count():
        type_code(page, 2)
