"""Serve the built pages to this machine alone: `python -m book.serve [PORT]`."""

import argparse
import functools
import http.server
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from book.paths import html_folder

NAMES = ("127.0.0.1", "localhost", "[::1]")
"""By which this machine calls it: a site whose own name leads here is refused."""


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files of one folder, reports nothing but what is missing."""

    def send_head(self) -> Any:
        """Refuse what asks for another host, and a file that does not lie in the folder."""
        if not self.is_asked():
            self.send_error(http.HTTPStatus.MISDIRECTED_REQUEST)
        elif not self.is_inside():
            self.send_error(http.HTTPStatus.NOT_FOUND)
        else:
            return super().send_head()
        return None

    def is_inside(self) -> bool:
        """Whether the path can be one, and leads into the folder."""
        try:
            path = Path(self.translate_path(self.path)).resolve()
        except ValueError:  # such as a NUL in it
            return False
        return path.is_relative_to(self.directory)

    def is_asked(self) -> bool:
        """Whether the request is for this server, by one of its names."""
        port = self.server.server_port  # type: ignore[attr-defined]
        known = {f"{name}:{port}" for name in NAMES} | (set(NAMES) if port == 80 else set())
        return self.headers.get("Host") in known

    def list_directory(self, path: Any) -> None:
        """Show no listing."""
        self.send_error(http.HTTPStatus.NOT_FOUND)

    def end_headers(self) -> None:
        """Isolate the pages, so that a cell that runs can be interrupted through shared memory."""
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing of a request that was answered."""


class Server(http.server.ThreadingHTTPServer):
    """Answers each request in its own thread."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a reader who left before the answer was there."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def server(port: int, handler: Any = Handler, folder: Path | None = None) -> Server:
    """A server of the built pages, or of a folder, on 127.0.0.1; port 0 takes a free one."""
    directory = str((folder or html_folder()).resolve())
    return Server(("127.0.0.1", port), functools.partial(handler, directory=directory))


@contextmanager
def served(handler: Any = Handler, folder: Path | None = None) -> Iterator[str]:
    """Serve while something else goes on; the address."""
    with server(0, handler, folder) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{running.server_port}"
        finally:
            running.shutdown()


def main(words: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C."""
    reader = argparse.ArgumentParser(prog="python -m book.serve", description=__doc__)
    reader.add_argument("port", nargs="?", type=int, default=8000, help="default: %(default)s")
    port = reader.parse_args(words).port
    if not (html_folder() / "index.html").exists():
        print("There is no book yet: call make book first.")
        return 1
    try:
        running = server(port)
    except OSError as error:
        print(f"Port {port} cannot be used ({error.strerror}). Try another: make serve PORT=8001")
        return 1
    with running:
        print(
            f"The book is at http://127.0.0.1:{running.server_port}/ (Ctrl-C ends it)", flush=True
        )
        try:
            running.serve_forever()
        except KeyboardInterrupt:
            print("\nStopped.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
