"""The list of the files of a built book: how long each is, and its hash, for what checks them."""

import hashlib
import json
from pathlib import Path

NAME = "files.json"
UNLISTED = (NAME, "offline.js", "objects.inv", ".built-from", ".buildinfo")
"""What no page asks for, and the service worker, which a browser keeps by itself."""
APART = "_static/vendor/published/"
"""The pieces of the published model: their names hold their hashes."""
DIGITS = 32


def write(html: Path) -> None:
    """List every file that a reader's browser may keep, by its path below the book."""
    files = (path for path in sorted(html.rglob("*")) if path.is_file())
    listed = {
        path.relative_to(html).as_posix(): entry(path) for path in files if is_read(path, html)
    }
    text = json.dumps(listed, separators=(",", ":"))
    (html / NAME).write_text(text, encoding="utf-8")


def is_read(path: Path, html: Path) -> bool:
    """Whether a page may ask for a file, translations of the theme aside."""
    name = path.relative_to(html).as_posix()
    return not name.startswith((APART, *UNLISTED)) and path.suffix not in {".po", ".mo", ".map"}


def entry(path: Path) -> tuple[int, str]:
    """The length of a file in bytes and the first half of its SHA-256."""
    data = path.read_bytes()
    return len(data), hashlib.sha256(data).hexdigest()[:DIGITS]
