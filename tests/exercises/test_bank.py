"""A bank outside of the repository: begun, tried, released and graded by the commands alone."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import exercises
from exercises import new, release, trial
from exercises.grader.intake import assignment, drawn
from exercises.grader.intake.notebook import code_cells
from exercises.grader.intake.source import path_of, read
from tests.exercises import assignments
from tests.grader import course
from tests.grader.solved import write_out

WALLED = course.SANDBOXED


@pytest.fixture
def bank(tmp_path):
    assert new.main(["demo", "--bank", str(tmp_path / "bank")]) == 0
    return tmp_path / "bank"


@pytest.fixture
def few(monkeypatch):
    """Fewer sets of numbers, where what is tried does not depend on them."""
    monkeypatch.setattr(trial, "STUDENTS", 2)


def change(bank, old, text, file="demo.py"):
    assignments.change(bank / "demo" / file, old, text)


def test_a_new_assignment_has_a_task_of_each_kind_and_parts(bank):
    cells = read(path_of(bank / "demo"))["cells"]
    marks = [cell["metadata"].get("nbgrader", {}) for cell in cells]
    solutions = [c for c, m in zip(cells, marks, strict=True) if m.get("solution")]
    tags = sorted(tag for cell in solutions for tag in cell["metadata"]["tags"])
    assert tags == ["bug", "by-hand", "implement", "prediction", "slip"]
    assert [m["grade_id"] for m in marks if m.get("grade")][:2] == [
        *("row_means-check-means", "row_means-check-no-columns")
    ]
    assert sum(m["points"] for m in marks if m.get("grade")) == 12
    assert "# demo\n" in cells[1]["source"] and "bring 12 points" in cells[1]["source"]


def test_new_writes_over_nothing(bank, capsys):
    (bank / "helpers.py").write_text("import numpy as np\n", encoding="utf-8")
    assert new.main(["demo", "--bank", str(bank)]) == 2
    assert "already exists" in capsys.readouterr().err
    assert new.main(["../demo", "--bank", str(bank)]) == 2
    assert new.main(["mutants", "--bank", str(bank)]) == 2
    assert new.main(["other", "--bank", str(bank)]) == 0
    assert (bank / "helpers.py").read_text(encoding="utf-8") == "import numpy as np\n"


def test_an_assignment_of_ours_is_copied_with_other_numbers(tmp_path, capsys):
    words = ["--bank", str(tmp_path), "--from"]
    assert new.main(["mine", *words, "00_warm_up"]) == 0
    ours = (new.SOURCE / "helpers.py").read_text(encoding="utf-8")
    helpers = (tmp_path / "helpers.py").read_text(encoding="utf-8")
    assert new.DRAWN in ours and new.DRAWN not in helpers
    assert new.main(["other", *words, "warm_up"]) == 2
    assert "--from must name a folder" in capsys.readouterr().err


def test_a_release_of_a_bank_lies_beside_it(bank, capsys):
    assert release.main(["--source", str(bank)]) == 0
    made = bank.parent / "release/demo/demo_exercise.ipynb"
    assert capsys.readouterr().out == f"{made}\n1 assignment released.\n"
    notebook = nbformat.read(made, as_version=4)
    nbformat.validate(notebook)
    text = "\n".join(cell.source for cell in notebook.cells)
    assert 'raise NotImplementedError("row_means is not yet written")' in text
    assert "HIDDEN TESTS" not in text and "mean_rng" not in text and "X.sum(" not in text
    assert "def draw_for(task)" in text, "the helpers' text stands in the notebook"
    assert release.main(["--source", str(bank), "--out", str(bank.parent / "away")]) == 0
    assert (bank.parent / "away/demo/demo_exercise.ipynb").read_bytes() == made.read_bytes()


def test_an_assignment_may_have_a_version_of_its_own(bank):
    assert assignment.load(bank / "demo").version == 5
    change(bank, 'hand_rng = draw_for("hand_dot")', 'VERSION = 6\nhand_rng = draw_for("hand_dot")')
    assert release.main(["--source", str(bank)]) == 0
    made = (bank.parent / "release/demo/demo_exercise.ipynb").read_bytes()
    assert drawn.version_of(code_cells(made), 5) == 6
    assert assignment.load(bank / "demo").version == 6


def test_what_the_linter_finds_is_not_released(bank, capsys):
    change(bank, '### END HIDDEN TESTS\nchecked("slip', 'checked("slip')
    assert release.main(["--source", str(bank)]) == 2
    said = capsys.readouterr().err
    assert "demo, cell slip-check: each ### BEGIN HIDDEN TESTS needs its" in said
    assert not (bank.parent / "release").exists()
    assert release.main(["--source", str(bank), "--out", str(bank)]) == 2


def test_a_release_that_shows_a_line_of_a_solution_is_refused():
    def one(text):
        return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text)])

    begin, secret = "### BEGIN HIDDEN TESTS", "assert secret_number == 5"
    hidden = one(f"a = 1\n{begin}\n{secret}\n### END HIDDEN TESTS\n")
    for shown, leaks in (("a = 1", []), (f"a = 1\n{secret}", [secret]), (begin, [begin])):
        assert release.leaks(hidden, one(shown)) == leaks


def test_the_commands_work_from_any_folder_as_modules(bank):
    for command in ("lint", "release"):
        words = [sys.executable, "-m", f"exercises.{command}", "--source", str(bank)]
        root = str(Path(exercises.__file__).parents[1])
        env = {**os.environ, "PYTHONPATH": root}
        done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=bank, env=env)
        assert done.stdout.splitlines()[-1].startswith("1 assignment")


BROKEN = {  # a file, what stands in it and what takes its place, the code and what is said
    "a mistake that few numbers show": (
        *("demo.py", "integers(2, 10, size=3) for _", "integers(0, 2, size=3) for _"),
        *(1, "hand_dot__no_squares is a mistake and keeps all points with numbers of"),
    ),
    "a right answer that loses points": (
        *("alternatives.py", "max(len(row), 1)", "(len(row) + 1)"),
        *(1, "row_means__loop is right and loses points in row_means-means: "),
    ),
    "a wrong solution": (
        *("demo.py", "X.sum(axis=1) / max", "X.sum(axis=1) * max"),
        *(2, "gets 0 of 3 points in 'Task 1: the mean of each row (means)'"),
    ),
    "an answer to no task": (
        *("mutants.py", "def slip__", "def slips__"),
        *(2, "slips__in_the_conclusion belongs to no task"),
    ),
}


class TestTried:
    """What runs the code of the bank."""

    pytestmark = WALLED

    def test_a_new_assignment_is_as_it_should_be(self, bank, capsys):
        assert trial.main(["demo", "--source", str(bank)]) == 0
        assert "demo: the solution gets all points" in capsys.readouterr().out

    def test_a_copy_of_ours_is_as_it_should_be(self, tmp_path, few):
        assert new.main(["mine", "--bank", str(tmp_path), "--from", "00_warm_up"]) == 0
        assert trial.main(["mine", "--source", str(tmp_path)]) == 0

    def test_a_mistake_that_keeps_its_points_is_named(self, bank, few, capsys):
        with (bank / "demo/mutants.py").open("a", encoding="utf-8") as file:
            file.write("def mended_center__right(X):\n    return X - X.mean(axis=1)[:, None]\n")
        assert trial.main(["demo", "--source", str(bank)]) == 1
        says = "mended_center__right is a mistake and keeps all points: add a test "
        assert capsys.readouterr().out.startswith(says)

    @pytest.mark.parametrize("what", BROKEN)
    def test_what_is_wrong_with_a_bank_is_named(self, bank, capsys, what):
        file, old, text, code, says = BROKEN[what]
        change(bank, old, text, file)
        assert trial.main(["demo", "--source", str(bank)]) == code
        said = capsys.readouterr()
        assert says in (said.out if code == 1 else said.err)

    def test_an_answer_brings_what_it_needs(self, bank, few, capsys):
        needs = "from collections import Counter\n\nimport numpy as np\n\nTWO = 2\n"
        change(bank, "import numpy as np\n", needs, "mutants.py")
        mean = "return Counter() or X.sum(axis=1) / TWO"
        change(bank, "return X.mean(axis=0)", mean, "mutants.py")
        assert trial.main(["demo", "--source", str(bank)]) == 0
        change(bank, "X.sum(axis=1) / TWO", "missing_name", "mutants.py")
        capsys.readouterr()
        assert trial.main(["demo", "--source", str(bank)]) == 1
        said = capsys.readouterr().out
        assert "row_means__of_columns loses its points for a name that it lacks" in said
        assert "name 'missing_name' is not defined" in said

    def test_a_right_a_wrong_and_an_empty_notebook_are_graded(self, bank):
        release.release(bank)
        given = nbformat.read(bank.parent / "release/demo/demo_exercise.ipynb", as_version=4)
        for student in ("empty", "full", "wrong"):
            solved = nbformat.from_dict(read(path_of(bank / "demo")))
            notebook = given if student == "empty" else solved
            notebook.cells[0].source = f'STUDENT_ID = "{student}"'
            if student != "empty":
                write_out(notebook.cells)
            for cell in notebook.cells:
                if student == "wrong" and cell.id == "row_means":
                    cell.source = "def row_means(X):\n    return X.mean(axis=1)"
            path = bank.parent / "submissions" / student / "demo.ipynb"
            path.parent.mkdir(parents=True)
            nbformat.write(notebook, path)
        (bank.parent / "source").symlink_to(bank)
        course.grade(bank.parent)
        rows = course.scores(bank.parent)
        points = {who: row["points"] for who, row in rows.items()}
        assert points == {"empty": 0, "full": 12, "wrong": 11}
        assert rows["wrong"]["tasks"]["row_means-no-columns"]["points"] == 0
