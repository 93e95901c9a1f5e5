"""All assignments in one table."""

import json

import pytest

from exercises.grader.command import main
from exercises.grader.identity import roster
from exercises.grader.mark.graded import Graded
from exercises.grader.mark.overrides import Override
from exercises.grader.mark.results import Status
from exercises.grader.report import overview, recorded, scores
from exercises.grader.report.origin import Origin
from tests.grader import marks

SHARED = {"source": "s1", "grader": "g1", "seed": 5, "versions": "none", "limits": "l1"}


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
    assert said.startswith(f"grade: {path} does not contain what a run writes: {says}")
    assert len(said) < 300


def class_(root):
    path = root / "roster.csv"
    path.write_text("id,name\nAnn,Änn Ö\nbob,=Bob\nzed,Zed\n", "utf-8")
    return path


def test_all_assignments_in_one_table(tmp_path, capsys):
    first = run(tmp_path, [("ann", {}), ("bob", {"double": Status.WRONG})], "one")
    second = run(tmp_path, [("ann", {"softmax": Status.NOT_JUDGED}), ("zoe", {})], "two")
    third = run(tmp_path, [("ann", marks.ABSENT), ("bob", {}), ("bob", {})], "three")
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
    assert "two folders contain demo" in capsys.readouterr().err


def test_the_sum_takes_what_counts(tmp_path):
    folder = run(tmp_path, [("ann", {"softmax": Status.WRONG})])
    task_set = marks.demo(tmp_path)
    chosen = {"softmax": Override("ann", "softmax", 2.5, "x")}
    graded = Graded(marks.handed("ann"), marks.judged("ann", softmax=Status.WRONG), chosen)
    scores.save(task_set, [graded], Origin(SHARED, {}), folder)
    people = roster.read(class_(tmp_path))
    rows = overview.standings([recorded.read(folder)], people, 1)
    assert [(row.student, row.total) for row in rows] == [("Ann", 5.5), ("bob", 0), ("zed", 0)]
