"""A cell of a running page: it is changed, stopped, reset and kept; editors come alive."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from book.paths import ROOT, html_folder
from tests.browser.exercise_page import download
from tests.browser.live import (
    DESKTOP,
    HEARS_RUNS,
    PHONE,
    REQUESTS,
    START_LIMIT,
    bar,
    cell,
    run_page,
    type_into,
    wait,
)
from tests.browser.test_page import SPILLING
from tests.browser.visit import Visit
from transformer_lib import text

BOOK = "as in the book"
STALE = "out of date because a cell above changed"
LOOP = "print('it begins')\nwhile True:\n    pass"
HEARS_A_WIDGET = """() => tlLive.kernel.worker.addEventListener(
  "message", ({ data }) => { window.begun ||= data.type === "comm"; })"""
"""What a cell prints is shown at its end, but the page hears at once of a widget that it makes."""

TAKES_TOO = """(code) => {
  const second = tlLive.cells.find((cell) => cell.name === "Cell 2");
  second.take(`${second.book}\n${code}`);
}"""

STOPS_AT_ONCE = """() => {
  const { kernel } = tlLive, post = kernel.worker.postMessage;
  kernel.worker.postMessage = (message) => {
    kernel.interrupt();
    post.call(kernel.worker, message);
  };
}"""
"""As if Stop were pressed in the moment in which the worker gets a cell."""

EDITORS = "() => [tlLive.widgets.comms.size, document.querySelectorAll('.widget-textarea').length]"


def open_chapter(page: Page, site: str, name: str = "02_embeddings") -> None:
    page.goto(f"{site}/chapters/{name}.html")


NEXT = re.compile(r"^(Python is loading( \(\d+\.\d MB\))?|.* is running), this cell is next$")
LATER = re.compile(
    r"^Python is loading.*, and 1 more press is before this cell$|is running, this cell"
)


@PHONE
def test_presses_while_python_loads_are_kept_in_their_order(page: Page, site: str) -> None:
    """The cells above the one that is pressed run before it, and a press can be taken back."""
    open_chapter(page, site)
    page.evaluate("() => { window.heard = []; }")
    page.locator(".tl-cell-bar").nth(3).get_by_role("button", name="Run").click()
    expect(cell(page, 4).locator(".tl-cell-said")).to_have_text(NEXT)
    for number in (2, 5):
        cell(page, number).get_by_role("button", name="Run cell").click()
    expect(cell(page, 2).locator(".tl-cell-said")).to_have_text(LATER)
    cell(page, 5).get_by_role("button", name="Cancel cell").click()
    expect(cell(page, 5).get_by_role("button", name="Run cell")).to_be_visible()
    page.evaluate(HEARS_RUNS)
    cells = wait(page)
    heard = page.evaluate("() => window.heard")
    names = [
        page.evaluate(f"() => tlLive.cells.find((c) => c.name === 'Cell {n}').id")
        for n in (4, 2, 5)
    ]
    assert names[2] not in heard
    assert heard.index(names[0]) < len(heard) - 1 - heard[::-1].index(names[1])
    last = max(i for i, each in enumerate(cells) if each["ran"])
    assert all(each["ran"] for each in cells[: last + 1])
    assert not cells[-1]["ran"]
    expect(cell(page, 4).locator(".tl-cell-said")).to_have_text("as in the book")


def says(page: Page, *texts: str) -> None:
    """Whether the first cells, each in turn, say so how they stand."""
    for number, wanted in enumerate(texts, 1):
        expect(cell(page, number).locator(".tl-cell-said")).to_have_text(wanted)


def test_what_is_typed_runs_and_is_kept_and_reset(page: Page, site: str, tmp_path: Path) -> None:
    open_chapter(page, site)
    run_page(page)
    expect(page.get_by_role("button", name="Download notebook")).to_be_hidden()
    says(page, *[BOOK] * page.locator(".tl-cell-said").count())
    cell(page, 2).locator(".cm-content").click()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type("  # mine")
    says(page, BOOK, "edited", STALE, STALE)
    page.keyboard.press("Shift+Enter")
    wait(page)
    says(page, BOOK, "edited, done", "done", STALE)  # the third is the figure of the second
    cell(page, 4).get_by_role("button", name="Run cell").click()
    wait(page)
    says(page, BOOK, "edited, done", "done", "done")

    page.reload()
    expect(cell(page, 2).locator(".cm-content")).to_contain_text("# mine")
    says(page, BOOK, "edited", STALE, STALE)
    expect(bar(page)).to_contain_text("You have edited Cell 2, and your browser has kept the text.")
    assert not any("pyodide" in each for each in page.evaluate(REQUESTS)), "nothing was pressed"
    mine = json.loads(download(page, tmp_path).read_text(encoding="utf-8"))
    assert sum("# mine" in "".join(each["source"]) for each in mine["cells"]) == 1
    assert "".join(mine["cells"][0]["source"]).startswith("# "), "the text of the chapter is in it"
    bar(page).get_by_role("button", name="Reset all").click()
    says(page, *[BOOK] * 4)
    expect(bar(page).get_by_role("button", name="Reset all")).to_be_hidden()
    page.reload()
    expect(bar(page)).to_contain_text("the code below runs")
    assert page.locator(".cm-content").count() == 0


@PHONE
def test_an_endless_loop_is_interrupted(page: Page, site: str) -> None:
    open_chapter(page, site)
    run_page(page)
    assert page.evaluate("self.crossOriginIsolated"), "make serve isolates its pages"
    page.evaluate(HEARS_A_WIDGET)
    type_into(page, 2, LOOP.replace("while", "import ipywidgets\nipywidgets.IntText()\nwhile"))
    page.keyboard.press("Shift+Enter")
    page.wait_for_function("() => window.begun")
    cell(page, 2).get_by_role("button", name="Stop").click()
    wait(page)
    expect(cell(page, 2).locator(".tl-cell-said")).to_have_text("edited, stopped")
    assert "it begins" in cell(page, 2).locator(".cell_output").inner_text()
    assert page.evaluate("tlLive.cells[0].isFresh"), "the same Python goes on"

    # A stop may come before the first line, too.
    page.evaluate(STOPS_AT_ONCE)
    # Long, so that what reads which packages the cell needs takes a while.
    type_into(page, 2, 300 * "x = [1, 2, 3]\n" + LOOP)
    page.keyboard.press("Shift+Enter")
    wait(page)
    expect(cell(page, 2).locator(".tl-cell-said")).to_have_text("edited, stopped")


@DESKTOP
def test_without_shared_memory_python_is_started_afresh(page: Page, site: str) -> None:
    page.add_init_script("Object.defineProperty(self, 'crossOriginIsolated', {value: false})")
    open_chapter(page, site)
    run_page(page)
    type_into(page, 2, LOOP)
    page.keyboard.press("Shift+Enter")
    cell(page, 2).get_by_role("button", name="Stop").click()
    again = bar(page).get_by_role("button", name="again that had run")
    again.click()
    cells = wait(page)
    assert sum(each["ran"] for each in cells) > 2
    expect(cell(page, 2).locator(".tl-cell-said")).to_have_text("edited, ended")


@PHONE
def test_a_changed_cell_draws_its_figure_anew_whatever_that_is_called(
    page: Page, site: str
) -> None:
    open_chapter(page, site, "attention")
    page.locator(".tl-cell-bar").first.get_by_role("button", name="Run").click()
    wait(page)
    find = "(id) => tlLive.cells.find((cell) => cell.id === id)"
    number = page.evaluate(f"() => ({find})('itself-scores').number")
    figure = page.evaluate_handle(f"() => ({find})('itself-figure').element").as_element()
    assert figure and "6" not in figure.query_selector("table").inner_text()
    type_into(page, number, "scores = 3 * np.array([[a @ b for b in x] for a in x])")
    page.keyboard.press("Shift+Enter")
    wait(page)
    assert "6" in figure.query_selector("table").inner_text()


SLOW_FIELD = """import time
import ipywidgets
field, press, said = ipywidgets.Text(), ipywidgets.Button(description="Score"), ipywidgets.HTML()
field.observe(lambda change: time.sleep(1.5), "value")
press.on_click(lambda _: setattr(said, "value", f"scored: {field.value}"))
ipywidgets.VBox([field, press, said])"""


@DESKTOP
def test_a_press_carries_what_the_fields_hold(page: Page, site: str) -> None:
    """Python is busy with the first letter while the others are typed and the button is pressed."""
    open_chapter(page, site)
    page.locator(".tl-cell-bar").first.get_by_role("button", name="Run").click()
    wait(page)
    open_cell = cell(page, 2)
    page.evaluate(TAKES_TOO, SLOW_FIELD)
    open_cell.get_by_role("button", name="Run cell").click()
    wait(page)
    open_cell.get_by_role("textbox").last.press_sequentially("Tea is hot")
    open_cell.get_by_role("button", name="Score").click()
    expect(open_cell.locator(".cell_output")).to_contain_text("scored: Tea is hot", timeout=20_000)
    # A press that waits for a cell says so where it was pressed.
    type_into(page, 4, "import time\ntime.sleep(4)")
    cell(page, 4).get_by_role("button", name="Run cell").click()
    expect(cell(page, 4).locator(".tl-cell-said")).to_contain_text("running")
    open_cell.get_by_role("button", name="Score").click()
    awaited = "Cell 4 is running, then this press is next."
    expect(open_cell.get_by_role("status")).to_have_text(awaited)
    expect(open_cell.get_by_text(awaited)).to_have_count(0)
    # One that cannot be carried out says why where it was pressed, too.
    page.evaluate("tlLive.cells.find((cell) => cell.name === 'Cell 2').take('lost')")
    cell(page, 4).get_by_role("button", name="Run cell").click()
    expect(cell(page, 4).locator(".tl-cell-said")).to_have_text(
        "edited, did not run: Cell 2 failed"
    )


def test_an_editor_comes_alive_and_answers_the_keyboard(page: Page, site: str) -> None:
    open_chapter(page, site, "04_attention")
    still = page.locator(".tl-still")
    assert still.locator("textarea").first.get_attribute("readonly") is not None
    still.get_by_role("button", name="Make it live").click()
    loading = re.compile(r"Loading Python: \d+\.\d MB")
    expect(still).to_contain_text(loading, timeout=START_LIMIT)
    wait(page)
    queries = page.locator(".tl-widget textarea").first
    queries.click()
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("9 9\n0 0")
    shown = page.locator(".tl-widget")
    # Of a query of zeros all scores are 0, so all its weights are equal.
    expect(shown.get_by_text("0.3333").first).to_be_visible()
    page.keyboard.type(" one")
    expect(shown.get_by_role("alert")).to_contain_text("Q must")

    # An editor that is made anew takes the place of the old one.
    before = page.evaluate(EDITORS)
    editor = page.locator("main div.cell", has=page.locator(".tl-widget"))
    editor.get_by_text("Show the code").click()
    editor.get_by_role("button", name="Run cell").click()
    wait(page)
    page.evaluate("() => tlLive.widgets.arrived")
    assert page.evaluate(EDITORS) == before
    assert before[0] > before[1] == 3


@DESKTOP
def test_the_browser_keeps_python_compiled(page: Page, site: str, profile: Path) -> None:
    """Else each page compiles it anew."""
    open_chapter(page, site)
    run_page(page)
    kept = profile / "Default/Code Cache/wasm"
    for _ in range(50):
        size = sum(file.stat().st_size for file in kept.rglob("*") if file.is_file())
        if size > 1_000_000:
            return
        page.wait_for_timeout(200)
    pytest.fail(f"{size} bytes are kept")


COUNTS = """(box) => [...box.querySelectorAll(".tl-cut")].map((cut) => [
  cut.querySelector("b").innerText,
  cut.querySelector("p span").innerText,
  cut.querySelectorAll("div > span").length,
])"""


def test_a_text_is_cut_as_it_is_typed(page: Page, site: str) -> None:
    open_chapter(page, site, "tokens_measured")
    still = page.locator(".tl-still", has=page.locator(".tl-cuts"))
    assert still.locator("textarea").get_attribute("readonly") is not None
    still.get_by_role("button", name="Make it live").click()
    assert [each["id"] for each in wait(page) if each["ran"]] == ["c065"], "it needs no other"
    live = page.locator(".tl-widget", has=page.locator(".tl-cuts"))
    live.get_by_role("textbox", name="text").click()
    page.keyboard.press("ControlOrMeta+a")
    typed, kept = "", kept_tokenizers()
    for part in ("A dragon", " re", "turned ï", "<|endoftext|", ">"):
        page.keyboard.type(part)
        typed += part
        wanted = []
        for name, tokenizer in kept.items():
            n = len(tokenizer.encode(typed))
            wanted.append([name, f"{n} token{'s' * (n > 1)}", n])
        # Each key is answered by itself; what shows last is the answer to the last.
        page.wait_for_function(
            f"([box, wanted]) => JSON.stringify(({COUNTS})(box)) === wanted",
            arg=[live.element_handle(), json.dumps(wanted, separators=(",", ":"))],
        )
    assert live.locator(".tl-cut i").all_inner_texts() == ["C3", "AF"] * 2
    assert live.locator(".tl-cut p").first.get_attribute("aria-live") == "polite"
    assert page.evaluate(SPILLING) == []


def kept_tokenizers() -> dict[str, Any]:
    """Those of the page, as the library has them."""
    units = json.loads((ROOT / "chapters/models/real_text.units.json").read_text(encoding="utf-8"))
    return {
        "bytes": text.byte_tokenizer(),
        "characters": text.UnitTokenizer(units["characters"], "characters"),
        "merges": text.load_tokenizer(ROOT / "chapters/models/real_text.tokenizer.json"),
        "words": text.UnitTokenizer(units["words"], "words"),
    }


NEEDS_TORCH = "Runs in JupyterLab: it needs PyTorch"


def test_a_cell_that_needs_torch_says_so_before_a_press(page: Page, site: str) -> None:
    open_chapter(page, site, "08_feed_forward")
    expect(bar(page)).to_contain_text("17 of 19 cells run in the browser; the others need PyTorch")
    said = page.locator(".tl-cell-bar", has_text=NEEDS_TORCH)
    assert said.all_inner_texts() == [NEEDS_TORCH] * 2
    assert page.locator(".tl-run-cell").count() == 17
    said.first.click()
    page.keyboard.press("Enter")
    assert not any("pyodide" in asked for asked in page.evaluate(REQUESTS)), "nothing was pressed"
    open_chapter(page, site, "14_families")
    # Two of those that need PyTorch show no code, and neither they nor others without code count.
    expect(bar(page)).to_contain_text("29 of 39 cells run in the browser; the others need PyTorch.")


@DESKTOP
def test_a_cell_that_needs_torch_says_the_same_when_others_have_run(page: Page, site: str) -> None:
    open_chapter(page, site, "08_feed_forward")
    run_page(page)
    said = page.locator(".tl-cell-bar", has_text=NEEDS_TORCH)
    assert said.all_inner_texts() == [NEEDS_TORCH] * 2
    assert said.get_by_role("button").count() == 0
    assert "need PyTorch" in bar(page).inner_text()


LAST = "() => document.querySelector('main article').lastElementChild.className"


@DESKTOP
def test_from_the_disk_the_course_comes_first(page: Page) -> None:
    with Visit(
        page, (html_folder() / "chapters/02_embeddings.html").as_uri(), 1280, "light"
    ) as visit:
        expect(bar(page)).to_have_text(
            "Code cannot run in this copy. It can where make serve serves the book."
        )
        assert page.evaluate(LAST) == "tl-live-bar"
        assert bar(page).get_by_role("button").count() == 0
        assert visit.errors == []


@DESKTOP
def test_a_copy_without_wheels_says_to_readers_only_that(page: Page, site: str) -> None:
    found = 'window.tlRuntime = {"reason": "numpy-2.whl could not be fetched (Errno 5)"};'
    page.route("**/vendor/runtime.js*", lambda route: route.fulfill(body=found))
    open_chapter(page, site)
    expect(bar(page)).to_have_text("Code cannot run in this copy.")
    assert page.evaluate(LAST) == "tl-live-bar"
