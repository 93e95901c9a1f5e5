"""The tools that build and test the book: `python -m book.build` and its neighbors."""

import sys

# jsonschema, which Jupyter brings, would make a grammar of addresses: 1.3 s at each start for what
# no schema here asks. None is what Python takes for a module that is missing.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
