"""Keep a solved notebook of each version of an assignment: `python -m tests.grader.kept NAME ...`.

A class hands in notebooks of the version that it was given, also after the next one is released.
Run this after `make exercises`. Where an assignment has a new version, it also writes into the
folder `earlier` of the source what the version before gave to the student, unless the whole source
of that version is there.
"""

import contextlib
import io
import json
import re
import sys
from pathlib import Path

from exercises.grader.intake import source
from exercises.grader.intake.assignment import ON_PAPER
from tests.exercises.assignments import path_of
from tests.grader.solved import FOLDER, NAMES, find, marks, solved, task_set, write_out

KEPT = Path(__file__).parent / "released"
MARKER = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)


def file_of(name, version):
    return KEPT / str(version) / f"{name}.ipynb"


def versions(name):
    """Return the versions of which a notebook is kept."""
    return {int(path.parent.name) for path in KEPT.glob(f"*/{name}.ipynb")}


def handed_in(name):
    """Return the release as a student hands it in who has solved all, without its text."""
    made, answers = source.read(path_of(name, "release")), solved(name)
    with contextlib.redirect_stdout(io.StringIO()):  # the given cells print the choices
        write_out(answers["cells"])
    made["cells"] = [cell for cell in made["cells"] if cell["cell_type"] == "code"]
    for cell in made["cells"]:
        if "STUDENT_ID =" in cell["source"] and not marks(cell):
            cell["source"] = 'STUDENT_ID = "ann"'
        if marks(cell).get("solution"):
            answer = find(answers, marks(cell)["grade_id"])["source"]
            cell["source"] = MARKER.sub("", answer).rstrip()
    return made


def given(made):
    """Return the texts of the cells that are locked and no check, but for the helpers."""
    locked = [cell for cell in made["cells"] if marks(cell).get("locked")]
    texts = {marks(cell)["grade_id"]: cell["source"] for cell in locked if not marks(cell)["grade"]}
    return {name: text for name, text in texts.items() if name != "helpers"}


def on_paper(made):
    found = [cell for cell in made["cells"] if ON_PAPER & set(cell["metadata"].get("tags", []))]
    return {marks(cell)["grade_id"]: cell["source"] for cell in found}


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8", newline="\n")
    print(path)


def keep(name):
    """Write the notebook of the present version, and what the version before gave."""
    made, version = handed_in(name), task_set(name).version
    file = file_of(name, version)
    if file.is_file() and on_paper(source.read(file)) != on_paper(made):
        sys.exit(f"{name}: the right answers on paper have changed, so it needs a new VERSION")
    before = {each for each in versions(name) if each < version}
    if before and not (FOLDER / name / f"earlier/{max(before)}.ipynb").is_file():
        then, now = given(source.read(file_of(name, max(before)))), given(made)
        changed = {key: then.get(key, "") for key in now if then.get(key) != now[key]}
        lines = {key: text.splitlines(keepends=True) for key, text in changed.items()}
        write(FOLDER / name / f"earlier/{max(before)}.json", lines)
    for cell in made["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
    write(file, made)


if __name__ == "__main__":
    for each in sys.argv[1:] or NAMES:
        keep(each)
