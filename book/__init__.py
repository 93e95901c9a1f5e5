"""The tools that build and test the book: `python -m book.build` and its neighbors."""
