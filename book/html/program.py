"""Jupyter Book as this book is built: `python -m book.html.program build FOLDER`."""

import gc
import importlib
import sys

MORE = 200_000
"""How many objects are made between two searches for cycles; Python's own 700 are few.

A book is some million objects that stay until it is written, and each search walks through them.
"""

UNUSED = "rfc3987_syntax"
"""What checks the addresses of a JSON schema: a second to import, and no schema here has any."""


def main() -> None:
    """Run Jupyter Book with the words of the command line, and end with its exit status."""
    gc.set_threshold(MORE)
    sys.modules[UNUSED] = None  # type: ignore[assignment]  # what Python takes for missing
    importlib.import_module("jupyter_book.cli.main").main(prog_name="jupyter-book")


if __name__ == "__main__":
    main()
