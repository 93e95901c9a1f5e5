"""A page that runs its code: what the tests do with it."""

import os
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from book.live import wheels
from book.paths import html_folder

# A cold start on a busy machine takes most of a minute, and a chapter may take two.
START_LIMIT = 300_000
POLL = 100
"""Milliseconds between two looks at what takes seconds; else a look asks for each frame."""

DESKTOP = pytest.mark.parametrize("page", [1280], indirect=True)
PHONE = pytest.mark.parametrize("page", [390], indirect=True)
"""For tests of what Python does, which is the same at each width: a start of it takes seconds."""

IDLE = "() => window.tlLive?.isReady && !window.tlLive.queue.length"
REQUESTS = "() => performance.getEntriesByType('resource').map((entry) => entry.name)"
HEARS_RUNS = """() => {
  const { worker } = tlLive.kernel, post = worker.postMessage;
  worker.postMessage = (message) => {
    if (message.type === "run") window.heard.push(message.cell);
    post.call(worker, message);
  };
}"""
CELLS = """() => tlLive.cells.map((cell) => ({
  id: cell.id, torch: cell.torch, waits: cell.waits.length > 0, ran: cell.isFresh, ...cell.last,
}))"""


def can_run() -> None:
    """Skip where the book was built without a Python for its pages.

    In CI that is a failure, unless there is neither a folder of wheels nor a network to fetch them.
    """
    script = (html_folder() / "_static/vendor/runtime.js").read_text(encoding="utf-8")
    (reason,) = re.findall(r'"reason": "(.*)"', script)
    if reason:
        message = f"no page of this book runs its code: {reason}"
        if os.environ.get("CI") == "true" and wheels.named():
            pytest.fail(message)
        pytest.skip(message)


def bar(page: Page) -> Locator:
    """The bar of the page."""
    return page.locator(".tl-live-bar")


def cell(page: Page, number: int) -> Locator:
    """The cell that the page calls by this number."""
    return page.locator("main div.cell").filter(
        has=page.locator(".tl-cell-bar b", has_text=re.compile(rf"^Cell {number}$"))
    )


def run_page(page: Page) -> list[dict[str, Any]]:
    """Press the button, wait until every cell has run that can, and return what they gave."""
    bar(page).get_by_role("button", name="Run this page").click()
    return wait(page)


def wait(page: Page) -> list[dict[str, Any]]:
    """Wait until nothing runs; the cells with what they gave."""
    page.wait_for_function(IDLE, timeout=START_LIMIT, polling=POLL)
    found: list[dict[str, Any]] = page.evaluate(CELLS)
    return found


def type_into(page: Page, number: int, code: str) -> Locator:
    """Replace the code of a cell by the keyboard; its editor."""
    editor = cell(page, number).locator(".cm-content")
    editor.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.insert_text(code)
    return editor
