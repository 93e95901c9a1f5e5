"""The pieces of a small model where the book's host gives those of the published one."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from tests.course.published import tiny

WHERE = "/_static/vendor/published"
LIST = f"{WHERE}.json"
Given = dict[str, Callable[[], bytes | None]]


def made(folder: Path) -> dict[str, bytes]:
    """Return what the book's host gives: the list of the pieces, and three of them."""
    data = tiny.write(folder / "tiny.gguf").read_bytes()
    third = len(data) // 3 + 1
    parts = [data[i * third : (i + 1) * third] for i in range(3)]
    hashes = [hashlib.sha256(each).hexdigest()[:12] for each in parts]
    found = {f"{i:02}-{hashes[i]}.bin": each for i, each in enumerate(parts)}
    files = {f"{WHERE}/{name}": piece for name, piece in found.items()}
    return {LIST: json.dumps([*found]).encode()} | files
