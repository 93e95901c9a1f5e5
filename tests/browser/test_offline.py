"""What a reader has opened and run is there again when the server is gone."""

import threading

import pytest
from playwright.sync_api import Browser, expect

from book import serve
from tests.browser.live import START_LIMIT, bar, cell, run_page, type_into, wait

CONTROLLED = "() => navigator.serviceWorker.controller"


@pytest.mark.slow
def test_a_page_that_has_run_runs_without_a_network(
    site: str, browser: Browser, runnable: None
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(START_LIMIT)
    server = serve.server(0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/chapters/02_embeddings.html"
    page.goto(address)
    # On a site of https a page does so by itself.
    page.evaluate("() => tlKeep()")
    page.wait_for_function(CONTROLLED)
    run_page(page)
    server.shutdown()
    server.server_close()
    page.reload()
    expect(page.locator("h1").first).to_contain_text("Embeddings")
    expect(bar(page)).to_contain_text("Python in your browser")
    run_page(page)
    expect(cell(page, 2).locator(".tl-cell-said")).to_have_text("as in the book")
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("code", "lost"),
    [
        ("import matplotlib", "matplotlib"),
        ("import pygments", "pygments"),
        ("open('models/agreement_rnn.safetensors')", "the file models/agreement_rnn.safetensors"),
    ],
)
def test_what_is_lost_with_the_network_is_a_sentence(
    site: str, browser: Browser, runnable: None, code: str, lost: str
) -> None:
    page = browser.new_page()
    page.set_default_timeout(START_LIMIT)
    server = serve.server(0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    page.goto(f"http://127.0.0.1:{server.server_port}/chapters/02_embeddings.html")
    page.locator(".tl-run-cell").first.click()
    wait(page)
    server.shutdown()
    server.server_close()
    type_into(page, 1, code)
    page.keyboard.press("Shift+Enter")
    said = f"{lost} could not be loaded: is there a network?"
    expect(cell(page, 1).locator(".tl-cell-said")).to_have_text(f"edited, {said}")
    expect(bar(page)).to_contain_text(said)
    assert page.locator(".traceback").count() == 0
    page.close()


def test_a_page_of_http_starts_no_worker(site: str, browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{site}/chapters/02_embeddings.html")
    count = "async () => (await navigator.serviceWorker.getRegistrations()).length"
    assert page.evaluate(count) == 0
    context.close()
