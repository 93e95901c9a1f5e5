"""A real model in the page, here a small one: loaded, typed into, kept by the browser, removed."""

import functools
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Request, expect

from book import serve
from book.paths import html_folder
from tests.browser.host import Book
from tests.browser.live import START_LIMIT
from tests.browser.pieces import LIST, Given
from tests.course.published import tiny

LOADED = "The model is loaded."
LOGIN = b"<!doctype html><title>Log in</title>"
STORE = "the-worked-transformer-model"
BY_ADDRESS = """async ([store, paths, wrong, body]) => {
  const cache = await caches.open(store);
  for (const path of paths) {
    await cache.put(path, path === wrong ? new Response(body) : await fetch(path));
  }
  await cache.put(wrong.replace(/.*[/]/, `/${store}/`), new Response(body));
}"""
"""Keeps pieces as an earlier version did; one of them is wrong, by its address and by its name."""
KEPT = """(store) => caches.open(store).then((cache) => cache.keys())
  .then((found) => found.map(({ url }) => new URL(url).pathname).sort())"""
RUN = """async (id) => {
  const cells = tlLive.cells.slice(tlLive.cells.findIndex((cell) => cell.id === "imports"));
  await tlLive.run(cells.find((cell) => cell.id === id));
  const run = cells.filter((cell) => cell.last);
  return Object.fromEntries(run.map((cell) => [cell.id, cell.last.error]));
}"""
SHOWN = ["imports", "entries", "entries-figure", "block"]
"""What runs at a press of the cell `block`."""
OTHERS = "() => tlLive.cells.filter((cell) => cell.ran && !cell.ran.same).map((cell) => cell.id)"
"""The cells that gave other outputs than the book stores."""
Open = Callable[[str], Page]


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


@pytest.fixture
def second(pieces: dict[str, bytes]) -> str:
    """The path of the second piece."""
    return next(path for path in pieces if "/01-" in path)


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
    other = opened("chapters/real_model")
    expect(other.locator("article")).to_contain_text("Another tab has the model open.")
    page.close()
    other.wait_for_function(FREE)  # the browser ends the Python of a closed tab a moment later
    asked.clear()
    press(other, "Load a real model")
    expect(other.locator("article")).to_contain_text(LOADED)
    assert not [url for url in asked if url.endswith(".bin")]
    press(other, "Remove the model")
    expect(other.locator("article")).to_contain_text("The model is removed for every book at this")
    assert other.evaluate("() => caches.keys()") == []
    assert other.evaluate("() => document.documentElement.scrollWidth") == 390


GRID = """() => [...document.querySelectorAll(".tl-grid button")].map(
  (cell) => getComputedStyle(cell, "::after").content.replace(/^"|"$/g, ""))"""
"""What the cells of the grid show."""
CUT = """() => [...document.querySelectorAll("main .tl-widget .widget-label")]
  .filter((label) => label.scrollWidth > label.clientWidth || label.clientHeight > 60)
  .map((label) => label.textContent)"""
"""The labels of fields that are cut, or that leave a gap above their field."""


def test_two_sentences_fill_a_grid_on_a_phone_with_keys(opened: Open) -> None:
    page = opened("chapters/real_model")
    expect(page.locator("article")).to_contain_text(LOADED)
    typed = {
        "second of the pair": "a cot",
        "first of the pair": "a key",
        "third sentence": "a cat",
        "first next word": "a",
        "second next word": "i",
    }
    for name, text in typed.items():
        page.get_by_label(name).click()
        page.keyboard.press("ControlOrMeta+a")
        page.keyboard.type(text)
    press(page, "Fill the grid")
    expect(page.locator("article")).to_contain_text("A number is the share of this difference")
    cells = page.evaluate(GRID)
    assert len(cells) == 5 * tiny.LAYERS and cells[-1] == "100" and set(cells[::5]) == {"0"}
    assert page.evaluate(CUT) == []

    # Tab comes to the map once, and the arrows move in it.
    page.get_by_role("button", name="after layer 9, word 4").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("article")).to_contain_text("After layer 10, at y: with the second")
    expect(page.locator("article")).to_contain_text("100% of the way to the second sentence")
    assert page.locator(".tl-grid button[tabindex='0']").count() == 1
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="after layer 1, word 1")).to_be_visible()
    page.emulate_media(media="screen")
    page.get_by_label("grid").select_option("third put in (the null)")
    press(page, "Fill the grid")
    expect(page.locator("article")).to_contain_text("The largest change of the null is")
    page.get_by_label("third sentence").click()
    page.keyboard.type("s")
    press(page, "Fill the grid")
    expect(page.get_by_role("alert")).to_contain_text("key is 4 tokens (␣|k|e|y), but cats is 5")
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


def test_rules_are_typed_and_tested_on_a_phone(opened: Open) -> None:
    page = opened("chapters/real_model")
    expect(page.locator("article")).to_contain_text(LOADED)
    press(page, "Test the rules")
    expect(page.locator("article")).to_contain_text("Tested: 15 of 15 pairs.")
    expect(page.get_by_text("The N that the A P V")).to_be_visible()
    assert page.evaluate(CUT) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390

    # Typed rules; Tab leaves the field and comes to the button.
    page.get_by_label("rules of English words").click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("S -> the N")
    expect(page.locator("article")).to_contain_text("The answer below is old")
    for key in ("Tab", "Tab", "Enter"):
        page.keyboard.press(key)
    expect(page.get_by_role("alert")).to_contain_text("line 1, S -> the N: N must have a rule")


def test_a_load_that_finds_nothing_is_stopped_or_fails_may_be_tried_again(
    opened: Open, context: BrowserContext, site: str, given: Given, second: str
) -> None:
    """No model; then its second piece is held back until Stop is pressed, then it fails."""
    whole, stopped = dict(given), threading.Event()
    given[LIST] = lambda: None
    page = opened("chapters/real_model")
    expect(page.locator("article")).to_contain_text("make real and make book add it")

    given |= whole | {second: functools.partial(lost, stopped)}
    with context.expect_event("request", lambda request: request.url.endswith(second)):
        press(page, "Load a real model")
    press(page, "Stop")
    expect(page.locator("article")).to_contain_text("Stopped.")
    stopped.set()

    # The tab has given back its lock, so another one may load.
    other = opened("chapters/19_published_model")
    expect(other.locator("article")).to_contain_text("could not be loaded. Is there a network")
    assert ran(other, "entries") == {"imports": "FileNotFoundError"}
    expect(other.locator("article")).to_contain_text("press Load a real model on this page")

    # The pieces are all there now, but the disk is full.
    given |= whole
    quota = {"origin": site, "quotaSize": 1}
    context.new_cdp_session(other).send("Storage.overrideQuotaForOrigin", quota)
    press(other, "Load a real model")
    expect(other.locator("article")).to_contain_text(f"{LOADED} Your browser refuses to keep it")
    assert ran(other, "block") == dict.fromkeys(SHOWN, "")
    expect(other.locator("article")).to_contain_text(f"{2 + 9 * tiny.LAYERS} tensors")


def ran(page: Page, name: str) -> dict[str, str]:
    """Press a cell of chapter 19; the cells from the imports on that have run, and their errors."""
    found: dict[str, str] = page.evaluate(RUN, name)
    return found


SHOWN_BY = {
    "19_published_model": "block tokens heads-code chefs surprisal-figure facts-code".split(),
    "own_experiment": ["result-figure", "part-table", "methods"],
    "looking_inside": ["own-all-figure", "behavior-effects", "grid-floor", "curve-table"],
}


@pytest.mark.parametrize("chapter", SHOWN_BY)
def test_a_chapter_gives_its_numbers_where_the_book_has_the_published_model(
    opened: Open, given: Given, pieces: dict[str, bytes], chapter: str
) -> None:
    if not (html_folder() / LIST.removeprefix("/")).exists():
        pytest.skip("the book was built without the model: make real and make book add it")
    for path in pieces:
        del given[path]
    page = opened(f"chapters/{chapter}")
    expect(page.locator("article")).to_contain_text(LOADED, timeout=START_LIMIT)
    for name in SHOWN_BY[chapter]:
        assert not any(ran(page, name).values())
    assert page.evaluate(OTHERS) == []


def lost(after: threading.Event) -> bytes:
    """Break the connection once something has happened."""
    after.wait(START_LIMIT / 1000)
    raise ConnectionError


def test_a_login_page_in_the_place_of_a_piece_is_refused_and_not_kept(
    opened: Open, given: Given, second: str
) -> None:
    whole = dict(given)
    given[LIST] = lambda: LOGIN
    page = opened("chapters/real_model")
    refused = (
        "The host sent a web page in place of a part of the model: load this page anew, log in"
    )
    expect(page.locator("article")).to_contain_text(refused)
    assert kept(page) == []

    given |= whole | {second: lambda: LOGIN}
    press(page, "Load a real model")
    page.wait_for_function(
        f"(store) => ({KEPT})(store).then(({{ length }}) => length === 2)", arg=STORE
    )
    page.wait_for_function(FREE)
    expect(page.locator("article")).to_contain_text(refused)
    assert kept(page) == [LIST, *by_name(whole)[:1]]

    given |= whole
    press(page, "Load a real model")
    expect(page.locator("article")).to_contain_text(LOADED)
    assert kept(page) == [LIST, *by_name(whole)]


def test_two_books_share_the_pieces_and_those_of_an_earlier_version(
    opened: Open,
    context: BrowserContext,
    site: str,
    given: Given,
    second: str,
    asked: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = [path for path in given if path.endswith(".bin")]
    page = context.new_page()
    page.goto(f"{site}/blank.html")
    page.evaluate(BY_ADDRESS, [STORE, paths, second, LOGIN.decode()])
    page.close()
    asked.clear()
    page = opened("chapters/real_model")
    expect(page.locator("article")).to_contain_text(LOADED)
    assert [url for url in asked if url.endswith(".bin")] == [site + second]
    assert kept(page) == [LIST, *by_name(given)]
    page.close()

    given |= {f"/2027{path}": body for path, body in given.items()}
    monkeypatch.setattr(Book, "translate_path", without_its_folder)
    asked.clear()
    other = opened("2027/chapters/real_model")
    expect(other.locator("article")).to_contain_text(LOADED)
    assert not [url for url in asked if url.endswith(".bin")]


def without_its_folder(handler: Book, path: str) -> str:
    """The file of the book, which is served below a folder, too."""
    return serve.Handler.translate_path(handler, path.removeprefix("/2027"))


def by_name(given: Given) -> list[str]:
    """By what the browser keeps the pieces."""
    return [f"/{STORE}/{path.rpartition('/')[2]}" for path in given if path.endswith(".bin")]


def kept(page: Page) -> list[str]:
    """The paths of what the browser keeps of the model."""
    found: list[str] = page.evaluate(KEPT, STORE)
    return found
