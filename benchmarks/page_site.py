"""The built book as a reader's browser gets it: compressed files, browsers, its weight."""

import functools
import gzip
import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, Request, sync_playwright

from book import serve
from book.paths import html_folder
from book.testing.tools import CHROMIUM

SLOW_4G = {"latency": 150, "downloadThroughput": 1.6e6 / 8, "uploadThroughput": 750e3 / 8}
"""Milliseconds and bytes a second, as Lighthouse has them."""

SLOW_PHONE = 4
"""How many times slower than this machine."""

PACKED = {".png", ".woff2", ".whl", ".zip"}
"""What is compressed already."""

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"]


@functools.cache
def compressed(path: Path) -> bytes:
    """Return a file as a host of pages sends it."""
    data = path.read_bytes()
    return data if path.suffix in PACKED else gzip.compress(data, 6, mtime=0)


class Compressing(serve.Handler):
    """Serves files as most hosts do, compressed; `make serve`, on one machine, has no need to."""

    def send_head(self) -> IO[bytes] | None:  # type: ignore[override]
        """Answer with a file whose compressed form is known; leave the rest to the server."""
        path = Path(self.translate_path(self.path))
        if not path.is_file() or path.suffix in PACKED:
            return super().send_head()  # type: ignore[return-value]
        data = compressed(path)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        return io.BytesIO(data)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start a browser."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM.path(), args=ARGUMENTS)
        yield running
        running.close()


@contextmanager
def new_page(browser: Browser, **options: Any) -> Iterator[Page]:
    """Open a page whose cache is empty."""
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(120_000)
    yield page
    context.close()


@contextmanager
def new_reader(browser: Browser) -> Iterator[BrowserContext]:
    """Start a browser with an empty cache, which keeps on the disk what it gets."""
    with tempfile.TemporaryDirectory() as profile:
        context = browser.browser_type.launch_persistent_context(
            profile, executable_path=CHROMIUM.path(), args=ARGUMENTS
        )
        context.set_default_timeout(120_000)
        yield context
        context.close()


def slow_down(page: Page) -> None:
    """Give a page the network and the processor of a slow phone."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {"offline": False, **SLOW_4G})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOW_PHONE})


class Loaded:
    """The files that a page asks for, each once."""

    def __init__(self, page: Page) -> None:
        self.files: set[Path] = set()
        page.context.on("request", self._add)

    def _add(self, request: Request) -> None:
        # A worker asks through the page's context too.
        path = html_folder() / unquote(urlsplit(request.url).path).lstrip("/")
        if urlsplit(request.url).scheme == "http" and path.is_file():
            self.files.add(path)

    def megabytes(self, without: "set[Path] | None" = None) -> float:
        """Compressed, as a host would send them."""
        return sum(len(compressed(path)) for path in self.files - (without or set())) / 1e6
