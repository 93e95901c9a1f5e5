"""The zip of a release: unpacked, opened from its folder, and served below a path."""

import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from book import release, serve
from book.paths import html_folder
from tests.browser.live import START_LIMIT

HALF_HOUR = "book-1/chapters/attention.html"
RAN = "() => window.tlLive?.isReady && tlLive.cells.some((each) => each.isFresh)"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the zip was unpacked."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(release.pack(html_folder(), folder / "book-1.zip")) as packed:
        packed.extractall(folder)
    return folder


@pytest.fixture
def offline(fresh: Page) -> Iterator[Page]:
    """A page that is given nothing but what this machine has; no error when it was."""
    errors: list[str] = []
    fresh.on("pageerror", lambda error: errors.append(str(error)))
    fresh.on("request", lambda request: errors.extend([request.url] * is_elsewhere(request.url)))
    fresh.set_default_timeout(START_LIMIT)
    yield fresh
    assert errors == []


def is_elsewhere(url: str) -> bool:
    return not url.startswith(("file://", "http://127.0.0.1:", "data:", "blob:"))


def answer(page: Page) -> None:
    """Answer the first question with a number."""
    field = page.locator(".tl-number").first
    field.fill(str(field.get_attribute("data-answer")))
    field.press("Enter")
    expect(page.locator("output[data-verdict=right]").first).to_be_visible()


def test_the_half_hour_works_from_the_folder(offline: Page, unpacked: Path) -> None:
    offline.goto((unpacked / HALF_HOUR).as_uri())
    answer(offline)
    offline.get_by_role("button", name="Present").click()
    expect(offline.locator(".tl-slide.tl-now")).to_be_visible()


def test_the_half_hour_runs_below_a_path(offline: Page, unpacked: Path, runnable: None) -> None:
    with serve.served(folder=unpacked) as address:
        offline.goto(f"{address}/{HALF_HOUR}")
        answer(offline)
        offline.locator(".tl-run-cell").first.click()
        offline.wait_for_function(RAN)
