"""Every page opened from the disk, with no server."""

import pytest
from playwright.sync_api import Browser

from book.paths import html_folder
from tests.browser.visit import Visit


@pytest.fixture
def from_disk(browser: Browser, name: str) -> Visit:
    return Visit(browser, (html_folder() / f"{name}.html").as_uri(), 1280, "light")


def test_page_works_from_the_disk(from_disk: Visit) -> None:
    with from_disk as visit:
        assert visit.foreign == []
        assert visit.missing == []
        assert visit.errors == []
        math = visit.page.locator("main .math").count()
        assert visit.page.locator("main .math mjx-container").count() >= math
