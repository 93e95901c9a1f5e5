"""What a reader has opened and run is there again when the server is gone."""

import pytest
from playwright.sync_api import Page, expect

from book import serve
from tests.browser.live import START_LIMIT, bar, cell, run_page, type_into, wait

CONTROLLED = "() => navigator.serviceWorker.controller"


@pytest.mark.slow
def test_a_page_that_has_run_runs_without_a_network(site: str, fresh: Page, runnable: None) -> None:
    fresh.set_default_timeout(START_LIMIT)
    with serve.served() as address:
        fresh.goto(f"{address}/chapters/02_embeddings.html")
        # On a site of https a page does so by itself.
        fresh.evaluate("() => tlKeep()")
        fresh.wait_for_function(CONTROLLED)
        run_page(fresh)
    fresh.reload()
    expect(fresh.locator("h1").first).to_contain_text("Embeddings")
    expect(bar(fresh)).to_contain_text("Python in your browser")
    run_page(fresh)
    expect(cell(fresh, 2).locator(".tl-cell-said")).to_have_text("as in the book")


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
        wait(fresh)
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
