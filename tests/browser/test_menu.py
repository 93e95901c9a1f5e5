"""The menu of the book and the contents of a page, tapped on a phone and clicked at a desk."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.visit import PATIENCE

PAGES = ["intro", "chapters/01_why_attention", "chapters/04_attention", "chapters/13_decoding"]
TOUCHED = pytest.mark.parametrize("reader", [390, 768, 820], indirect=True)
DESK = pytest.mark.parametrize("reader", [1280], indirect=True)


@pytest.fixture
def reader(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A reader with a finger on a narrow screen, and with a mouse on a wide one."""
    width = request.param
    context = browser.new_context(
        viewport={"width": width, "height": 844}, has_touch=width < 1280, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    yield page
    context.close()


def button(page: Page, side: str) -> Locator:
    """What a reader sees of the buttons of a menu."""
    return page.locator(f".{side}-toggle:visible")


def menu(page: Page, side: str) -> Locator:
    """What a menu becomes when it is opened on a narrow screen."""
    return page.locator(f"dialog#pst-{side}-sidebar-modal")


def opened_and_closed(page: Page, side: str) -> None:
    """Open a menu with a finger, close it with a key and with a finger, and open it with keys."""
    the_button, the_menu = button(page, side), menu(page, side)
    the_button.tap()
    expect(the_menu).to_be_visible()
    assert page.evaluate("Boolean(document.activeElement.closest('dialog'))")
    for key in ("Enter", " "):
        page.keyboard.press("Escape")
        expect(the_menu).to_be_hidden()
        expect(the_button).to_be_focused()
        page.keyboard.press(key)
        expect(the_menu).to_be_visible()
    page.touchscreen.tap(380 if side == "primary" else 10, 800)
    expect(the_menu).to_be_hidden()
    the_button.tap()


@TOUCHED
@pytest.mark.parametrize("name", PAGES)
def test_the_menu_is_tapped_and_leads_to_another_page(reader: Page, site: str, name: str) -> None:
    reader.goto(f"{site}/{name}.html")
    opened_and_closed(reader, "primary")
    menu(reader, "primary").get_by_role("link", name="Look things up").tap()
    expect(reader).to_have_url(f"{site}/chapters/look_up.html")
    reader.go_back()
    expect(menu(reader, "primary")).to_be_hidden()


@TOUCHED
@pytest.mark.parametrize("name", PAGES[1:])  # the first page is short and has none
def test_the_contents_are_tapped_and_lead_to_a_part(reader: Page, site: str, name: str) -> None:
    reader.goto(f"{site}/{name}.html")
    opened_and_closed(reader, "secondary")
    link = menu(reader, "secondary").get_by_role("link").last
    heading = reader.locator(f"{link.get_attribute('href')} > :is(h2, h3)").first
    link.tap()
    expect(menu(reader, "secondary")).to_be_hidden()
    expect(heading).to_be_in_viewport()
    expect(button(reader, "secondary")).not_to_be_focused()


@DESK
@pytest.mark.parametrize("name", PAGES)
def test_the_button_hides_the_menu_of_a_desk_and_shows_it(
    reader: Page, site: str, name: str
) -> None:
    reader.goto(f"{site}/{name}.html")
    the_button, bar = button(reader, "primary"), reader.locator("#pst-primary-sidebar")
    if name == "intro":  # whose picture needs the width
        expect(bar).to_be_hidden()
        the_button.click()
    expect(bar).to_be_visible()
    the_button.click()
    expect(bar).to_be_hidden()
    expect(the_button).to_be_focused()
    expect(reader.locator(".search-button__button:visible")).to_have_count(1)
    reader.keyboard.press("Enter")
    expect(bar).to_be_visible()
    bar.get_by_role("link", name="Look things up").click()
    expect(reader).to_have_url(f"{site}/chapters/look_up.html")
