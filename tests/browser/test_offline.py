"""What a reader has opened is there again when the host is gone, late, or gives something else."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from book import serve
from tests.browser.engines import DRAWN, SELENIUM, Engine, wait
from tests.browser.live import START_LIMIT, bar, cell, type_into, wait as wait_for_cells
from tests.browser.odd_hosts import BELOW, Losing, Plain, Stripping

pytestmark = pytest.mark.filterwarnings(SELENIUM)

PAGE = "chapters/02_embeddings.html"
DEVICE = "chapters/device.html"
RAN = "window.tlLive?.isReady && !tlLive.queue.length && tlLive.cells.some((one) => one.isFresh)"
HERE = "(document.querySelector('main article')?.innerText ?? '')"
BOOK = ".tl-device-book"
SAID = f"(document.querySelector('{BOOK} [role=status]')?.innerText ?? '')"


def keep(engine: Engine, address: str) -> None:
    """Open a page, and let it keep what it has loaded, as it does by itself on a site of https.

    Later visits add a question to the address: a browser may keep the page itself for a while.
    """
    engine.visit(address)
    wait(engine, f"({DRAWN}) && window.tlKeep")
    engine.see("(tlKeep.here().then((found) => { window.kept = found; }), 1)")
    wait(engine, "window.kept?.every(Boolean) && navigator.serviceWorker.controller")


@pytest.fixture
def kept(engine: Engine, runnable: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a book of which the reader has opened one page."""
    monkeypatch.setattr(Losing, "name", "")
    monkeypatch.setattr(Losing, "how", "")
    with serve.served(Losing) as found:
        keep(engine, f"{found}{BELOW}/{PAGE}")
        yield f"{found}{BELOW}"


@pytest.mark.parametrize("host", [Plain, Stripping])
def test_without_a_network_a_page_is_there_and_others_are_named(
    engine: Engine, host: type[Plain], runnable: None
) -> None:
    with serve.served(host) as found:
        keep(engine, f"{found}{BELOW}/{PAGE}")
    engine.visit(f"{found}{BELOW}/{PAGE}?again")
    wait(engine, f"{HERE}.startsWith('There is no network.') && {HERE}.includes('Embeddings')")
    engine.visit(f"{found}{BELOW}/chapters/00_warm_up.html")
    wait(engine, f"location.pathname.endsWith('{DEVICE}')")
    wait(engine, f"{HERE}.includes('has not kept the page chapters/00_warm_up.html')")
    wait(engine, f"/[23] of the \\d+ pages/.test({HERE})")  # Firefox asks for the next page, too
    engine.click(f"{BOOK} a[href$='{PAGE}']")
    wait(engine, f"location.pathname.includes('embeddings') && {HERE}.includes('Embeddings')")


def test_a_late_host_is_not_waited_for(
    engine: Engine, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Losing, "how", "late")
    engine.visit(f"{kept}/{PAGE}?again")
    wait(engine, f"{HERE}.startsWith('The host did not answer for five seconds.')")


def test_a_page_to_log_in_is_shown_and_not_kept(
    engine: Engine, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Losing, "name", f"/{PAGE}")
    monkeypatch.setattr(Losing, "how", "page")
    engine.visit(f"{kept}/{PAGE}?again")
    wait(engine, "document.title === 'Log in'")
    monkeypatch.setattr(Losing, "how", "late")
    engine.visit(f"{kept}/{PAGE}?once-more")
    wait(engine, f"{HERE}.includes('Embeddings')")


def test_one_press_keeps_the_whole_book(engine: Engine, runnable: None) -> None:
    with serve.served(Plain) as found:
        engine.visit(f"{found}{BELOW}/{DEVICE}")
        wait(engine, f"/\\(\\d+ MB\\)/.test(document.querySelector('{BOOK} button').innerText)")
        engine.click(f"{BOOK} button")
        wait(engine, f"/[1-9]\\d* of \\d+ MB/.test({SAID})")
        engine.click(f"{BOOK} button:nth-of-type(2)")
        wait(engine, f"{SAID}.startsWith('Stopped.')")
        engine.click(f"{BOOK} button")
        wait(engine, f"{SAID} === 'The whole book is on this device.'")
    engine.visit(f"{found}{BELOW}/chapters/00_warm_up.html")
    wait(engine, f"{DRAWN} && document.querySelector('.tl-run-cell')")
    engine.click(".tl-run-cell")
    wait(engine, RAN)


LOST = {
    "import matplotlib": "matplotlib",
    "import pygments": "pygments",
    "open('models/agreement_rnn.safetensors')": "the file models/agreement_rnn.safetensors",
}


@pytest.mark.slow
def test_what_is_lost_with_the_network_is_a_sentence(
    site: str, fresh: Page, runnable: None
) -> None:
    fresh.set_default_timeout(START_LIMIT)
    with serve.served() as address:
        fresh.goto(f"{address}/chapters/02_embeddings.html")
        fresh.locator(".tl-run-cell").first.click()
        wait_for_cells(fresh)
    for code, lost in LOST.items():
        type_into(fresh, 1, code)
        fresh.keyboard.press("Shift+Enter")
        said = f"{lost} could not be loaded: is there a network?"
        expect(cell(fresh, 1).locator(".tl-cell-said")).to_have_text(f"edited, {said}")
        expect(bar(fresh)).to_contain_text(said)
        assert fresh.locator(".traceback").count() == 0


def test_a_page_of_http_starts_no_worker(site: str, fresh: Page) -> None:
    fresh.goto(f"{site}/chapters/02_embeddings.html")
    count = "async () => (await navigator.serviceWorker.getRegistrations()).length"
    assert fresh.evaluate(count) == 0
