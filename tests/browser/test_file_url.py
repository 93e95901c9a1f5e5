"""Every page opened from the disk, with no server."""

import pytest
from playwright.sync_api import BrowserContext, Page

from book.paths import html_folder
from tests.browser.visit import Visit, new_tab


@pytest.fixture(scope="session")
def second_tab(context: BrowserContext) -> Page:
    """The visits of the served pages stay open in theirs."""
    return new_tab(context)


@pytest.fixture
def from_disk(second_tab: Page, name: str) -> Visit:
    return Visit(second_tab, (html_folder() / f"{name}.html").as_uri(), 1280, "light")


def test_page_works_from_the_disk(from_disk: Visit) -> None:
    with from_disk as visit:
        assert visit.foreign == []
        assert visit.missing == []
        assert visit.errors == []
        math = visit.page.locator("main .math").count()
        assert visit.page.locator("main .math mjx-container").count() >= math
