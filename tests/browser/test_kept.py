"""What a reader does stays on the device, under the names of chapters/statements.md."""

from playwright.sync_api import Page, Request

from tests.book.test_statements import names_of_the_table
from tests.browser.exercise_page import page_of, visit
from tests.browser.live import START_LIMIT, type_into, wait

SECRET = "s7654321"
"""What the reader types, and what no request may hold."""

EXERCISE = page_of("04_attention")
KEYS = """async () => ({
  local: Object.keys(localStorage), session: Object.keys(sessionStorage),
  caches: await caches.keys(), databases: (await indexedDB.databases()).map(({ name }) => name),
  cookies: document.cookie,
})"""
TEXTS = "() => [...Object.values(localStorage), ...Object.values(sessionStorage)]"
MODE = "document.querySelector('.theme-switch-button').click()"


def heard(page: Page) -> list[Request]:
    """The requests of a page and of its workers, as they come."""
    found: list[Request] = []
    page.context.on("request", lambda each: found.append(each))
    return found


def answer(page: Page, site: str) -> None:
    """Answer a question with a number and one with a choice, and let the page keep itself."""
    page.goto(f"{site}/chapters/attention.html", wait_until="networkidle")
    field = page.locator(".tl-number").first
    field.fill("0.7654321")
    field.press("Enter")
    page.locator(".tl-choice input").first.check()
    page.locator(".tl-question:has(.tl-choice) .tl-check").first.click()
    page.evaluate(MODE)
    assert all(page.evaluate("tlKeep.here()"))


def test_what_a_reader_does_stays_on_the_device(fresh: Page, site: str, runnable: None) -> None:
    fresh.set_default_timeout(START_LIMIT)
    asked = heard(fresh)
    visit(fresh, site, "04_attention")
    type_into(fresh, 1, f'STUDENT_ID = "{SECRET}"')
    fresh.keyboard.press("Shift+Enter")
    wait(fresh)
    answer(fresh, site)
    found = fresh.evaluate(KEYS)
    kept = {*found["local"], *found["session"], *found["caches"]}
    named = names_of_the_table()
    strange = {key for key in kept if not any(is_named(key, name) for name in named)}
    assert strange == set() and {"mode", "theme", "sidebar-scroll-top"} <= kept
    assert [key for key in kept if key.startswith("tl-live:")] == [f"tl-live:/{EXERCISE}"]
    assert "the-worked-transformer:/" in kept
    assert (found["cookies"], fresh.context.cookies(), found["databases"]) == ("", [], [])
    assert not any("0.7654321" in text for text in fresh.evaluate(TEXTS))
    assert len(asked) > 20
    assert {(each.method, each.post_data) for each in asked} == {("GET", None)}
    assert [each.url for each in asked if "7654321" in each.url] == []


def is_named(key: str, name: str) -> bool:
    """Whether a row is about a key; after a name that ends in a colon comes a page."""
    return key.startswith(name) if name.endswith(":") else key == name


def test_the_words_of_a_search_are_in_an_address(fresh: Page, site: str) -> None:
    asked = heard(fresh)
    fresh.goto(f"{site}/chapters/notation.html")
    fresh.keyboard.press("ControlOrMeta+k")
    fresh.keyboard.type("softmax")
    fresh.keyboard.press("Enter")
    first = fresh.locator("#search-results li a").first
    first.wait_for()
    assert any("q=softmax" in each.url for each in asked)
    assert fresh.evaluate("localStorage.sphinx_highlight_terms") == "softmax"
    first.click()
    fresh.wait_for_load_state("networkidle")
    assert fresh.evaluate("localStorage.getItem('sphinx_highlight_terms')") is None
