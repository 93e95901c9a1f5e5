"""Serve the built pages to this machine alone: `python -m book.serve [port]`."""

import functools
import http.server
import sys

from book.paths import html_folder


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files, reports nothing but what is missing."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Say nothing of a request that was answered."""


def server(port: int) -> http.server.ThreadingHTTPServer:
    """A server of the built pages on 127.0.0.1; port 0 takes a free one."""
    handler = functools.partial(Handler, directory=html_folder())
    return http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)


def main() -> int:
    """Serve until Ctrl-C."""
    if not (html_folder() / "index.html").exists():
        print("There is no book yet: call make book first.")
        return 1
    with server(int(sys.argv[1]) if len(sys.argv) > 1 else 8000) as running:
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
