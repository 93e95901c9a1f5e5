"""One file of a group counts for its members; a person's comments come back with the points."""

import pytest

from tests.grader import course, exports
from tests.grader.exports import File
from tests.grader.test_exports import grade

pytestmark = course.SANDBOXED
ROSTER = """id,name,group,moodle
s-17,Jörg Müller,Red,901
s-18,Zoë Ångström,red,902
s-19,Anna-Lena von Groß,,903
"""
MARKS = """student,task,points,why
s-17,double,,Look at x = 0 too
s-17,answer,0,copied
s-18,answer,1,explained it to me
"""


def graded(root, files, *words, ends=0, roster=ROSTER):
    """Grade these files with a roster; return the rows of scores.json by id."""
    source = exports.unpacked(root / "in", [File(f"{name}.ipynb", made) for name, made in files])
    grade(root, source, *exports.roster(root, roster), *words, ends=ends)
    return course.scores(root)


@pytest.mark.parametrize("typed", ["s-17", "s-18"])
def test_a_file_counts_for_its_group_with_points_comments_and_pages_for_each(tmp_path, typed):
    (tmp_path / "marks.csv").write_text(MARKS, "utf-8")
    words = ["--overrides", str(tmp_path / "marks.csv"), "--export", "moodle"]
    rows = graded(tmp_path, [("s-17", exports.right(typed))], *words)
    assert [float(rows[who]["points"]) for who in ("s-17", "s-18")] == [5, 6]
    assert rows["s-19"]["points"] is None
    pages = {who: course.page(tmp_path, who) for who in ("s-17", "s-18")}
    assert "Jörg Müller (s-17): 5 of 6 points" in pages["s-17"]
    assert "A comment of your instructor: Look at x = 0 too" in pages["s-17"]
    assert "Zoë Ångström (s-18): 6 of 6 points" in pages["s-18"]
    assert "the notebook of your group. It was handed in by s-17" in pages["s-18"]
    table = exports.table(tmp_path / "out/export/moodle/grades.csv")
    assert [row["Grade"] for row in table] == ["5", "6", ""]


def test_two_files_of_a_group_count_for_those_who_handed_them_in(tmp_path):
    files = [("s-17", exports.right("s-17")), ("s-18", exports.wrong("s-18"))]
    rows = graded(tmp_path, files)
    assert [float(rows[who]["points"]) for who in ("s-17", "s-18")] == [6, 4]


def test_where_two_files_of_a_group_might_be_meant_nobody_gets_one(tmp_path):
    three = ROSTER.replace("Groß,,903", "Groß,Red,903")
    files = [("s-17", exports.right("s-17")), ("s-18", exports.wrong("s-18"))]
    row = graded(tmp_path, files, ends=3, roster=three)["s-19"]
    assert row["points"] is None and "2 of the files may be theirs" in row["problem"]


def test_the_id_of_a_stranger_is_still_disputed(tmp_path):
    rows = graded(tmp_path, [("s-17", exports.right("s-19"))], ends=3)
    assert "the first cell contains the student id 's-19'" in str(rows["s-17"])
