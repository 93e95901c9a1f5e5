"""The server of the built book, where a test may give other answers than the files of the book."""

import io
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

from book import serve

BLANK = "/blank.html"
"""A page with nothing on it, and an icon, which a browser would ask for otherwise."""
NOTHING = b"<!doctype html><link rel=icon href=data:,>"


class Book(serve.Handler):
    """Serves the book as readers have it, but for what a test gives."""

    given: ClassVar[dict[str, Callable[[], bytes | None]]] = {}
    """What answers in the place of the file at a path; None says that there is none.

    A route of the browser would do as well, but a browser with a route keeps nothing that it has
    loaded, and so compiles Python at each start.
    """

    def send_head(self) -> Any:
        """Give what the test gives, or the file."""
        if self.path not in self.given and self.path != BLANK:
            return super().send_head()
        body = NOTHING if self.path == BLANK else self.given[self.path]()
        if body is None:
            return self.send_error(HTTPStatus.NOT_FOUND)
        self.send_response(HTTPStatus.OK)
        is_page = body.startswith(NOTHING[:15])
        self.send_header("Content-Type", "text/html" if is_page else self.guess_type(self.path))
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return io.BytesIO(body)

    def log_error(self, *said: Any) -> None:
        """Say nothing of what a test withholds."""
        if self.path not in self.given:
            super().log_error(*said)
