"""Jupyter Book as this book is built: `python -m book.html.program build FOLDER`."""

import functools
import gc
import importlib

from sphinx.search.en import SearchEnglish

MORE = 200_000
"""How many objects are made between two searches for cycles; Python's own 700 are few.

A book is some million objects that stay until it is written, and each search walks through them.
"""


def main() -> None:
    """Run Jupyter Book with the words of the command line, and end with its exit status."""
    gc.set_threshold(MORE)
    # The search asks for the stem of each word of a page; most stood in a page before.
    SearchEnglish.stem = functools.cache(SearchEnglish.stem)  # type: ignore[method-assign]
    importlib.import_module("jupyter_book.cli.main").main(prog_name="jupyter-book")


if __name__ == "__main__":
    main()
