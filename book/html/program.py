"""Jupyter Book as this book is built: `python -m book.html.program build FOLDER`."""

import gc
import importlib

MORE = 200_000
"""How many objects are made between two searches for cycles; Python's own 700 are few.

A book is some million objects that stay until it is written, and each search walks through them.
"""


def main() -> None:
    """Run Jupyter Book with the words of the command line, and end with its exit status."""
    gc.set_threshold(MORE)
    importlib.import_module("jupyter_book.cli.main").main(prog_name="jupyter-book")


if __name__ == "__main__":
    main()
