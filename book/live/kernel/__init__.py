"""The Python of a page: what runs its cells in a browser. It knows nothing else of `book`."""
