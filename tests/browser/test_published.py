"""A real model in the page, here a small one: loaded, typed into, kept by the browser, removed."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.browser.live import START_LIMIT
from tests.course.published import tiny

LOADED = "The model is loaded."


@pytest.fixture(scope="module")
def pieces(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What the book's host gives: the list of the pieces, and three of them."""
    data = tiny.write(tmp_path_factory.mktemp("tiny") / "tiny.gguf").read_bytes()
    third = len(data) // 3 + 1
    found = {f"{i}.bin": data[i * third : (i + 1) * third] for i in range(3)}
    return {"published.json": json.dumps([*found]).encode()} | found


@pytest.fixture
def context(browser: Browser, runnable: None, pieces: dict[str, bytes]) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    context.set_default_timeout(START_LIMIT)

    def give(route: Route) -> None:
        route.fulfill(body=pieces[route.request.url.rsplit("/", 1)[1]])

    context.route("**/vendor/published**", give)
    context.route("**/vendor/published/**", give)
    yield context
    context.close()


def opened(context: BrowserContext, site: str, name: str = "chapters/real_model") -> Page:
    """A tab in which the reader has pressed the button that loads the model."""
    page = context.new_page()
    page.goto(f"{site}/{name}.html")
    page.get_by_role("button", name="Load a real model").click()
    page.locator("button.jupyter-button", has_text="Load a real model").wait_for()
    return page


def press(page: Page, name: str) -> None:
    page.locator("button.jupyter-button", has_text=name).first.click()


def test_a_reader_loads_a_model_types_and_removes_it(context: BrowserContext, site: str) -> None:
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    page = opened(context, site)
    expect(page.locator("article")).to_contain_text(f"{LOADED} Your browser keeps it")
    assert sum(url.endswith(".bin") for url in asked) == 3  # what the worker asks for is seen
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

    # Another tab may not take as much memory again; after a reload the pieces are here.
    other = opened(context, site, "chapters/19_published_model")
    expect(other.locator("article")).to_contain_text("Another tab of this book has the model open")
    other.close()
    page.close()
    asked.clear()
    page = opened(context, site, "intro")
    expect(page.locator("article")).to_contain_text(LOADED)
    assert not [url for url in asked if url.endswith(".bin")]
    press(page, "Remove the model")
    expect(page.locator("article")).to_contain_text("The model is removed.")
    assert page.evaluate("() => caches.keys()") == []
    assert page.evaluate("() => document.documentElement.scrollWidth") == 390


def test_a_load_that_is_stopped_or_fails_leaves_nothing(
    context: BrowserContext, site: str, pieces: dict[str, bytes]
) -> None:
    """The second piece is held back until Stop is pressed, then fails, and then arrives."""
    held: list[Route] = []
    second = "**/vendor/published/1.bin"
    context.route(second, lambda route: route.abort() if held else held.append(route))
    with context.expect_event("request", lambda request: request.url.endswith("/1.bin")):
        page = opened(context, site)
    press(page, "Stop")
    expect(page.locator("article")).to_contain_text("Stopped.")

    # The tab has given back its lock, so another one may load.
    other = opened(context, site)
    expect(other.locator("article")).to_contain_text("could not be loaded. Is there a network")
    context.unroute(second)
    press(other, "Load a real model")
    expect(other.locator("article")).to_contain_text(LOADED)
    held[0].abort()


def test_a_full_disk_loads_the_model_and_says_that_it_is_not_kept(
    context: BrowserContext, site: str
) -> None:
    page = context.new_page()
    page.goto(site)
    quota = {"origin": site, "quotaSize": 1}
    context.new_cdp_session(page).send("Storage.overrideQuotaForOrigin", quota)
    expect(opened(context, site).locator("article")).to_contain_text(
        f"{LOADED} Your browser refuses to keep it"
    )


def test_a_book_without_the_model_says_how_to_add_it(context: BrowserContext, site: str) -> None:
    context.unroute_all()
    context.route("**/vendor/published**", lambda route: route.fulfill(status=404))
    page = opened(context, site)
    expect(page.locator("article")).to_contain_text("make real and make book add it")
