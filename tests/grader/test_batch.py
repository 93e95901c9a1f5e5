"""The command on a folder of all sorts: who is found, what is written, what is graded again."""

import csv
import json
import os

import pytest

from exercises.grader import command
from exercises.grader.run import batch
from tests.grader import course
from tests.grader.solved import marks as marks_of

pytestmark = [*course.SANDBOXED, pytest.mark.usefixtures("own_proof")]
EDITED = {**course.CHECKS, "double": "print('all is well')", "softmax": "softmax = None"}


def without(kind):
    """Return cells whose nbgrader marks are changed."""
    made = course.submission(kind)
    for cell in made["cells"]:
        if not (marks := marks_of(cell)):
            continue
        if kind == "no_marks":
            cell["metadata"] = {}
        elif kind == "points_changed" and "points" in marks:
            marks["points"] = 1000
        elif kind == "schema_changed":
            marks["schema_version"] = "999"
        elif kind == "ids_changed":
            marks["grade_id"] += "_mine"
        elif kind == "all_solutions":
            marks |= {"solution": True, "grade": False}
    if kind == "no_checks":
        made["cells"] = [cell for cell in made["cells"] if "grade" not in marks_of(cell)]
    if kind == "no_kernel":
        made["metadata"] = {}
    return made


FULL = ["no_marks", "points_changed", "schema_changed", "ids_changed", "all_solutions"]
FULL += ["no_checks", "no_kernel", "checks_edited", "twice", "spread"]


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    root = tmp_path_factory.mktemp("batch")
    course.write_source(root / "source")
    folder = root / "submissions"
    for kind in FULL:
        course.write(folder, kind, without(kind))
    course.write(folder, "checks_edited", course.submission("checks_edited", checks=EDITED))
    twice = course.submission("twice")
    first = course.code(
        "def softmax(scores):\n    return scores", grade_id="softmax", solution=True
    )
    twice["cells"].insert(2, first)
    course.write(folder, "twice", twice)
    spread = course.submission("spread", {"softmax": "def softmax(x):\n    return mine(x)"})
    spread["cells"].insert(2, course.code(course.SOFTMAX.replace("softmax", "mine")))
    course.write(folder, "spread", spread)
    stub = {"softmax": course.UNWRITTEN.format("softmax")}
    course.write(folder, "=cmd|evil", course.submission("somebody else", stub))
    (folder / "flat.ipynb").write_text(json.dumps(course.submission("flat")), encoding="utf-8")
    (folder / "<b>.ipynb").write_text(json.dumps(course.submission("<b>")), encoding="utf-8")
    (folder / os.fsdecode(b"caf\xe9.ipynb")).write_text(
        json.dumps(course.submission("caf\ufffd")), encoding="utf-8"
    )
    course.write(folder, "cut_off", json.dumps(course.submission("cut_off"))[:500])
    course.write(folder, "empty", "")
    course.write(folder, "deep", "[" * 10**5)
    (folder / "link").symlink_to(folder / "no_marks")
    (folder / "linked").mkdir()
    (folder / "linked/demo.ipynb").symlink_to(folder / "no_marks/demo.ipynb")
    (folder / "pipe").mkdir()
    os.mkfifo(folder / "pipe/demo.ipynb")
    (folder / "nothing").mkdir()
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / "notes.txt").touch()
    said = course.grade(root, "--seed", "7", apart=True)
    return root, course.scores(root), said


@pytest.mark.parametrize("student", [*FULL, "flat", "<b>", "caf\ufffd"])
def test_what_a_student_may_do_to_a_notebook_costs_nothing(graded, student):
    _, rows, _ = graded
    assert course.points(rows[student]) == (2, 3, 1)


@pytest.mark.parametrize(
    ("student", "says"),
    [
        ("cut_off", "not JSON"),
        ("empty", "is empty"),
        ("deep", "nested too deeply"),
        ("link", "symbolic link"),
        ("linked", "symbolic link"),
        ("pipe", "not a regular file"),
        ("nothing", "there is no notebook of demo"),
    ],
)
def test_a_bad_file_gets_a_row_with_a_reason(graded, student, says):
    root, rows, _ = graded
    assert course.points(rows[student]) == (0, 0, 0)
    assert says in rows[student]["problem"]
    pages = (root / "out/feedback").glob(f"{student}*.html")
    assert any(says in path.read_text(encoding="utf-8") for path in pages)


def test_nobody_else_is_graded(graded):
    _, rows, said = graded
    assert len(rows) == len(FULL) + 11
    assert said.stdout.startswith(f"{len(rows)} submissions in ")
    assert "7 could not be graded" in said.stdout
    assert f"{len(rows)} of {len(rows)} graded" in said.stderr


@pytest.mark.parametrize(
    ("student", "says"),
    [
        ("checks_edited", "the cell double-check differs from"),
        ("points_changed", "the points of softmax-check were changed"),
        ("no_checks", "the cell answer-check is missing"),
        ("twice", "2 cells are called softmax"),
        ("ids_changed", "no cell is called softmax"),
    ],
)
def test_the_feedback_says_what_was_odd(graded, student, says):
    root, *_ = graded
    assert says in course.page(root, student)


def test_a_wrong_id_is_reported_and_a_name_is_no_formula(graded):
    root, rows, _ = graded
    row = rows["=cmd|evil"]
    assert "'somebody else'" in row["review"][0]
    assert row["tasks"]["softmax"]["status"] == "not yet written"
    assert row["tasks"]["answer"]["points"] == 0  # the numbers of somebody else
    table = list(csv.reader((root / "out/scores.csv").read_text("utf-8").splitlines()))
    assert table[0][:6] == ["student", "double", "softmax", "answer", "points", "possible"]
    assert not any(cell.startswith(("=", "+", "-", "@")) for row in table for cell in row)
    assert "'=cmd|evil" in [row[0] for row in table]


def test_the_class_page(graded):
    root, *_ = graded
    page = (root / "out/summary.html").read_text(encoding="utf-8")
    assert "<b>" not in page.split("</h1>")[1].replace("&lt;b&gt;", "")
    assert page.count("<rect") == 10
    assert page.index("The task answer") < page.index("The task double")


def test_the_same_command_again_starts_nothing_and_keeps_the_seed(graded, monkeypatch):
    root, rows, _ = graded
    (root / "bwrap").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")  # starts no sandbox
    (root / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(root))
    course.grade(root)
    assert course.scores(root) == rows
    assert json.loads((root / "out/batch.json").read_text(encoding="utf-8"))["seed"] == 7


def test_a_changed_submission_alone_is_graded_again(graded):
    root, *_ = graded
    times = {path: path.stat().st_mtime_ns for path in (root / "out/results").iterdir()}
    course.write(root / "submissions", "spread", course.submission("spread"))
    course.grade(root)
    changed = [path.name for path, then in times.items() if path.stat().st_mtime_ns != then]
    assert changed == ["spread.json"]


def test_two_commands_do_not_share_their_results(graded):
    root, *_ = graded
    with batch.locked(root / "out"):
        said = course.grade(root, ends=(2,), apart=True)
    assert said.stdout == ""
    assert "another command is writing to" in said.stderr
    course.grade(root)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--source", "/nowhere"], "there is no assignment demo"),
        (["--workers", "0"], "--workers must be from 1 to 100, got 0"),
        (["--call-seconds", "nan"], "call-seconds must be more than 0 and at most 86400, got nan"),
        (["--task-seconds", "inf"], "--task-seconds must"),
        (["--total-seconds=-3"], "got -3"),
        (["--out", "{root}/submissions/out"], "--out must not be inside"),
    ],
)
def test_a_command_that_cannot_be_carried_out_says_why(graded, words, says):
    root, *_ = graded
    said = course.grade(root, *[word.replace("{root}", str(root)) for word in words], ends=(2,))
    assert said.stderr.startswith("grade: ")
    assert says in said.stderr


def test_where_no_submissions_are_nothing_is_made(tmp_path, capsys):
    words = ["04_attention", str(tmp_path / "none"), "--out", str(tmp_path / "graded")]
    assert command.main(words) == 2
    assert f"there is no {tmp_path / 'none'}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_without_bubblewrap_it_refuses(graded, monkeypatch, tmp_path):
    root, *_ = graded
    monkeypatch.setenv("PATH", str(tmp_path))
    said = course.grade(root, ends=(2,))
    assert "bubblewrap" in said.stderr
    assert "--no-sandbox" in said.stderr


def test_another_assignment_does_not_mix_in(graded):
    root, *_ = graded
    other = course.submission("")
    path = root / "source/other/other.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(other), encoding="utf-8")
    (root / "more").mkdir()
    (root / "more/ann.ipynb").write_text(json.dumps(course.submission("ann")), encoding="utf-8")
    said = course.grade(root, ends=(2,), folder="more", name="other")
    assert "choose another --out" in said.stderr
