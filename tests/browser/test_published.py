"""A real model in the page, here a small one: loaded, typed into, kept by the browser, removed."""

import functools
import json
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from tests.browser.host import Book
from tests.browser.live import START_LIMIT
from tests.course.published import tiny

LOADED = "The model is loaded."
WHERE = "/_static/vendor/published"
LIST, SECOND = f"{WHERE}.json", f"{WHERE}/1.bin"
Given = dict[str, Callable[[], bytes | None]]
Open = Callable[[str], Page]


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the book's host gives: the list of the pieces, and three of them."""
    data = tiny.write(tmp_path_factory.mktemp("tiny") / "tiny.gguf").read_bytes()
    third = len(data) // 3 + 1
    found = {f"{i}.bin": data[i * third : (i + 1) * third] for i in range(3)}
    files = {f"{WHERE}/{name}": piece for name, piece in found.items()}
    return {LIST: json.dumps([*found]).encode()} | files


@pytest.fixture
def given(pieces: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> Given:
    """The answers of the host, which a test may change."""
    made: Given = {path: functools.partial(bytes, body) for path, body in pieces.items()}
    monkeypatch.setattr(Book, "given", made)
    return made


@pytest.fixture
def opened(context: BrowserContext, site: str, runnable: None, given: Given) -> Iterator[Open]:
    """Opens tabs in which the reader has pressed the button that loads the model."""
    made: list[Page] = []

    def open_tab(name: str) -> Page:
        page = context.new_page()
        made.append(page)
        page.set_default_timeout(START_LIMIT)
        page.set_viewport_size({"width": 390, "height": 844})
        page.goto(f"{site}/{name}.html")
        page.get_by_role("button", name="Load a real model").click()
        page.locator("button.jupyter-button", has_text="Load a real model").wait_for()
        return page

    yield open_tab
    kept = {"origin": site, "storageTypes": "cache_storage"}
    context.new_cdp_session(context.new_page()).send("Storage.clearDataForOrigin", kept)
    for page in made:
        page.close()


@pytest.fixture
def asked(context: BrowserContext) -> Iterator[list[str]]:
    """The addresses that the browser asks for; what a worker asks for is seen, too."""
    found: list[str] = []

    def hear(request: Request) -> None:
        found.append(request.url)

    context.on("request", hear)
    yield found
    context.remove_listener("request", hear)


FREE = "() => navigator.locks.query().then(({ held }) => held.length === 0)"
"""Whether no page of the book holds the model."""


def press(page: Page, name: str) -> None:
    page.locator("button.jupyter-button", has_text=name).first.click()


def test_a_reader_loads_a_model_types_and_removes_it(opened: Open, asked: list[str]) -> None:
    page = opened("chapters/real_model")
    expect(page.locator("article")).to_contain_text(f"{LOADED} Your browser keeps it")
    assert sum(url.endswith(".bin") for url in asked) == 3
    expect(page.locator("article")).to_contain_text("bits less")

    # What is typed stays in the page: no request follows, whatever is pressed.
    before = len(asked)
    field = page.get_by_label("first sentence")
    field.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("zebras sleep")
    press(page, "Score")
    expect(page.get_by_role("rowheader", name="zebras")).to_be_visible()
    head = page.get_by_role("button", name="layer 2, head 3")
    head.click()
    expect(page.locator("article")).to_contain_text("layer 2, head 3: ")
    page.get_by_label("silence").select_option("this head")
    press(page, "Ask")
    expect(page.locator("article")).to_contain_text("(may be wrong):")
    assert len(asked) == before

    # Another tab may not take as much memory again; once this one is closed, the pieces are here.
    other = opened("intro")
    expect(other.locator("article")).to_contain_text("Another tab of this book has the model open")
    page.close()
    other.wait_for_function(FREE)  # the browser ends the Python of a closed tab a moment later
    asked.clear()
    press(other, "Load a real model")
    expect(other.locator("article")).to_contain_text(LOADED)
    assert not [url for url in asked if url.endswith(".bin")]
    press(other, "Remove the model")
    expect(other.locator("article")).to_contain_text("The model is removed.")
    assert other.evaluate("() => caches.keys()") == []
    assert other.evaluate("() => document.documentElement.scrollWidth") == 390


def test_a_load_that_finds_nothing_is_stopped_or_fails_may_be_tried_again(
    opened: Open, context: BrowserContext, site: str, given: Given
) -> None:
    """No model; then its second piece is held back until Stop is pressed, then it fails."""
    whole, stopped = dict(given), threading.Event()
    given[LIST] = lambda: None
    page = opened("chapters/real_model")
    expect(page.locator("article")).to_contain_text("make real and make book add it")

    given |= whole | {SECOND: functools.partial(lost, stopped)}
    with context.expect_event("request", lambda request: request.url.endswith("/1.bin")):
        press(page, "Load a real model")
    press(page, "Stop")
    expect(page.locator("article")).to_contain_text("Stopped.")
    stopped.set()

    # The tab has given back its lock, so another one may load.
    other = opened("chapters/19_published_model")
    expect(other.locator("article")).to_contain_text("could not be loaded. Is there a network")

    # The pieces are all there now, but the disk is full.
    given |= whole
    quota = {"origin": site, "quotaSize": 1}
    context.new_cdp_session(other).send("Storage.overrideQuotaForOrigin", quota)
    press(other, "Load a real model")
    expect(other.locator("article")).to_contain_text(f"{LOADED} Your browser refuses to keep it")


def lost(after: threading.Event) -> bytes:
    """Break the connection once something has happened."""
    after.wait(START_LIMIT / 1000)
    raise ConnectionError
