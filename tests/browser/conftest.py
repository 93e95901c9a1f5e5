import os
import shutil
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

from book import serve, toc
from book.paths import html_folder
from tests.browser.visit import Visit

NO_CHROMIUM = "no chromium: install it with apt-get install chromium, or set CHROMIUM to its path"
WITHOUT_NETWORK = ["--disable-background-networking", "--disable-component-update"]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-sync", "--no-first-run", *WITHOUT_NETWORK]

PAGES = toc.pages()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not chromium:
        if os.environ.get("CI") == "true":
            pytest.fail(NO_CHROMIUM)
        pytest.skip(NO_CHROMIUM)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built book."""
    if not (html_folder() / "index.html").exists():
        pytest.fail("there is no book: call make book first")
    with serve.server(0) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


@pytest.fixture(scope="module", params=PAGES)
def name(request: pytest.FixtureRequest) -> str:
    """Each page of `_toc.yml`."""
    return str(request.param)


@pytest.fixture(scope="module", params=[1280, 390])
def width(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module", params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def visit(browser: Browser, site: str, name: str, width: int, theme: str) -> Iterator[Visit]:
    """One page at one width in one theme, fully drawn."""
    with Visit(browser, f"{site}/{name}.html", width, theme) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def fresh(browser: Browser, site: str, name: str) -> Iterator[Visit]:
    """One page, loaded once for all tests of a file that use its widgets or questions."""
    with Visit(browser, f"{site}/{name}.html", 1280, "light") as open_page:
        yield open_page
