"""Text files are read and written as UTF-8, whatever a system's own encoding is."""

import ast
import json
import re
import subprocess
from pathlib import Path

from book.paths import ROOT

OPENERS = ("open", "read_text", "write_text")
OTHER = ("os.", "Image.", "tarfile.", "zipfile.", "webbrowser.", "archive.")
"""What has an `open` that opens no text file."""
TEXTS = ("*.md", "*.toml", "*.yml", "*.bib", "*.css", "*.js", "*.txt", "*.cff", "*.svg")


def listed(*kinds: str) -> list[Path]:
    """The files that git holds or would take."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", *kinds]
    names = subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return [ROOT / name for name in names.splitlines() if (ROOT / name).is_file()]


def code(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    return re.sub(r"^( *)[%!].*", r"\1pass", text, flags=re.MULTILINE)


def without_encoding(text: str) -> list[int]:
    """The lines that open a text file and do not say how it is encoded."""
    if not any(word in text for word in OPENERS):
        return []  # most files: to parse them takes seconds
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if forgets(call)]


def forgets(call: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name not in OPENERS or ast.unparse(call).startswith(OTHER):
        return False
    words = ast.unparse(call).removeprefix(ast.unparse(call.func))
    binary = name == "open" and re.search(r"'[rwax]\+?b\+?'", words)
    return not binary and "encoding=" not in words and "'utf-8" not in words


def test_every_file_is_opened_as_utf_8() -> None:
    found = {path: without_encoding(code(path)) for path in listed("*.py", "*.ipynb")}
    assert len(found) > 200
    assert {path: lines for path, lines in found.items() if lines} == {}, 'add encoding="utf-8"'


def test_what_counts() -> None:
    wrong = (
        "path.read_text()\npath.write_text('ü')\nopen(path)\npath.open('a')\nopen(p, mode='w')\n"
    )
    assert without_encoding(wrong) == [1, 2, 3, 4, 5]
    right = "p.read_text(encoding='utf-8')\np.open('wb')\nopen(p, 'rb')\nos.open(path, flags)\n"
    assert without_encoding(right) == []


def test_the_own_files_of_the_repository_are_utf_8() -> None:
    assert len(listed(*TEXTS)) > 30
    for path in listed(*TEXTS):
        path.read_bytes().decode("utf-8")
