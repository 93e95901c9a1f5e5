"""The front page: a reader types, silences a head, and sees the numbers of the library."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from course.flow_explorer import CAPTION, SENTENCES, heads
from course.next_word import changed, next_words
from tests.browser.axe import COLORS, violations
from tests.browser.live import REQUESTS, START_LIMIT, bar, can_run, run_page, wait
from tests.browser.test_fits import CUT, STUCK, WIDER
from tests.browser.test_page import SPILLING
from tests.browser.visit import Visit, new_tab

TYPED = "the uncles who sat on the mat"


@pytest.fixture(scope="module")
def runnable(site: str) -> None:
    can_run()


@pytest.fixture(params=[1280, 390])
def visit(
    request: pytest.FixtureRequest, context: BrowserContext, site: str, runnable: None
) -> Iterator[Visit]:
    """A front page of its own."""
    made = new_tab(context)
    made.set_default_timeout(START_LIMIT)
    with Visit(made, f"{site}/intro.html", request.param, "light") as seen:
        yield seen
    made.close()


def guess(page: Page) -> Locator:
    """What is shown of the next word."""
    return page.locator(".tl-widget").last.locator(".widget-html-content").last


def way(page: Page) -> Locator:
    """What is shown of the way through the model."""
    return page.locator(".tl-widget").first.locator(".widget-html-content")


def sentence(page: Page) -> Locator:
    """The first of the two fields of the sentence."""
    return page.get_by_role("textbox", name="sentence").first


def say(page: Page, text: str) -> None:
    """Type a sentence, and Enter."""
    sentence(page).fill(text)
    sentence(page).press("Enter")


def expect_words(page: Page, text: str) -> None:
    """Each line of the library's own text stands in the table, digit by digit."""
    title, *lines = text.splitlines()
    expect(guess(page).locator("caption")).to_have_text(title)
    for row, line in zip(guess(page).locator("tr").all(), lines, strict=True):
        word, number = line.split()
        expect(row).to_have_text(re.compile(rf"^{re.escape(word)}\s*{re.escape(number)}$"))


def test_before_it_runs_nothing_is_loaded_and_nothing_pretends(visit: Visit) -> None:
    page = visit.page
    assert not any(
        re.search("pyodide|embed-amd|editor.mjs", each) for each in page.evaluate(REQUESTS)
    )
    assert sentence(page).get_attribute("readonly") is not None
    assert page.get_by_role("button", name="Make it live").count() == 2
    assert page.locator(".tl-frames select").count() == 2


def test_a_reader_types_a_sentence_and_changes_the_model(visit: Visit) -> None:
    page = visit.page
    page.get_by_role("button", name="Make it live").first.click()
    wait(page)
    expect(bar(page)).to_contain_text("It answers now.")
    expect_words(page, next_words(SENTENCES[0]).text)

    way(page).get_by_text("4 attention").click()
    say(page, TYPED)
    expect(way(page).locator("legend")).to_have_text(f"{TYPED} …")
    expect_words(page, next_words(TYPED).text)
    expect(way(page).get_by_text("Each word looks back")).to_be_visible()

    silent = list(heads())[2]
    page.get_by_role("combobox", name="silent head").select_option(silent)
    expect(way(page).get_by_text("head 3 (silent)")).to_be_visible()
    expect_words(page, next_words(TYPED, changed(heads()[silent])).text)
    assert next_words(TYPED, changed(heads()[silent])) != next_words(TYPED)

    page.get_by_role("combobox", name="silent head").select_option("none")
    page.get_by_role("combobox", name="mask").select_option("lifted")
    expect(way(page).get_by_text("Each word looks both ways")).to_be_visible()
    expect_words(page, next_words(TYPED, changed(lifted=True)).text)

    filters = {"temperature": 0.5, "top_k": 3, "top_p": 0.9}
    for name, value in filters.items():
        field = page.get_by_role("spinbutton", name=name.replace("_", "-"))
        field.fill(str(value))
        field.press("Enter")
    expect_words(page, next_words(TYPED, changed(lifted=True), **filters).text)

    say(page, "the zebra who sat")
    says = way(page).get_by_role("alert")
    expect(says).to_contain_text("does not know zebra. It knows: and, are,")
    say(page, "Dragons")
    expect_words(page, next_words("dragons", changed(lifted=True), **filters).text)
    expect(way(page).get_by_text("Each word looks both ways")).to_be_visible()
    assert (visit.foreign, visit.missing, visit.errors) == ([], [], [])


def test_alive_it_fits_and_keeps_nothing_from_anybody(visit: Visit) -> None:
    page = visit.page
    run_page(page)
    expect(page.locator(".tl-widget").get_by_text(CAPTION)).to_be_visible()
    for text in (TYPED, "zebra"):
        say(page, text)
        expect(way(page)).to_contain_text(text)
        assert page.evaluate(SPILLING) == []
        assert page.evaluate(WIDER if visit.width == 1280 else STUCK) == []
        assert page.evaluate(CUT) == []
        visit.turn("light")
        assert violations(page) == []
        visit.turn("dark")
        assert violations(page, COLORS) == []
    assert visit.errors == []
