"""The pages in Firefox and WebKit, and the book as a plain host serves it, in all three engines."""

import http.server
from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from book.paths import html_folder
from book.serve import served
from tests.browser.engines import DRAWN, SELENIUM, Engine, wait

EXERCISE = "exercises/release/04_attention/04_attention_exercise"
SOFTMAX = (
    "def softmax(s): e = np.exp(s - s.max(-1)[..., None]); return e * e.sum(-1)[..., None] ** -1"
)
FIRST = "main div.cell:has(.tl-cell-bar)"
LOOP = "while True: pass"
# Where the stack of a browser is large, Python itself counts to its limit.
END = ".innerText.match(/maximum recursion|This cell calls itself without end/)"
TYPED = {
    "print(6 * 7)": ".innerText.trim() === '42'",
    LOOP: "",
    "print(7 * 8)": ".innerText.trim() === '56'",
    "import matplotlib.pyplot as plt; plt.plot([1]);": ".querySelector('img')?.naturalWidth > 200",
    "f = lambda x: sorted([x], key=f); f(1)": END,
    "import time; print(1); time.sleep(3); print(2)": ".innerText.trim() === '1'",
    'print(len("""a"""))': ".innerText.trim() === '1'",
    '"""three"""': ".innerText.includes('three')",
    "print(9)": ".innerText.trim() === '9'",
}
"""What is typed into a cell, and what its output then holds, but for the loop, which is stopped."""
HOLD = (
    "import js; from pyodide.ffi import create_proxy as proxy; js.navigator.locks.request("
    "'held', proxy(lambda lock: js.Promise.new(proxy(lambda *_: None)))); print('asked')"
)
"""Holds a lock as a page with the published model does, until its Python ends."""
LOCKS = "navigator.locks.query().then(({ held }) => { window.found = `held: ${held.length}`; }), 1"
IDLE = "!tlLive.queue.length && tlLive.isReady"
pytestmark = pytest.mark.filterwarnings(SELENIUM)


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A host as most are: it serves files and sends no headers of its own."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The built book below an address that belongs to others."""
    top = tmp_path_factory.mktemp("host")
    (top / "course").mkdir()
    (top / "course/book").symlink_to(html_folder())
    with served(Quiet, top) as address:
        yield f"{address}/course/book"


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a script on another host."""
    folder = tmp_path_factory.mktemp("foreign")
    (folder / "script.js").write_text("window.foreign = 'host';", encoding="utf-8")
    with served(Quiet, folder) as address:
        yield f"{address}/script.js"


@pytest.fixture(autouse=True)
def _first_visit(engine: Engine) -> Iterator[None]:
    """Forget what a test has written: a page with kept text opens by itself."""
    yield
    engine.see("(localStorage.clear(), 1)")


def visit(engine: Engine, address: str) -> None:
    """Open a page and wait until its formulas are drawn: then nothing moves any more."""
    engine.visit(address)
    wait(engine, DRAWN)


def press(engine: Engine, selector: str) -> None:
    """Press a button that starts something, and wait until nothing runs."""
    engine.click(selector)
    wait(engine, f"window.tlLive && {IDLE}")


def replace(engine: Engine, editor: str, code: str) -> None:
    """Write another code, as a reader does, and run it."""
    engine.click(editor)
    engine.type(Keys.CONTROL + "a", code, Keys.SHIFT + Keys.ENTER)


@pytest.mark.parametrize("engine", ["firefox", "webkit"], indirect=True)
def test_a_chapter_runs_what_is_typed_and_is_stopped(engine: Engine, site: str) -> None:
    """As `make serve` isolates it: memory may be shared, or the worker is ended."""
    visit(engine, f"{site}/chapters/04_attention.html")
    press(engine, f"{FIRST} .tl-run-cell")
    said = engine.see(f"document.querySelector('{FIRST} .tl-cell-said').innerText")
    assert said == "as in the book"
    output = f"document.querySelector('{FIRST} .cell_output')?"
    for code, shown in TYPED.items():
        wait(engine, IDLE)
        replace(engine, f"{FIRST} .cm-content", code)
        if code == LOOP:
            engine.click(".tl-running .tl-cell-bar button")
        # What is printed first shows while the cell still runs.
        holds = f"{output}{shown}" if shown else "true"
        wait(engine, f"({holds}) && {'tlLive.running' if 'sleep' in code else IDLE}")


def test_a_page_that_is_left_ends_its_python(engine: Engine, deployed: str) -> None:
    """WebKit keeps the page itself, so another page with the published model would find no room."""
    visit(engine, f"{deployed}/chapters/04_attention.html")
    press(engine, f"{FIRST} .tl-run-cell")
    replace(engine, f"{FIRST} .cm-content", HOLD)
    wait(engine, f"({LOCKS}) && window.found === 'held: 1'")
    visit(engine, f"{deployed}/chapters/02_embeddings.html")
    wait(engine, f"({LOCKS}) && window.found === 'held: 0'")
    engine.see("(history.back(), 1)")
    wait(engine, f"location.href.endsWith('04_attention.html') && {DRAWN}")
    wait(engine, "window.tlLive && !tlLive.kernel")
    replace(engine, f"{FIRST} .cm-content", "print(6 * 7)")
    wait(
        engine,
        f"{IDLE} && document.querySelector('{FIRST} .cell_output')?.innerText.trim() === '42'",
    )


@pytest.mark.parametrize("engine", ["webkit"], indirect=True)
def test_a_page_that_opens_keeps_the_place_of_a_narrow_reader(engine: Engine, site: str) -> None:
    visit(engine, f"{site}/chapters/04_attention.html")
    # As on a phone, where the bar of a cell takes two lines; no window of this engine is so narrow.
    engine.see("(document.querySelector('main article').style.width = '22rem')")
    unfolded = "main div.cell:has(> .cell_input .tl-run-cell)"
    wait(engine, f"document.querySelector('{unfolded}')")
    engine.see(f"([...document.querySelectorAll('{unfolded}')].at(-1).dataset.here = 'here')")
    run = "document.querySelector('[data-here] .tl-run-cell')"
    engine.see(f"{run}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
    top = "document.querySelector('[data-here]').getBoundingClientRect().top"
    before = engine.see(top)
    engine.click("[data-here] .tl-run-cell")
    wait(engine, "window.tlLive")
    # The bars above grew by more than 400 pixels; the bar of the page may say less than before.
    assert abs(engine.see(top) - before) < 100


def test_an_exercise_on_a_plain_host_is_typed_and_checked(engine: Engine, deployed: str) -> None:
    visit(engine, f"{deployed}/{EXERCISE}.html")
    wait(engine, "window.tlLive")
    at = "tlLive.cells.find((cell) => cell.id === 'softmax').element.dataset.here = 'here'"
    engine.see(at)
    engine.see(at.replace("'softmax'", "'softmax-check-rows'").replace("'here'", "'check'", 1))
    replace(engine, "[data-here=here] .cm-content", SOFTMAX)
    wait(engine, IDLE)
    press(engine, "[data-here=check] .tl-cell-bar button")
    assert (
        engine.see("document.querySelector('[data-here=check] .tl-cell-said').innerText")
        == "passes"
    )


def test_a_silent_head_turns_the_verb_of_the_front_page(engine: Engine, deployed: str) -> None:
    engine.visit(f"{deployed}/intro.html")
    wait(engine, "document.querySelector('.flow-live')")
    for verb in ("is", "are"):
        engine.click("#flow-silence")
        wait(engine, f"document.querySelector('#flow-verb b').innerText === '{verb}'")
    engine.click("#flow-sentence")
    engine.type(Keys.CONTROL + "a", "the chef who went to the stores")
    wait(engine, "document.querySelector('#flow-verb b').innerText === 'is'")


def test_a_question_on_a_plain_host_is_answered(engine: Engine, deployed: str) -> None:
    visit(engine, f"{deployed}/chapters/attention.html")
    engine.click("#attention-weight-number")
    engine.type("0.75", Keys.ENTER)
    wait(engine, "/^✓ Right/.test(document.querySelector('#attention-weight output').innerText)")


def test_an_arrow_is_chosen_with_the_pointer_and_turned_with_the_keys(
    engine: Engine, deployed: str
) -> None:
    visit(engine, f"{deployed}/chapters/attention.html")
    engine.click(".tl-arrows .tl-grip")
    engine.type(Keys.ARROW_LEFT)
    said = engine.see("document.querySelector('.tl-arrows li span').textContent")
    assert said == "1.9 · 1.0 + 1.2 · 2.0 = 4.30\nangle 31°"


def test_a_plain_host_shows_the_course_first(engine: Engine, deployed: str) -> None:
    visit(engine, f"{deployed}/")
    wait(engine, "document.querySelector('h1')")
    assert engine.see("location.pathname") == "/course/book/intro.html"
    assert "make serve" not in engine.see("document.querySelector('main').innerText")


INJECTED = """(() => {{
  window.blocked = [];
  addEventListener("securitypolicyviolation", (event) => blocked.push(event.violatedDirective));
  const script = (more) => document.body.append(
    Object.assign(document.createElement("script"), more));
  script({{ src: "{}" }});
  script({{ textContent: "window.foreign = 'inline';" }});
  document.querySelector("main").insertAdjacentHTML("beforeend",
    `<img src="data:," onerror="window.foreign = 'attribute';">`);
}})()"""


def test_a_foreign_script_is_blocked(engine: Engine, deployed: str, foreign: str) -> None:
    visit(engine, f"{deployed}/chapters/04_attention.html")
    engine.see(INJECTED.format(foreign))
    wait(engine, "blocked.length >= 3")
    assert engine.see("window.foreign ?? null") is None
