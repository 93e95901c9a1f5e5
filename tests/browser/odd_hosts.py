"""Hosts that nobody chose: each serves the built book below a folder, with a habit of its own."""

import io
import time
from http import HTTPStatus
from pathlib import Path
from typing import Any, ClassVar

from book import serve
from tests.browser.engines import LIMIT

BELOW = "/a/b"
LOGIN = b"<!doctype html><title>Log in</title><form>Who are you?</form>"
POLICY = (
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; "
    "script-src 'self' 'unsafe-inline'"
)
HURRIED = {
    "/live/files.js": (b"60_000", b"1_000"),
    "/offline.js": (b"PATIENCE = 5000", b"PATIENCE = 500"),
}
"""What waits for a host that sends nothing, and how long it waits in a test."""


LONGER = 2 * LIMIT
"""Seconds for which a host says nothing: a test that waited for its end would fail."""


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
        self.send_header("Content-Type", self.guess_type(self.path.partition("?")[0]))
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

    headers_of_its_own: ClassVar = {"Content-Security-Policy": f"{POLICY} 'wasm-unsafe-eval'"}


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

    headers_of_its_own: ClassVar = {"Content-Security-Policy": POLICY}


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
        if self.how == "late":
            time.sleep(3)
        for name, (patience, less) in HURRIED.items():
            if self.path.endswith(name):
                assert patience in self.file(), name
                return self.answer(self.file().replace(patience, less))
        if not self.name or not self.path.partition("?")[0].endswith(self.name):
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
            time.sleep(LONGER)

    def file(self) -> bytes:
        """What it should give."""
        return Path(self.translate_path(self.path)).read_bytes()
