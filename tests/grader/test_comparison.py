"""Two runs of the judge side by side, and all assignments in one table."""

import json

import pytest

from exercises.grader import comparison, overview, roster, scores
from exercises.grader.command import main
from exercises.grader.graded import Graded
from exercises.grader.origin import Origin
from exercises.grader.overrides import Override
from exercises.grader.results import Status
from tests.grader import marks

SHARED = {"source": "s1", "grader": "g1", "seed": 5, "versions": "none", "limits": "l1"}
NOTHING = dict.fromkeys(("double", "softmax", "answer"), Status.ABSENT)


def run(root, rows, name="demo", digests=None, **shared):
    """Write what a run of the judge leaves; return its folder."""
    out = root / f"out{len(list(root.glob('out*')))}"
    out.mkdir()
    graded = []
    for n, (who, found) in enumerate(rows):
        one = marks.handed(who)
        if who in [name for name, _ in rows[:n]]:
            one = one._replace(handed=one.handed._replace(label=f"{who} (1)"))
        graded.append(Graded(one, marks.judged(who, **found)))
    task_set = marks.demo(root)._replace(name=name)
    digests = digests or {f"{who}/demo.ipynb": f"{who}-1" for who, _ in rows}
    scores.save(task_set, graded, Origin(SHARED | shared, digests), out)
    return out


def compared(root, old, new, capsys):
    assert main(["--compare", str(old), str(new)]) == 0
    return capsys.readouterr().out.splitlines()


def test_who_lost_what_and_what_else_changed(tmp_path, capsys):
    rows = [("ann", {}), ("bob", {"double": Status.WRONG}), ("eve", {}), ("old", {})]
    old = run(tmp_path, rows)
    rows = [("ann", {"softmax": Status.TIMED_OUT}), ("bob", {}), ("eve", {}), ("new", {})]
    digests = {"ann/demo.ipynb": "ann-1", "bob/demo.ipynb": "bob-2", "eve/demo.ipynb": "eve-1"}
    new = run(tmp_path, rows, digests=digests, grader="g2", seed=6)
    assert compared(tmp_path, old, new, capsys) == [
        "the assignment: the same",
        "the grader: differs",
        "the seed: differs",
        "the earlier versions judged: the same",
        "the limits: the same",
        "ann: 6 -> 3 points; the notebook: the same",
        "  softmax: 3 -> 0 (right -> timed out)",
        "bob: 4 -> 6 points; the notebook: differs",
        "  double: 0 -> 2 (wrong -> right)",
        "new: in the new run only",
        "old: in the old run only",
        "4 of 5 students differ",
    ]


def test_two_equal_runs_and_what_is_not_comparable(tmp_path, capsys):
    old = run(tmp_path, [("ann", {"softmax": Status.NOT_JUDGED}), ("bob", {})])
    assert compared(tmp_path, old, old, capsys)[-1] == "0 of 2 students differ"
    again = run(tmp_path, [("ann", {}), ("bob", {})])
    assert "  softmax: not judged -> 3 (not judged -> right)" in compared(
        tmp_path, old, again, capsys
    )
    assert main(["--compare", str(old), str(run(tmp_path, [("ann", {})], "other"))]) == 2
    assert "the runs are of demo and of other" in capsys.readouterr().err
    assert main(["--compare", str(old), str(tmp_path)]) == 2
    assert "No such file or directory" in capsys.readouterr().err


def test_a_change_by_hand_and_by_the_deadline_is_a_change(tmp_path):
    old = comparison.read(run(tmp_path, [("ann", {"double": Status.WRONG})]))
    row = json.loads(json.dumps(old.rows["ann", "ann/demo.ipynb"]))
    row["tasks"]["double"] |= {"points": 1, "status": "set by hand"}
    row |= {"points": 4.5, "late": "1 hour late: 10 % of the points taken off."}
    new = old._replace(rows={("ann", ""): row})
    assert comparison.compare(old, new)[5:] == [
        "ann: 4 -> 4.5 points; the notebook: the same",
        "  double: 0 -> 1 (wrong -> set by hand)",
        "  deadline: none -> 1 hour late: 10 % of the points taken off.",
        "1 of 1 students differ",
    ]


def test_a_later_deadline_alone_changes_the_sum(tmp_path):
    old = comparison.read(run(tmp_path, [("ann", {})]))
    row = {**old.rows["ann", "ann/demo.ipynb"], "points": 5.4, "late": "1 hour late."}
    assert comparison.compare(old, old._replace(rows={("ann", ""): row}))[5:] == [
        "ann: 6 -> 5.4 points; the notebook: the same",
        "  deadline: none -> 1 hour late.",
        "1 of 1 students differ",
    ]


def test_runs_of_older_judges_lack_what_they_did_not_record(tmp_path):
    folder = run(tmp_path, [("ann", {})])
    new = comparison.read(folder)
    data = json.loads((folder / "scores.json").read_text(encoding="utf-8"))
    for key in SHARED:
        del data[key]
    (folder / "scores.json").write_text(json.dumps(data), encoding="utf-8")
    old = comparison.read(folder)
    for pair in ((old, old), (old, new), (new, old)):
        assert comparison.compare(*pair)[0] == "the assignment: not recorded"


@pytest.mark.parametrize(
    ("cell", "value", "says"),
    [
        (["scores"], 5, "scores is 5"),
        (["scores", 1], [], "row 2 is []"),
        (["scores", 1, "points"], float("nan"), "row 2: points is nan"),
        (["scores", 1, "possible"], 10**400, "row 2: possible is 1000"),
        (["scores", 1, "tasks", "softmax"], 3, "row 2: softmax, points is 3"),
        (["scores", 1, "tasks", "softmax", "points"], True, "row 2: softmax, points is True"),
        (["scores", 1, "student"], ["bob"], "row 2: student is ['bob']"),
    ],
)
def test_a_spoiled_table_is_refused_with_its_cell(tmp_path, capsys, cell, value, says):
    folder = run(tmp_path, [("ann", {}), ("bob", {})])
    path = folder / "scores.json"
    data = inner = json.loads(path.read_text(encoding="utf-8"))
    for key in cell[:-1]:
        inner = inner[key]
    inner[cell[-1]] = value
    path.write_text(json.dumps(data), encoding="utf-8")
    assert main(["--overview", str(folder), "--out", str(tmp_path / "term")]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"grade: {path} does not hold what a run writes: {says}")
    assert len(said) < 300


def class_(root):
    path = root / "roster.csv"
    path.write_text("id,name\nAnn,Änn Ö\nbob,=Bob\nzed,Zed\n", "utf-8")
    return path


def test_all_assignments_in_one_table(tmp_path, capsys):
    first = run(tmp_path, [("ann", {}), ("bob", {"double": Status.WRONG})], "one")
    second = run(tmp_path, [("ann", {"softmax": Status.NOT_JUDGED}), ("zoe", {})], "two")
    third = run(tmp_path, [("ann", NOTHING), ("bob", {}), ("bob", {})], "three")
    words = [str(first), str(second), str(third), "--out", str(tmp_path / "all")]
    assert main(["--overview", *words, "--roster", str(class_(tmp_path))]) == 0
    assert capsys.readouterr().out.startswith("4 students, 3 assignments: ")
    text = (tmp_path / "all/overview.csv").read_bytes().decode("utf-8")
    assert text.splitlines() == [
        "\ufeffstudent,name,one,two,three,total,remarks",
        '"possible","",6,6,6,18,""',
        '"Ann","Änn Ö",6,"","",6,"two: not judged; three: nothing handed in"',
        '"bob","\'=Bob",4,"","",4,'
        '"two: nothing handed in; three: more than one notebook has this id"',
        '"zed","Zed","","","",0,"one: nothing handed in; two: nothing handed in; '
        'three: nothing handed in"',
        '"zoe","","",6,"",6,"one: nothing handed in; three: nothing handed in"',
    ]
    page = (tmp_path / "all/overview.html").read_text(encoding="utf-8")
    assert page.count('<th scope="row"') == 4
    assert "Änn Ö" in page and "<small>of 18</small>" in page


def test_points_for_practice_have_a_column_and_stay_out_of_the_sum(tmp_path):
    first, second = run(tmp_path, [("ann", {})], "one"), run(tmp_path, [("ann", {})], "two")
    words = [str(second), "--practice", str(first), "--out", str(tmp_path)]
    assert main(["--overview", *words]) == 0
    text = (tmp_path / "overview.csv").read_text(encoding="utf-8-sig")
    assert text.splitlines() == [
        "student,name,two,one,total,remarks",
        '"possible","",6,6,6,""',
        '"ann","",6,6,6,""',
    ]


def test_the_same_assignment_twice_is_refused(tmp_path, capsys):
    folders = [str(run(tmp_path, [("ann", {})])) for _ in range(2)]
    assert main(["--overview", *folders, "--out", str(tmp_path / "all")]) == 2
    assert "two folders hold demo" in capsys.readouterr().err


def test_the_sum_takes_what_counts(tmp_path):
    folder = run(tmp_path, [("ann", {"softmax": Status.WRONG})])
    task_set = marks.demo(tmp_path)
    chosen = {"softmax": Override("ann", "softmax", 2.5, "x")}
    graded = Graded(marks.handed("ann"), marks.judged("ann", softmax=Status.WRONG), chosen)
    scores.save(task_set, [graded], Origin(SHARED, {}), folder)
    people = roster.read(class_(tmp_path))
    rows = overview.standings([comparison.read(folder)], people, 1)
    assert [(row.student, row.total) for row in rows] == [("Ann", 5.5), ("bob", 0), ("zed", 0)]
