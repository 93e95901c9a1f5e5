"""Several notebooks under one name: several students, or attempts that cost nobody points."""

import re

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
def test_a_numbered_copy_that_lowers_a_score_does_not_count(tmp_path, other):
    empty = EMPTY if other else course.submission("", {"double": "x = 1", "softmax": ""})
    files = [
        File("s0.ipynb", course.submission("s0")),
        File("s0 (9).ipynb", empty, 9),
        File("s1.ipynb", exports.wrong("s1")),
        File("s1 (1).ipynb", course.submission("s1")),
        File("s2 (3).ipynb", course.submission("s2", {"softmax": "x = 1"})),
        File("s2.ipynb", "cut off", 7),
        File("s2 (1).ipynb", exports.wrong("s2")),
    ]
    grade(tmp_path, exports.unpacked(tmp_path / "in", files))
    rows = course.scores(tmp_path)
    assert [rows[who]["points"] for who in ("s0", "s1", "s2")] == [6, 6, 4]
    assert re.fullmatch(
        r"'s0.ipynb' \(6 points\) and 's0 \(9\).ipynb' \(\d points\) are copies of one name that "
        r"differ: 's0.ipynb' counts until you take one of them away",
        rows["s0"]["review"][-1],
    )
    assert rows["s0"]["file"].endswith("s0.ipynb") and rows["s1"]["review"] == []
    left = {row["file"]: row["why"] for row in exports.table(tmp_path / "out/not_taken.csv")}
    assert left.keys() == {"s0 (9).ipynb", "s1.ipynb", "s2.ipynb", "s2 (3).ipynb"}
    assert left["s0 (9).ipynb"] == "a copy with fewer points; s0.ipynb counts"
    assert "s0.ipynb has more points, so it counts" in course.page(tmp_path, "s0")


@pytest.mark.parametrize(
    ("earlier", "newest"),
    [
        ("m_4711_9001_demo.ipynb", "m_4711_9002_demo-1.ipynb"),  # as Canvas numbers
        ("ann/first.ipynb", "ann/demo (1).ipynb"),
        ("ann/demo.ipynb", "ann/new/demo.ipynb"),
    ],
)
def test_an_attempt_that_is_no_numbered_copy_is_flagged(tmp_path, earlier, newest):
    files = [File(earlier, course.submission("ann")), File(newest, exports.wrong("ann"), 9)]
    form = "canvas" if "_" in earlier else "plain"
    grade(tmp_path, exports.unpacked(tmp_path / "in", files), "--form", form)
    (row,) = course.scores(tmp_path).values()
    assert row["points"] == 4
    name = earlier.rpartition("/")[2].rpartition("_")[2]
    assert f"the earlier attempt {name!r} has 6 points" in row["review"]


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
