"""Two books on one host: what a reader writes in one of them is not shown in the other."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from selenium.webdriver.common.keys import Keys

from book import serve
from tests.browser.engines import SELENIUM, Engine, wait
from tests.browser.exercise_page import OPEN, page_of
from tests.browser.live import bar
from tests.browser.visit import PATIENCE

BOOKS = ("/2026", "/2027")
CHAPTER = "chapters/02_embeddings"
EXERCISE = page_of("04_attention")
TEXTS = {CHAPTER: {"c004": "kept = 1"}, EXERCISE: {"softmax": "kept = 2"}}
"""What an earlier version of the book kept."""
LINE = "Your browser had kept text for this page under an older name, and it is here now."
KEEP = "([key, text]) => localStorage.setItem(key, text)"
KEPT = "(key) => localStorage.getItem(key)"
CODE = "() => Object.fromEntries(tlLive.work())"
TAKE = "([id, code]) => tlLive.take(new Map([[id, code]]))"


class Both(serve.Handler):
    """Serves one book below two folders."""

    def translate_path(self, path: str) -> str:
        """Leave the folder of either book out, or lead where no file is."""
        folder = next((each for each in BOOKS if path.startswith(f"{each}/")), None)
        return super().translate_path(path.removeprefix(folder) if folder else "/nothing")


@pytest.fixture(scope="module")
def host(runnable: None) -> Iterator[str]:
    with serve.served(Both) as found:
        yield found


@pytest.fixture
def reader(browser: Browser, host: str) -> Iterator[Page]:
    """A reader in whose browser an earlier version of the book has kept something."""
    made = browser.new_page()
    made.set_default_timeout(PATIENCE)
    made.goto(f"{host}/2026/search.html")
    for page, texts in TEXTS.items():
        made.evaluate(KEEP, [f"tl-live:{page}", json.dumps(texts)])
    yield made
    for page, texts in TEXTS.items():
        assert made.evaluate(KEPT, f"tl-live:{page}") == json.dumps(texts)
    made.close()


def codes(reader: Page, address: str) -> dict[str, str]:
    """The code of each cell of a page, which opens by itself."""
    reader.goto(address)
    reader.wait_for_function(OPEN)
    found: dict[str, str] = reader.evaluate(CODE)
    return found


@pytest.mark.filterwarnings(SELENIUM)
def test_what_is_typed_in_a_book_stays_there(engine: Engine, host: str) -> None:
    """As `test_what_was_kept` below, with keys and in each engine; the book of 2027 comes first."""
    editor = "document.querySelector('[data-here] .cm-content')?.innerText ?? ''"
    mark = "tlLive.cells.find(({ id }) => id === 'softmax').element.dataset.here = ''"

    def shows(book: str, text: str) -> None:
        engine.visit(f"{host}{book}/{EXERCISE}.html")
        wait(engine, "window.tlLive")
        engine.see(mark)
        wait(engine, f"({editor}).includes({text!r})")

    engine.visit(f"{host}/2027/search.html")
    old = json.dumps(json.dumps(TEXTS[EXERCISE]))
    engine.see(f"(localStorage.setItem('tl-live:{EXERCISE}', {old}), 1)")
    shows("/2027", "kept = 2")
    wait(engine, f"document.querySelector('.tl-live-bar').innerText.includes({LINE!r})")
    engine.click("[data-here] .cm-content")
    engine.type(Keys.CONTROL + "a", "typed = 3")
    shows("/2026", "kept = 2")
    shows("/2027", "typed = 3")
    engine.see("(localStorage.clear(), 1)")


@pytest.mark.parametrize("name", TEXTS)
def test_what_was_kept_comes_into_both_books_which_then_differ(
    reader: Page, host: str, name: str
) -> None:
    ((cell, text),) = TEXTS[name].items()
    first, second = (f"{host}{book}/{name}.html" for book in BOOKS)
    assert codes(reader, second)[cell] == text
    expect(bar(reader)).to_contain_text(LINE)
    assert codes(reader, first)[cell] == text
    expect(bar(reader)).to_contain_text(LINE)

    codes(reader, second)
    expect(bar(reader)).not_to_contain_text("older name")
    reader.evaluate(TAKE, [cell, "only_here = 1"])
    assert codes(reader, second)[cell] == "only_here = 1"
    assert codes(reader, first)[cell] == text


def test_what_a_reader_resets_in_a_book_stays_reset(reader: Page, host: str) -> None:
    address = f"{host}/2027/{EXERCISE}.html"
    assert codes(reader, address)["softmax"] == "kept = 2"
    bar(reader).get_by_role("button", name="Reset all").click()
    assert "not yet written" in codes(reader, address)["softmax"]
    expect(bar(reader)).not_to_contain_text("older name")
    assert codes(reader, f"{host}/2026/{EXERCISE}.html")["softmax"] == "kept = 2"


def test_a_chapter_does_not_open_by_itself_for_what_was_reset(reader: Page, host: str) -> None:
    address = f"{host}/2027/{CHAPTER}.html"
    codes(reader, address)
    bar(reader).get_by_role("button", name="Reset all").click()
    reader.goto(address)
    expect(bar(reader)).to_contain_text("and you can change it.")
    reader.wait_for_load_state("networkidle")
    assert not reader.evaluate(OPEN)


def test_a_page_with_other_cells_is_as_in_the_book(reader: Page, host: str) -> None:
    other = json.dumps({**TEXTS[CHAPTER], "of-another-book": "kept = 3", "another": "kept = 4"})
    reader.evaluate(KEEP, [f"tl-live:{CHAPTER}", other])
    assert "kept = 1" not in codes(reader, f"{host}/2027/{CHAPTER}.html").values()
    expect(bar(reader)).to_contain_text("and you can change it.")
    expect(bar(reader)).not_to_contain_text("older name")
    expect(bar(reader).get_by_role("button", name="Reset all")).to_be_hidden()
    assert reader.evaluate(KEPT, f"tl-live:{CHAPTER}") == other
    assert reader.evaluate(KEPT, f"tl-live:/2027/{CHAPTER}") is None
    reader.evaluate(KEEP, [f"tl-live:{CHAPTER}", json.dumps(TEXTS[CHAPTER])])
