"""The book as it is published: at an address, or without the folder that a host left out."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page, expect

from book import serve, toc
from book.html import address
from book.paths import ROOT, html_folder
from tests.browser.odd_hosts import BELOW, Plain

PLACE = f"https://host.example{BELOW}/"
NOT_COPIED = (
    ".git",
    ".venv",
    ".cache",
    ".mypy_cache",
    "_build",
    "node_modules",
    "my",
    "dist",
    "build",
    "mutants",
)
LEFT_OVER = """() => {
  const [bare] = [...document.styleSheets]
    .filter((each) => each.ownerNode.textContent.includes('@layer bare'));
  const shown = (one) => JSON.stringify(Object.fromEntries(
    [...getComputedStyle(one)].map((name) => [name, getComputedStyle(one)[name]])));
  const parts = [...document.querySelectorAll('body, main, div, pre, img, svg, button')];
  const before = parts.map(shown);
  bare.disabled = true;
  return parts.filter((one, at) => shown(one) !== before[at])
    .map((one) => one.outerHTML.slice(0, 90));
}"""
"""The parts of a page with all its styles that look otherwise without the styles of a bare page."""
READ = ["chapters/04_attention", "intro"]


class Forge(Plain):
    """Answers with the book's own page where a file is missing."""

    def send_error(self, code: int, *said: Any) -> None:
        """Send 404.html, which knows nothing of the address that was asked for."""
        if code != HTTPStatus.NOT_FOUND:
            return super().send_error(code, *said)
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        return None


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of a copy that was built with an address."""
    copy = tmp_path_factory.mktemp("published") / "book"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*NOT_COPIED))
    env = os.environ | {address.VARIABLE: PLACE, "PYTHONPATH": str(copy)}
    subprocess.run([sys.executable, "-m", "book.build"], cwd=copy, env=env, check=True)
    return html_folder(copy)


def test_each_page_has_a_preview_that_can_be_read(published: Path) -> None:
    bad, icons = list[object](), list[object]()
    for name in toc.pages():
        page = BeautifulSoup((published / f"{name}.html").read_text("utf-8"), "html.parser").head
        assert page
        said = {str(tag["property"]): str(tag["content"]) for tag in page.select("[property]")}
        text, heading = said["og:description"], page.title and page.title.text
        alone = page.select_one("link[rel=canonical]")
        icons += page.select("link[rel=apple-touch-icon]")
        if (
            said["og:url"] != f"{PLACE}{name}.html"
            or (alone and alone["href"]) != said["og:url"]
            or not str(heading).startswith(said["og:title"])
            or not 40 <= len(text) <= address.LENGTH + 3
            or not text[0].isalpha()
            or set(text) & set("\\$<>")
        ):
            bad.append((name, said))
    assert bad == []
    assert len(icons) == len(toc.pages())


def test_a_lost_reader_sees_the_book(fresh: Page, published: Path) -> None:
    with serve.served(Forge, published) as host:
        answer = fresh.goto(f"{host}{BELOW}/chapters/deep/gone.html")
        assert answer and answer.status == HTTPStatus.NOT_FOUND
        expect(fresh.get_by_role("heading", name="No such page").last).to_be_visible()
        expect(fresh.locator(".tl-bare")).to_be_hidden()
        fresh.get_by_role("link", name="The first page", exact=True).click()
        expect(fresh).to_have_url(f"{host}{BELOW}/intro.html")


@pytest.fixture(params=READ)
def bare(fresh: Page, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page that was sent by mail, or whose host leaves `_static` out."""
    alone = shutil.copy(html_folder() / f"{request.param}.html", tmp_path)
    fresh.set_viewport_size({"width": 390, "height": 844})
    fresh.goto(Path(alone).as_uri())
    yield fresh


def test_a_page_without_its_folder_is_readable_and_says_so(bare: Page) -> None:
    expect(bare.locator(".tl-bare")).to_be_visible()
    assert "_static" in bare.locator(".tl-bare").inner_text()
    assert bare.evaluate("document.documentElement.scrollWidth") <= 390
    # Its text comes within a screen, and the contents of the book after it.
    assert bare.locator("article h1").bounding_box()["y"] < 844  # type: ignore[index]
    foot = bare.locator("article").evaluate("one => one.getBoundingClientRect().bottom")
    assert bare.locator("#pst-primary-sidebar").bounding_box()["y"] >= foot  # type: ignore[index]


@pytest.mark.parametrize("name", READ)
def test_a_page_with_its_folder_says_nothing(fresh: Page, site: str, name: str) -> None:
    fresh.goto(f"{site}/{name}.html")
    expect(fresh.locator(".tl-bare")).to_be_hidden()
    fresh.set_viewport_size({"width": 1280, "height": 900})
    assert fresh.evaluate(LEFT_OVER) == []
