"""The built book below a folder of hosts that nobody chose, in three engines."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from book import serve
from tests.browser.engines import DRAWN, SELENIUM, Engine, wait
from tests.browser.odd_hosts import (
    BELOW,
    Allowing,
    Always,
    Forbidding,
    Ignorant,
    Losing,
    Mistyping,
    Plain,
    Slow,
    Stripping,
)

pytestmark = pytest.mark.filterwarnings(SELENIUM)

PAGE = "chapters/00_warm_up.html"
EXERCISE = "exercises/release/04_attention/04_attention_exercise.html?week=4#task-1"
RAN = "window.tlLive?.isReady && !tlLive.queue.length && tlLive.cells.some((one) => one.isFresh)"
SAID = "(document.querySelector('.tl-live-bar')?.innerText ?? '')"


WASM, WHEEL = "pyodide.asm.wasm", "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"
LOST = {
    (WASM, "404"): f"does not give {WASM} (it answers 404)",
    (WASM, "page"): f"gives something else than {WASM}",
    (WASM, "half"): f"gives something else than {WASM}",
    (WASM, "broken"): WASM,  # an engine may say only that it came to an end
    (WASM, "stuck"): f"stopped sending {WASM}",
    (WHEEL, "page"): f"gives something else than {WHEEL}",
    ("course.zip", "page"): "gives something else than course.zip",
    ("pyodide-lock.json", "page"): "gives something else than pyodide-lock.json",
    ("files.json", "404"): "does not give files.json",
    ("pyodide.js", "plain"): "gives pyodide.js as text/plain",
    ("worker.js", "404"): "does not give worker.js",
    ("pyodide.asm.js", "404"): "does not give pyodide.asm.js",
    ("outputs.js", "404"): "does not give outputs.js",
    ("00_warm_up.json", "page"): "gives something else than 00_warm_up.json",
}
"""What is wrong with which file, and what the page says of it."""


@pytest.fixture
def address(request: pytest.FixtureRequest, runnable: None) -> Iterator[str]:
    with serve.served(request.param) as found:
        yield found + BELOW


RUNNING = [Plain, Stripping, Allowing, Mistyping, Always, Slow]


def press(engine: Engine, address: str) -> None:
    """Open a page, and press the first of its buttons that start Python."""
    engine.visit(f"{address}/{PAGE}")
    wait(engine, f"({DRAWN}) && document.querySelector('.tl-run-cell')")
    engine.click(".tl-run-cell")


@pytest.mark.parametrize("address", RUNNING, indirect=True)
def test_a_cell_runs(engine: Engine, address: str) -> None:
    press(engine, address)
    wait(engine, RAN)


@pytest.mark.parametrize("address", [Stripping], indirect=True)
def test_a_link_leads_to_what_it_means(engine: Engine, address: str) -> None:
    for behind in ("#a-change-of-basis", "?from=a-course"):
        engine.visit(f"{address}/{PAGE}{behind}")
        wait(engine, f"{SAID}.includes('Run this page')")
    engine.visit(f"{address}/{EXERCISE}")
    wait(engine, "document.querySelector('.cm-content')")
    engine.visit(f"{address}/chapters/14_families.html#the-sizes")
    wait(engine, "location.hash === '#counting-the-parameters-of-published-models'")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (Forbidding, "forbids WebAssembly"),
        (Ignorant, "does not give pyodide.asm.wasm (it answers 404)"),
    ],
    indirect=["address"],
)
def test_a_host_that_cannot_give_python_is_named(engine: Engine, address: str, why: str) -> None:
    press(engine, address)
    wait(engine, f"{SAID}.includes({why!r})")


FRAME = """(src) => document.body.append(
  Object.assign(document.createElement("iframe"), { src, sandbox: "allow-scripts" }))"""


@pytest.mark.parametrize("address", [Plain], indirect=True)
def test_a_frame_that_is_shut_off_leads_to_a_tab(fresh: Page, address: str) -> None:
    fresh.goto(f"{address}/search.html")
    fresh.evaluate(FRAME, f"{address}/{PAGE}")
    bar = fresh.frame_locator("iframe").locator(".tl-live-bar")
    expect(bar).to_contain_text("Code cannot run in this frame. It can in a tab of its own.")


@pytest.mark.parametrize("address", [Losing], indirect=True)
@pytest.mark.parametrize(("name", "how"), LOST)
def test_a_lost_file_is_named_and_may_come_later(
    engine: Engine, address: str, name: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Losing, "name", f"/{name}")
    monkeypatch.setattr(Losing, "how", how)
    press(engine, address)
    wait(engine, f"{SAID}.includes({LOST[name, how]!r})")
    if (name, how) == (WASM, "404"):
        monkeypatch.setattr(Losing, "name", "")
        engine.click(".tl-run-cell, .tl-cell-bar button")
        wait(engine, RAN)
