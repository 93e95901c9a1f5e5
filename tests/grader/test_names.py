"""Names of students: harmless as files and in tables, shown whole."""

import re

import pytest

from exercises.grader.intake import assignment, collect as intake
from exercises.grader.intake.submissions import Submission
from exercises.grader.report import cells
from tests.grader import course


def find(root):
    """Find the submissions in root/in."""
    demo = assignment.load(course.write_source(root / "source") / "demo")
    return intake.find(root / "in", demo, root / "source", root / "unpacked").found


def test_an_empty_folder_is_an_error(tmp_path):
    (tmp_path / "in").mkdir()
    with pytest.raises(ValueError, match="contains no submission"):
        find(tmp_path)


def test_names_become_harmless_file_names():
    keys = {
        Submission("x", name).key for name in ("a/demo.ipynb", "..", ".a", "é" * 200, "é" * 201)
    }
    assert len(keys) == 5
    assert all(len(key) < 150 and not key.startswith(".") and "/" not in key for key in keys)


@pytest.mark.parametrize(
    ("name", "shown"),
    [("a\nann,9", "a\ufffdann,9"), ("ann\u200b", "ann\ufffd"), ("Zoe\u0308", "Zo\xeb")],
)
def test_a_name_shows_all_its_letters(tmp_path, name, shown):
    (tmp_path / "in").mkdir()
    (tmp_path / f"in/{name}.ipynb").touch()
    (found,) = find(tmp_path)
    assert found.submission.student == shown
    assert (tmp_path / "in" / found.submission.inside).exists()


@course.in_sandbox
def test_no_name_becomes_a_formula_where_semicolons_part_the_columns(tmp_path):
    course.write_source(tmp_path / "source")
    for number, name in enumerate(("x;=1+1;", 'b"; -2;"c')):
        folder = f"{name}_{number}_assignsubmission_file"
        course.write(tmp_path / "submissions", folder, course.submission("ann"))
        (tmp_path / "submissions" / folder / f"{name}.png").touch()
    course.grade(tmp_path, "--export", "moodle", "--trust-cells")
    tables = [path.read_text("utf-8-sig") for path in (tmp_path / "out").rglob("*.csv")]
    cut = [cell.strip(' "') for text in tables for cell in re.split("[;\n]", text)]
    assert len(tables) == 5
    assert [cell for cell in cut if cell.startswith(("=", "-"))] == []


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", "＝1"])
def test_formulas_are_quoted(text):
    assert cells.harmless(text) == f"'{text}"
