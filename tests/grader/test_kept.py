"""A notebook that was handed in lives on: each version of each assignment keeps its points."""

import json
import shutil
from pathlib import Path

import pytest

from exercises.grader.intake import assignment, drawn, source
from tests.exercises.assignments import path_of
from tests.grader import course, kept
from tests.grader.solved import FOLDER, NAMES, find, task_set

FIRST = 5  # the first version of which notebooks were kept
ALL = [(name, version) for name in NAMES for version in sorted(kept.versions(name))]
CHANGED = (
    "what {0} gives in the cells {2} is not what its kept notebook of version {1} shows. If an "
    "answer or a printed number depends on it, the assignment needs a new VERSION (see "
    "exercises/README.md); if only words changed, run `python -m tests.grader.kept {0}`"
)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_of_each_version_is_kept(name):
    assert kept.versions(name) == set(range(FIRST, task_set(name).version + 1)), (
        f"run `python -m tests.grader.kept {name}` and commit what it writes"
    )


@pytest.mark.parametrize("name", NAMES)
def test_the_number_of_one_assignment_is_above_that_of_all(name):
    helpers, *others = task_set(name).helpers
    own = drawn.version_in(others)
    assert not own or own > drawn.version_in([helpers])


@pytest.mark.parametrize("name", NAMES)
def test_the_kept_notebook_shows_what_is_released(name):
    version = task_set(name).version
    then = kept.given(source.read(kept.file_of(name, version)))
    now = kept.given(source.read(path_of(name, "release")))
    changed = {each for each in {**then, **now} if then.get(each) != now.get(each)} - {"digests"}
    assert not changed, CHANGED.format(name, version, sorted(changed))


def without_checks(made):
    """Return the texts of the cells but for the checks and what they use, which may change."""
    names = {cell["id"]: cell["source"] for cell in made["cells"]}
    return {key: text for key, text in names.items() if key != "helpers" and "-check" not in key}


def test_a_new_version_keeps_what_the_one_before_gave(tmp_path, monkeypatch):
    name, present = "00_warm_up", kept.file_of("00_warm_up", FIRST)
    locked = without_checks(source.read(present))
    monkeypatch.setattr(kept, "KEPT", tmp_path / "released")
    monkeypatch.setattr(kept, "FOLDER", tmp_path)
    before = json.loads(present.read_bytes())
    find(before, "sum_shape-numbers")["source"] = "shape_rows = 2\nprint(shape_rows)"
    before["cells"] = [cell for cell in before["cells"] if cell["id"] != "digests"]
    kept.write(kept.file_of(name, FIRST - 1), before)
    kept.keep(name)
    assert without_checks(source.read(kept.file_of(name, FIRST))) == locked
    texts = json.loads((tmp_path / name / "earlier/4.json").read_text(encoding="utf-8"))
    lines = ["shape_rows = 2\n", "print(shape_rows)"]
    assert texts == {"digests": [], "sum_shape-numbers": lines}


def test_no_notebook_with_other_right_answers_is_kept_in_place_of_one(tmp_path, monkeypatch):
    file = kept.file_of("00_warm_up", FIRST)
    before = json.loads(file.read_bytes())
    find(before, "sum_shape")["source"] = "sum_shape = [5, 8]"
    monkeypatch.setattr(kept, "KEPT", tmp_path)
    kept.write(kept.file_of("00_warm_up", FIRST), before)
    with pytest.raises(SystemExit, match="needs a new VERSION"):
        kept.keep("00_warm_up")


def test_an_earlier_version_with_other_points_is_refused(tmp_path):
    """The tables have one column for a task, whichever version a student was given."""
    name = "10_12_models_and_training"
    copy = Path(shutil.copytree(path_of(name).parent, tmp_path / name))
    for shared in ("helpers.py", "paper.py"):
        shutil.copy(FOLDER / shared, tmp_path)
    assert set(assignment.load(copy).earlier) == {FIRST}
    (copy / "earlier/.ipynb_checkpoints").mkdir()  # JupyterLab makes it beside what it opens
    assert set(assignment.load(copy).earlier) == {FIRST}
    then = json.loads((copy / "earlier/5.ipynb").read_bytes())
    find(then, "slip-check")["metadata"]["nbgrader"]["points"] = 3
    kept.write(copy / "earlier/5.ipynb", then)
    with pytest.raises(ValueError, match="version 5 of 10_12_models_and_training has other points"):
        assignment.load(copy)


def may_differ(note):
    """Say whether a note is of a cell that may change within a version: a check, or the helpers."""
    cell = note.removeprefix("the cell ").partition(" ")[0]
    return "differs from" in note and (cell in ("helpers", "digests") or "-check" in cell)


@course.in_sandbox
@pytest.mark.parametrize(("name", "version"), ALL)
def test_a_kept_notebook_gets_all_points(graded_alone, name, version):
    handed_in = kept.file_of(name, version).read_bytes()
    known = {"versions": frozenset({version}), "may_compute": False}
    result = graded_alone(name, handed_in, **known)
    assert [task.reason for task in result.tasks if task.reason] == []
    assert result.points == result.possible > 0
    assert [task.name for task in result.tasks] == [task.name for task in task_set(name).tasks]
    assert result.flags == ()
    assert [note for note in result.notes if not may_differ(note)] == []


@course.in_sandbox
def test_a_notebook_with_other_words_of_the_options_keeps_its_points(graded_alone):
    name = "04_attention"
    handed_in = json.loads(kept.file_of(name, FIRST).read_bytes())
    for cell in ("prediction-choices", "slip-choices"):
        text = "".join(find(handed_in, cell)["source"])
        find(handed_in, cell)["source"] = text.replace(" the ", " this ")
    known = {"versions": frozenset({FIRST}), "may_compute": False}
    result = graded_alone(name, json.dumps(handed_in).encode(), **known)
    assert result.points == result.possible > 0
    noted = {note.split()[2] for note in result.notes if not may_differ(note)}
    assert noted == {"prediction-choices", "slip-choices"}
