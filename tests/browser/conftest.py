import functools
import itertools
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    BrowserType,
    Page,
    expect,
    sync_playwright,
)
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from book import serve, toc
from book.paths import html_folder
from book.testing.tools import CHROMIUM
from tests.browser.engines import Chromium, Engine, firefox, needed, webkit
from tests.browser.host import Book
from tests.browser.live import START_LIMIT, can_run
from tests.browser.pieces import Given, made
from tests.browser.visit import PATIENCE, Visit, new_tab
from tests.long import part_of

# Every other host is unknown to the browser: what asks for one is recorded, and gets nothing.
WITHOUT_HOSTS = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
WITHOUT_NETWORK = ["--disable-background-networking", "--disable-component-update", WITHOUT_HOSTS]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-sync", "--no-first-run", *WITHOUT_NETWORK]

expect.set_options(timeout=PATIENCE)


class ByPage(LoadScopeScheduling):
    """Keeps all tests of a page on one worker, which visits it once for each width."""

    def _split_scope(self, nodeid: str) -> str:
        """Cut [chapters/04_attention-1280-light] to the page, [chapters/04_attention-light] too."""
        return re.sub(r"(-\d+)?-(light|dark)$", "", nodeid.rpartition("[")[2].rstrip("]"))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> ByPage:
    return ByPage(config, log)


def params(item: pytest.Item) -> dict[str, Any]:
    """The page, the width and the theme of a test, where it has them."""
    return getattr(getattr(item, "callspec", None), "params", {})


PAGES = toc.pages()
LOOKS = [(1280, "light"), (390, "dark"), (390, "light"), (1280, "dark")]
# Pages of exercises are made alike, of parts that chapters have, too: a shorter run looks at one.
EXERCISES = ("04_attention",)
# So are pages of measurements, reviews of three parts, and lists: one of each kind is looked at.
MEASURED = ("recurrent_measured", "training_measured")
ALIKE = (
    *MEASURED,
    "look_back_2",
    "look_back_3",
    "columns",
    "references",
    "sources",
    "number_formats",
)


@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Leave one look at each page to `make test`, and to the next page another."""
    if not part_of(item.nodeid) and is_one_look_too_many(item, params(item)):
        item.add_marker(pytest.mark.long(part="pages"))


def is_one_look_too_many(item: pytest.Item, asked: dict[str, Any]) -> bool:
    """Whether a shorter run looks at this page at another width or in another theme."""
    if item.name.startswith("test_a_new_page"):
        return False  # tests/long.py says which pages axe looks at
    if "name" in asked and "width" in asked:
        if is_left_out(asked["name"]):
            return True
        width, theme = LOOKS[PAGES.index(asked["name"]) % len(LOOKS)]
        return bool(asked["width"] != width or asked.get("theme", theme) != theme)
    # A page of its own: the phone is where things break, but keys are those of a desk.
    return asked.get("page") == 1280 and item.path.name != "test_keys.py"


def is_left_out(name: str) -> bool:
    """Whether a shorter run does not look at this page, because it looks at one made alike."""
    if name.startswith("exercises/release/"):
        return not any(word in name for word in EXERCISES)
    return name.removeprefix("chapters/") in ALIKE


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Light before dark: a page is shared, and what is pressed on it is pressed in the light."""
    pages = itertools.groupby(
        items, lambda item: [params(item).get(key) for key in ("name", "width")]
    )
    items[:] = [
        item
        for _, tests in pages
        for item in sorted(tests, key=lambda item: params(item).get("theme") == "dark")
    ]


@pytest.fixture(scope="session")
def chromium() -> Iterator[BrowserType]:
    """The browser's program."""
    needed(CHROMIUM)
    with sync_playwright() as playwright:
        yield playwright.chromium


@pytest.fixture(scope="session")
def browser(chromium: BrowserType) -> Iterator[Browser]:
    """For readers of their own, who have nothing yet."""
    running = chromium.launch(executable_path=CHROMIUM.path(), args=ARGUMENTS)
    yield running
    running.close()


@pytest.fixture
def fresh(browser: Browser) -> Iterator[Page]:
    """A page of a reader who has nothing yet."""
    made = browser.new_page()
    yield made
    made.close()


@pytest.fixture
def scriptless(browser: Browser) -> Iterator[Page]:
    """The same, where no script runs."""
    made = browser.new_page(java_script_enabled=False)
    yield made
    made.close()


@pytest.fixture(scope="session")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the browser of all visits keeps what it has."""
    return tmp_path_factory.mktemp("profile")


@pytest.fixture(scope="session")
def context(chromium: BrowserType, profile: Path) -> Iterator[BrowserContext]:
    """One reader for all pages, so that scripts are read and Python is compiled once."""
    # Without motion, so that nothing is looked at while it is half there.
    made = chromium.launch_persistent_context(
        profile, executable_path=CHROMIUM.path(), args=ARGUMENTS, reduced_motion="reduce"
    )
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


@pytest.fixture(scope="session")
def tab(context: BrowserContext) -> Page:
    """The tab of all visits: to open another costs as much as to draw a page."""
    return new_tab(context)


@pytest.fixture(scope="session")
def second_tab(context: BrowserContext) -> Page:
    """For other pages than those of the visits, which stay open in theirs."""
    return new_tab(context)


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """The address of the built book."""
    if not (html_folder() / "index.html").exists():
        pytest.fail("there is no book: call make book first")
    with serve.served(Book) as address:
        yield address


@pytest.fixture(scope="session", params=PAGES)
def name(request: pytest.FixtureRequest) -> str:
    """Each page of `_toc.yml`."""
    return str(request.param)


@pytest.fixture(scope="session", params=[1280, 390])
def width(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="session", params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def opened(tab: Page, site: str, name: str, width: int) -> Iterator[Visit]:
    """One page at one width, fully drawn."""
    with Visit(tab, f"{site}/{name}.html", width, "light") as open_page:
        yield open_page


@pytest.fixture(scope="session")
def visit(opened: Visit, theme: str) -> Visit:
    """One page at one width in one theme: to open it takes longer than to change the theme."""
    opened.turn(theme)
    return opened


@pytest.fixture(scope="session")
def runnable(site: str) -> None:
    can_run()


@pytest.fixture(params=[1280, 390])
def page(
    request: pytest.FixtureRequest, context: BrowserContext, site: str, runnable: None
) -> Iterator[Page]:
    """A page of its own, which keeps what is written on it and finds nothing there."""
    made = context.new_page()
    made.set_viewport_size({"width": request.param, "height": 900})
    made.emulate_media(reduced_motion="no-preference")
    made.set_default_timeout(START_LIMIT)
    kept = {"origin": site, "storageTypes": "local_storage"}
    context.new_cdp_session(made).send("Storage.clearDataForOrigin", kept)
    yield made
    made.close()


@pytest.fixture(scope="module", params=["chromium", "firefox", "webkit"])
def engine(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, runnable: None
) -> Iterator[Engine]:
    """Each engine, started once."""
    started: AbstractContextManager[Engine]
    if request.param == "chromium":
        started = nullcontext(Chromium(request.getfixturevalue("browser")))
    elif request.param == "firefox":
        started = firefox(tmp_path_factory.mktemp("firefox"))
    else:
        started = webkit()
    with started as it:
        yield it


@pytest.fixture(scope="session")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the book's host gives of a small model in the place of the published one."""
    return made(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def given(pieces: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Given:
    """The answers of the host, which a test may change."""
    found: Given = {path: functools.partial(bytes, body) for path, body in pieces.items()}
    monkeypatch.setattr(Book, "given", found)
    return found
