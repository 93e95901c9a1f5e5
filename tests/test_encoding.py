"""Text files are read and written as UTF-8, whatever a system's own encoding is."""

import ast
import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from book.paths import ROOT

OTHER = {"os", "tarfile", "zipfile", "webbrowser", "archive"}
"""What has an `open` that opens no text file."""


OPENERS = ("open", "read_text", "write_text")


def sources() -> Iterator[tuple[str, str]]:
    """Each Python file that git holds or would take, and the code of each notebook."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py", "*.ipynb"]
    names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for path in (ROOT / name for name in names.splitlines()):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            yield path.relative_to(ROOT).as_posix(), code(text) if path.suffix != ".py" else text


def code(notebook: str) -> str:
    cells = [cell for cell in json.loads(notebook)["cells"] if cell["cell_type"] == "code"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    return re.sub(r"^( *)[%!].*", r"\1pass", text, flags=re.MULTILINE)


def without_encoding(text: str) -> list[int]:
    """The lines that open a text file and do not say how it is encoded."""
    if not any(word in text for word in OPENERS):
        return []  # most files: to parse them takes seconds
    calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if opens_text(call) and not names_encoding(call)]


def names_encoding(call: ast.Call) -> bool:
    positional = {"read_text": 1, "write_text": 2}.get(name(call.func), 9)
    return len(call.args) >= positional or any(
        keyword.arg in ("encoding", None) for keyword in call.keywords
    )


def opens_text(call: ast.Call) -> bool:
    if name(call.func) != "open":
        return name(call.func) in OPENERS
    if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) in OTHER:
        return False
    modes = call.args[isinstance(call.func, ast.Name) :][:1]
    modes += [keyword.value for keyword in call.keywords if keyword.arg == "mode"]
    return not any(isinstance(mode, ast.Constant) and "b" in str(mode.value) for mode in modes)


def name(func: ast.expr) -> str:
    return getattr(func, "attr", getattr(func, "id", ""))


def test_every_file_is_opened_as_utf_8() -> None:
    found = {path: without_encoding(text) for path, text in sources()}
    assert len(found) > 200
    assert {path: lines for path, lines in found.items() if lines} == {}, 'add encoding="utf-8"'


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("path.read_text()", True),
        ("path.write_text('ü')", True),
        ("open(path)", True),
        ("path.open('a')", True),
        ("open(path, mode='w')", True),
        ("path.read_text(encoding='utf-8')", False),
        ("path.read_text('utf-8')", False),
        ("open(path, 'rb')", False),
        ("path.open('wb')", False),
        ("os.open(path, flags)", False),
        ("tarfile.open(path)", False),
    ],
)
def test_what_counts(text: str, wrong: bool) -> None:
    assert (without_encoding(text) == [1]) is wrong


def test_the_own_files_of_the_repository_are_utf_8() -> None:
    kinds = ("*.md", "*.toml", "*.yml", "*.bib", "*.css", "*.js", "*.txt", "*.cff", "*.svg")
    names = subprocess.run(
        ["git", "ls-files", *kinds], cwd=ROOT, capture_output=True, check=True
    ).stdout.decode()
    assert len(names.splitlines()) > 30
    for path in names.splitlines():
        if (ROOT / path).is_file():
            Path(ROOT / path).read_bytes().decode("utf-8")
