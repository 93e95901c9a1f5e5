"""Several notebooks under one name: several students, or attempts that cost nobody points."""

import pytest

from tests.grader import course, exports
from tests.grader.exports import File
from tests.grader.test_exports import grade

pytestmark = course.SANDBOXED
CLASS = [f"demo_exercise{f' ({n})' if n else ''}.ipynb" for n in range(6)]
EMPTY = course.submission("s0", dict.fromkeys(course.POINTS, "raise NotImplementedError"))


def roster(root, ids):
    return exports.roster(root, "id\n" + "".join(f"{each}\n" for each in ids))


@pytest.mark.parametrize("inner", ["{}", "group_a/{}", "group_a/inner/{}"])
def test_a_class_in_one_folder_keeps_every_student(tmp_path, inner):
    ids = [f"s{n}" for n in range(6)]
    pairs = zip(CLASS, ids, strict=True)
    files = [File(inner.format(name), course.submission(who)) for name, who in pairs]
    files += [File("group_b/demo.ipynb", course.submission("s6"))] if "/" in inner else []
    ids += ["s6"] if "/" in inner else []
    source = exports.unpacked(tmp_path / "in", files)
    grade(tmp_path, source, *roster(tmp_path, ids))
    rows = course.scores(tmp_path)
    assert {who: row["points"] for who, row in rows.items()} == dict.fromkeys(ids, 6)
    assert all(row["review"] for row in rows.values())
    assert len((tmp_path / "out/not_taken.csv").read_text("utf-8").splitlines()) == 1
    words = ["--roster", "", "--trust-cells"]
    grade(tmp_path, source, *words)
    assert sorted(course.scores(tmp_path)) == ids


def test_a_class_in_one_folder_without_a_roster_is_a_question(tmp_path):
    pairs = zip(CLASS, "abcdef", strict=True)
    files = [File(name, course.submission(who)) for name, who in pairs]
    said = grade(tmp_path, exports.unpacked(tmp_path / "in", files), ends=2)
    assert "6 of 6 notebooks contain another student id" in said.stderr


def test_copies_of_the_release_that_hold_no_id_are_no_attempts_of_one_student(tmp_path):
    files = [File(name, course.submission("")) for name in CLASS]
    grade(tmp_path, exports.unpacked(tmp_path / "in", files))
    assert len(course.scores(tmp_path)) == len(CLASS)


@pytest.mark.parametrize("other", ["s0", ""])
def test_an_attempt_that_lowers_a_score_is_flagged(tmp_path, other):
    empty = EMPTY if other else course.submission("", {"double": "x = 1", "softmax": ""})
    files = [
        File("s0.ipynb", course.submission("s0")),
        File("s0 (9).ipynb", empty),
        File("s1.ipynb", exports.wrong("s1")),
        File("s1 (1).ipynb", course.submission("s1")),
    ]
    grade(tmp_path, exports.unpacked(tmp_path / "in", files))
    rows = course.scores(tmp_path)
    assert rows["s0"]["points"] < 6 and rows["s1"]["points"] == 6
    assert "the earlier attempt 's0.ipynb' has 6 points" in rows["s0"]["review"]
    assert rows["s1"]["review"] == []


def test_two_ids_in_the_folder_of_one_account_are_a_question(tmp_path):
    folder = "Jörg Müller_901_assignsubmission_file"
    files = [
        File(f"{folder}/demo.ipynb", course.submission("s-18"), 1),
        File(f"{folder}/demo (1).ipynb", course.submission("s-17"), 2),
    ]
    source = exports.unpacked(tmp_path / "in", files)
    grade(tmp_path, source, *roster(tmp_path, ["s-17", "s-18"]), ends=3)
    rows = course.scores(tmp_path)
    assert rows["s-18"]["points"] is None
    assert "may be theirs" in rows["s-18"]["problem"]
    assert "'s-18', 's-17'" in rows["s-17"]["review"][0]
    assert "it contains the id 's-18'" in (tmp_path / "out/not_taken.csv").read_text("utf-8")


def test_a_folder_that_is_named_after_one_of_its_ids_is_of_that_student(tmp_path):
    files = [
        File("ann/demo.ipynb", course.submission("ann"), 1),
        File("ann/demo (1).ipynb", course.submission("bob"), 2),
        File("eve/demo.ipynb", course.submission("eve")),
    ]
    grade(tmp_path, exports.unpacked(tmp_path / "in", files), *roster(tmp_path, ["ann", "eve"]))
    rows = course.scores(tmp_path)
    assert (rows["ann"]["points"], rows["bob"]["points"]) == (6, 6)
    assert "'ann' contains notebooks of several students" in rows["bob"]["review"]
