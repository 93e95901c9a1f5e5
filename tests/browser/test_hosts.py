"""The built book on hosts that nobody chose: below a folder, and with answers of their own."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from book import serve
from tests.browser.live import CELLS, IDLE, START_LIMIT, bar

BELOW = "/a/b"


class Below(serve.Handler):
    """Serves the book below a folder, and nothing else."""

    def translate_path(self, path: str) -> str:
        """Leave the folder out, or lead where no file is."""
        inside = path.startswith(f"{BELOW}/")
        return super().translate_path(path.removeprefix(BELOW) if inside else "/nothing")


class Stripping(Below):
    """Leads from each page to its address without an ending, as many hosts do."""

    def send_head(self) -> Any:
        """Answer with the page, or with where it went."""
        path, mark, asked = self.path.partition("?")
        if path.endswith(".html"):
            self.send_response(308)
            self.send_header("Location", path.removesuffix(".html") + mark + asked)
            self.end_headers()
            return None
        if "." not in path.rpartition("/")[2]:
            self.path = f"{path}.html"
        return super().send_head()


@pytest.fixture(scope="module", params=[Below, Stripping])
def address(request: pytest.FixtureRequest, runnable: None) -> Iterator[str]:
    with serve.served(request.param) as found:
        yield found + BELOW


@pytest.fixture
def reader(browser: Browser) -> Iterator[Page]:
    made = browser.new_context()
    made.set_default_timeout(START_LIMIT)
    yield made.new_page()
    made.close()


@pytest.mark.parametrize("behind", ["", "#a-change-of-basis", "?from=a-course"])
def test_a_link_leads_to_a_page_that_runs(reader: Page, address: str, behind: str) -> None:
    reader.goto(f"{address}/chapters/00_warm_up.html{behind}")
    if behind:
        expect(bar(reader).get_by_role("button", name="Run this page")).to_be_visible()
        return
    reader.locator(".tl-run-cell").first.click()
    reader.wait_for_function(IDLE)
    assert any(one["ran"] for one in reader.evaluate(CELLS))


def test_an_exercise_opens_its_editors(reader: Page, address: str) -> None:
    reader.goto(
        f"{address}/exercises/release/04_attention/04_attention_exercise.html?week=4#task-1"
    )
    expect(reader.locator(".cm-content").first).to_be_visible()


def test_an_old_link_leads_where_its_section_went(reader: Page, address: str) -> None:
    reader.goto(f"{address}/chapters/14_families.html#the-sizes")
    reader.wait_for_url("**#counting-the-parameters-of-published-models")
