"""The built book below a folder of hosts that nobody chose, in three engines."""

import io
import time
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, ClassVar

import pytest

from book import serve
from tests.browser.engines import DRAWN, SELENIUM, Engine, wait

pytestmark = pytest.mark.filterwarnings(SELENIUM)

BELOW = "/a/b"
PAGE = "chapters/00_warm_up.html"
EXERCISE = "exercises/release/04_attention/04_attention_exercise.html?week=4#task-1"
LOGIN = b"<!doctype html><title>Log in</title><form>Who are you?</form>"
RAN = "window.tlLive?.isReady && !tlLive.queue.length && tlLive.cells.some((one) => one.isFresh)"
SAID = "(document.querySelector('.tl-live-bar')?.innerText ?? '')"
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; script-src 'self'"
)


class Plain(serve.Handler):
    """Serves the book below a folder, and nothing else, without headers of its own."""

    headers_of_its_own: ClassVar[dict[str, str]] = {}

    def translate_path(self, path: str) -> str:
        """Leave the folder out, or lead where no file is."""
        inside = path.startswith(f"{BELOW}/")
        return super().translate_path(path.removeprefix(BELOW) if inside else "/nothing")

    def end_headers(self) -> None:
        """Add what this host says of itself."""
        for name, value in self.headers_of_its_own.items():
            self.send_header(name, value)
        super(serve.Handler, self).end_headers()

    def answer(self, body: bytes, more: int = 0) -> Any:
        """Send what stands in the place of a file; `more` bytes are promised and do not come."""
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(self.path))
        self.send_header("Content-Length", str(len(body) + more))
        self.end_headers()
        return io.BytesIO(body)

    def log_error(self, *said: Any) -> None:
        """Say nothing of what this host withholds."""


class Stripping(Plain):
    """Leads from each page to its address without an ending, as many hosts do."""

    def send_head(self) -> Any:
        """Answer with the page, or with where it went."""
        path, mark, asked = self.path.partition("?")
        if path.endswith(".html"):
            self.send_response(HTTPStatus.PERMANENT_REDIRECT)
            self.send_header("Location", path.removesuffix(".html") + mark + asked)
            self.end_headers()
            return None
        if "." not in path.rpartition("/")[2]:
            self.path = f"{path}.html"
        return super().send_head()


class Allowing(Plain):
    """Has a policy of its own, which allows WebAssembly."""

    headers_of_its_own: ClassVar = {
        "Content-Security-Policy": f"{POLICY} 'unsafe-inline' 'wasm-unsafe-eval'"
    }


class Mistyping(Plain):
    """Knows the types of pages, styles and scripts, and calls all else plain text."""

    def guess_type(self, path: Any) -> str:
        """Take the type of a few endings."""
        known = str(path).endswith((".html", ".css", ".js"))
        return super().guess_type(path) if known else "text/plain"


class Always(Plain):
    """Answers with a page whatever is asked for, and never says that something is missing."""

    def send_head(self) -> Any:
        """Give the file, or a page in its place."""
        file = Path(self.translate_path(self.path.partition("?")[0]))
        return super().send_head() if file.is_file() else self.answer(LOGIN)


class Slow(Plain):
    """Takes its time for each answer, and sends a file in pieces."""

    def send_head(self) -> Any:
        """Wait before the answer."""
        time.sleep(0.1)
        return super().send_head()

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send half a megabyte at a time."""
        while piece := source.read(2**19):
            outputfile.write(piece)
            time.sleep(0.1)


class Forbidding(Plain):
    """Has a policy of its own, which forbids WebAssembly."""

    headers_of_its_own: ClassVar = {"Content-Security-Policy": f"{POLICY} 'unsafe-inline'"}


class Ignorant(Plain):
    """Gives no file whose ending it does not know."""

    def send_head(self) -> Any:
        """Give what is known."""
        if self.path.endswith((".wasm", ".whl", ".safetensors", ".mjs", ".woff2")):
            return self.send_error(HTTPStatus.NOT_FOUND)
        return super().send_head()


class Losing(Plain):
    """Gives one file otherwise than it is."""

    name: ClassVar = ""
    how: ClassVar = ""

    def send_head(self) -> Any:
        """Give the file as `how` says, if it is that one."""
        if self.path.endswith("/live/files.js"):  # what waits a minute for a byte waits a second
            return self.answer(self.file().replace(b"60_000", b"1_000"))
        if not self.name or not self.path.endswith(self.name):
            return super().send_head()
        if self.how == "404":
            return self.send_error(HTTPStatus.NOT_FOUND)
        half = self.file()[: len(self.file()) // 2]
        bodies = {"page": LOGIN, "half": half, "broken": half, "stuck": half, "plain": self.file()}
        return self.answer(bodies[self.how], more=len(half) * (self.how in ("broken", "stuck")))

    def guess_type(self, path: Any) -> str:
        """Call a file plain text, if that is what is wrong with it."""
        is_plain = self.how == "plain" and str(path).endswith(self.name)
        return "text/plain" if is_plain else super().guess_type(path)

    def copyfile(self, source: Any, outputfile: Any) -> None:
        """Send nothing more after the half of a file, and do not say so."""
        super().copyfile(source, outputfile)
        if self.how == "stuck" and self.path.endswith(self.name):
            time.sleep(3)

    def file(self) -> bytes:
        """What it should give."""
        return Path(self.translate_path(self.path)).read_bytes()


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
