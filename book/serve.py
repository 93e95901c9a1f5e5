"""Serve the built pages to this machine alone: `python -m book.serve [PORT]`."""

import argparse
import functools
import http.server
import sys
from collections.abc import Sequence

from book.paths import html_folder


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, reports nothing but what is missing."""

    def end_headers(self) -> None:
        """Isolate the pages, so that a cell that runs can be interrupted through shared memory."""
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Embedder-Policy", "require-corp")
        super().end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing of a request that was answered."""


def server(port: int) -> http.server.ThreadingHTTPServer:
    """A server of the built pages on 127.0.0.1; port 0 takes a free one."""
    handler = functools.partial(Handler, directory=html_folder())
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)


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
