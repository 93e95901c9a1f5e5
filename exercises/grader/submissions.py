"""Find the submissions in a folder: DIR/STUDENT/ASSIGNMENT.ipynb or DIR/STUDENT.ipynb."""

import hashlib
import os
import unicodedata
import urllib.parse
from pathlib import Path
from typing import NamedTuple

LONGEST_NAME = 120


class Submission(NamedTuple):
    """Whose it is, where it lies in the folder, or why there is nothing to read."""

    student: str
    inside: str
    problem: str = ""

    @property
    def key(self) -> str:
        """A name for files that holds nothing a file system or a shell minds."""
        raw = os.fsencode(Path(self.inside).parts[0].removesuffix(".ipynb"))
        key = urllib.parse.quote(raw, safe="").replace("~", "%7E")
        key = f"%2E{key[1:]}" if key.startswith(".") else key
        if len(key) <= LONGEST_NAME:
            return key
        return f"{key[:LONGEST_NAME]}~{hashlib.sha256(raw).hexdigest()[:16]}"


def find(folder: Path, assignment: str) -> list[Submission]:
    """Return one submission a student, in the order of their names.

    Raises:
        ValueError: there is no such folder, or nothing in it looks like a submission.
    """
    if not folder.is_dir():
        raise ValueError(f"there is no folder {folder} with submissions")
    with os.scandir(folder) as entries:
        visible = sorted((e for e in entries if not e.name.startswith(".")), key=lambda e: e.name)
    found: dict[str, Submission] = {}
    for entry in visible:
        submission = _of(entry, folder, assignment)
        # A folder comes before a file of the same name, so it is the one that is graded.
        if submission is not None:
            found.setdefault(submission.key, submission)
    if not found:
        raise ValueError(f"{folder} holds no submission: no STUDENT/{assignment}.ipynb")
    return list(found.values())


def _of(entry: os.DirEntry[str], folder: Path, assignment: str) -> Submission | None:
    is_notebook = entry.name.endswith(".ipynb")
    student = _shown(entry.name.removesuffix(".ipynb"))
    if entry.is_symlink():
        return Submission(student, entry.name, "it is a symbolic link")
    if entry.is_dir(follow_symlinks=False) and not is_notebook:
        inside = f"{entry.name}/{assignment}.ipynb"
        missing = "" if os.path.lexists(folder / inside) else f"there is no {assignment}.ipynb"
        return Submission(student, inside, missing)
    return Submission(student, entry.name) if is_notebook else None


def _shown(name: str) -> str:
    # Some systems take letters with accents apart; the student's keyboard does not.
    text = unicodedata.normalize("NFC", os.fsencode(name).decode("utf-8", "replace"))
    # A new line would look like a row of the table, a letter without width like another student.
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
