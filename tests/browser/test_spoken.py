"""What a reader hears who does not see the page: names, an order, and what a press has done."""

from playwright.sync_api import Page, expect

from tests.browser.exercise_page import numbers, solutions, visit
from tests.browser.live import DESKTOP, bar, type_into, wait

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
        expect(bar(page).get_by_role("status")).to_contain_text(f"Cell {check}: {verdict}.")


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
