"""What a page loads, as files and compressed, before its Python and with it."""

from pathlib import Path
from urllib.parse import unquote, urlsplit

from playwright.sync_api import Page, Request

from benchmarks.page_site import compressed
from book.paths import html_folder


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

    def megabytes(self, without: "set[Path] | None" = None) -> tuple[float, float]:
        """As they lie there, and compressed as a host would send them."""
        files = self.files - (without or set())
        raw = sum(path.stat().st_size for path in files)
        return raw / 1e6, sum(len(compressed(path)) for path in files) / 1e6
