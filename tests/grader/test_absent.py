"""Nobody is said to have handed in nothing, and no gradebook gets a row, while that is open."""

import pytest

from tests.grader import course, exports
from tests.grader.exports import File
from tests.grader.test_exports import COLUMN, grade

pytestmark = course.SANDBOXED
OTHERS = [exports.File(f"{each}/demo.ipynb", exports.right(each)) for each in ("s-17", "s-18")]
STRANGER = File("Annalena/demo.ipynb", exports.right("x-4"))
COPY = File("zoe-2/demo.ipynb", exports.right("s-18"))
CELL = File("s-18/demo.ipynb", exports.right("s-19"))


@pytest.mark.parametrize("file", [STRANGER, COPY, CELL])
def test_nobody_handed_in_nothing_while_a_file_may_be_theirs(tmp_path, file):
    source = exports.unpacked(tmp_path / "in", [*OTHERS, file])
    words = [*exports.roster(tmp_path), "--export", "moodle"]
    grade(tmp_path, source, *words, ends=3)
    absent = course.scores(tmp_path)["s-19"]
    assert absent["points"] is None and "may be theirs" in absent["problem"]
    assert "nothing was handed in" not in (tmp_path / "out/summary.html").read_text("utf-8")
    rows = exports.table(tmp_path / "out/export/moodle/grades.csv")
    assert "s-19" not in {row["ID number"] for row in rows}


def test_a_doubled_id_is_in_no_gradebook_and_the_command_ends_with_3(tmp_path):
    names = ["müllerjörg_4711_9001", "stranger_4719_9002", "ångströmzoë_4712_9003"]
    pairs = zip(names, ["s-17", "s-17", "s-18"], strict=True)
    files = [File(f"{name}_demo.ipynb", exports.right(who)) for name, who in pairs]
    source = exports.zipped(tmp_path / "all.zip", files)
    grade(tmp_path, source, "--export", "canvas", *COLUMN, ends=3)
    folder = tmp_path / "out/export/canvas"
    assert [row["ID"] for row in exports.table(folder / "grades.csv")[1:]] == ["4712"]
    left = exports.table(folder / "not_exported.csv")
    assert [row["why"] for row in left] == ["another submission has the id 's-17' too"] * 2
