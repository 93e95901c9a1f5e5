"""Every page opened from the disk, with no server."""

from playwright.sync_api import Page

from book.paths import html_folder
from tests.browser.visit import Visit


def test_page_works_from_the_disk(second_tab: Page, name: str) -> None:
    with Visit(second_tab, (html_folder() / f"{name}.html").as_uri(), 1280, "light") as visit:
        assert (visit.foreign, visit.missing, visit.errors) == ([], [], [])
        math = visit.page.locator("main .math").count()
        assert visit.page.locator("main .math mjx-container").count() >= math
