"""Read a submission, which is a file from a person who may want to break the reader."""

import codecs
import json
import os
import re
import stat
from pathlib import Path
from typing import Any, NamedTuple

from exercises.grader.sandboxed import limits

DIGITS = 20
MERGE = re.compile(rb"^(<<<<<<<|>>>>>>>) ", re.MULTILINE)


class Unreadable(ValueError):
    """The submission cannot be graded; the message gives the student the reason."""


class Cell(NamedTuple):
    """This is a code cell: the grade_id and the points that it claims, and its text."""

    grade_id: str
    text: str
    points: object = None


def read_bytes(root: Path, inside: str) -> bytes:
    """Return the content of the regular file `inside` a folder, following no link on the way.

    Raises:
        Unreadable: it is a link, a pipe, a device, too large, empty or not readable.
    """
    *folders, name = Path(inside).parts
    handle = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for folder in folders:
            handle = _step(handle, folder, os.O_DIRECTORY)
        # Without O_NONBLOCK the opening of a named pipe waits for a writer.
        handle = _step(handle, name, os.O_NONBLOCK | os.O_NOCTTY)
        return _content(handle)
    except OSError as error:
        reason = "it is a symbolic link" if os.path.islink(root / inside) else error.strerror
        raise Unreadable(f"the file cannot be opened: {reason}") from error
    finally:
        os.close(handle)


def _step(handle: int, name: str, flags: int) -> int:
    deeper = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | flags, dir_fd=handle)
    os.close(handle)
    return deeper


def _content(handle: int) -> bytes:
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode):
        raise Unreadable("the submission is not a regular file")
    most = limits.FILE_BYTES
    parts, left = [], most + 1
    while left and (part := os.read(handle, left)):
        parts.append(part)
        left -= len(part)
    if not left:
        size = most // limits.MEBIBYTE
        raise Unreadable(f"the file is larger than {size} MB: clear its outputs and save it again")
    if not parts:
        raise Unreadable("the file is empty")
    return b"".join(parts)


def code_cells(raw: bytes) -> list[Cell]:
    """Return the code cells of a notebook in nbformat 4, in order.

    Raises:
        Unreadable: it is not such a notebook.
    """
    try:
        notebook = json.loads(raw.decode("utf-8-sig"), parse_int=_number)
    except RecursionError as error:
        raise Unreadable("the file is not a notebook: it is nested too deeply") from error
    except MemoryError as error:
        raise Unreadable("the file is too large: clear its outputs and save it again") from error
    except ValueError as error:
        raise Unreadable(f"the file is not a notebook: {_what_else(raw)}") from error
    if not isinstance(notebook, dict) or notebook.get("nbformat") != 4:
        version = str(notebook.get("nbformat"))[:20] if isinstance(notebook, dict) else "none"
        raise Unreadable(
            f"the notebook must have nbformat 4, but it has {version}: save it again in Jupyter"
        )
    cells = notebook.get("cells")
    if not isinstance(cells, list) or len(cells) > limits.CELLS:
        raise Unreadable(f"the notebook must have a list of at most {limits.CELLS} cells")
    whole = [cell for cell in cells if isinstance(cell, dict)]
    found = [_cell(cell) for cell in whole if cell.get("cell_type") == "code"]
    if sum(len(cell.text) for cell in found) > limits.NOTEBOOK_LETTERS:
        raise Unreadable(f"the code is longer than {limits.NOTEBOOK_LETTERS} letters")
    return found


def _number(digits: str) -> int:
    # Python refuses to read a number of more than 4300 digits. An output may have one, but no
    # number that is read here has more than a few.
    return int(digits[:DIGITS])


def _what_else(raw: bytes) -> str:
    """Return what stands in the place of a notebook, and what its student has to do."""
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "it was saved as UTF-16 by a text editor: open it in Jupyter and save it there"
    if MERGE.search(raw):
        return (
            "it contains the marks of a merge (<<<<<<<): keep one side of each and remove the marks"
        )
    return "it is not JSON, perhaps because it was cut off"


def _cell(cell: dict[str, Any]) -> Cell:
    text = cell.get("source", "")
    if isinstance(text, list) and all(isinstance(line, str) for line in text):
        text = "".join(text)
    if not isinstance(text, str) or len(text) > limits.CELL_LETTERS:
        raise Unreadable("a cell has no text or too much text")
    text = _writable(text)
    metadata = cell.get("metadata")
    marks = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    if not isinstance(marks, dict) or not isinstance(marks.get("grade_id"), str):
        return Cell("", text)
    return Cell(_writable(marks["grade_id"]), text, marks.get("points"))


def _writable(text: str) -> str:
    # A lone surrogate would break whoever writes the text to a file or a pipe.
    return text.encode("utf-8", "replace").decode("utf-8")
