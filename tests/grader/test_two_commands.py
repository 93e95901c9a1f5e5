"""From an export to returned feedback and a gradebook file by two commands, for each system.

The first judges; the instructor reads summary.html, and writes down what a person decides. The
second counts that, the deadline too, and writes what the system imports.
"""

import re
import subprocess
import sys
import zipfile

import pytest

from tests.grader import course, exports

pytestmark = course.SANDBOXED
ROSTER = exports.ROSTER + "s-20,Øystein Bø,904,4714,304,obo,SIS20,B,Bø,Øystein\n"
OVERRIDES = "student,task,points,why\ns-19,double,1,die Idee stimmt\n"
TIMES = "student,submitted\ns-17,2026-03-02T12:00\ns-18,2026-03-03T13:00\ns-19,2026-03-03T13:00\n"
WORKSHEET = """\ufeffIdentifier,Full name,Status,Grade,Last modified (submission)
Participant 901,Jörg Müller,Submitted,-,"Monday, 2 March 2026, 12:00 PM"
Participant 902,Zoë Ångström,Submitted,-,"Tuesday, 3 March 2026, 1:00 PM"
Participant 903,Anna-Lena von Groß,Submitted,-,"Tuesday, 3 March 2026, 1:00 PM"
Participant 904,Øystein Bø,No submission,-,-
"""
EXTENSIONS = "student,deadline,why\ns-19,2026-03-04T12:00,Attest\n"
GRADES = {"s-17": 6, "s-18": 4.8, "s-19": 5, "s-20": ""}  # s-18: 20 % of 6 points for two days
NUMBERS = {
    "moodle": {f"Participant {901 + n}": f"s-{17 + n}" for n in range(4)},
    "canvas": {str(4711 + n): f"s-{17 + n}" for n in range(4)},
    "ilias": {str(301 + n): f"s-{17 + n}" for n in range(4)},
}
COLUMNS = {"moodle": ("Identifier", "Grade"), "canvas": ("ID", "Attention (88)")}
COLUMNS["ilias"] = ("usr_id", "mark")


def grade(root, *words):
    command = [sys.executable, "-m", "exercises.grader", "demo", "all.zip", "--out", "graded"]
    command += ["--source", "source", *words]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)


@pytest.fixture(scope="module", params=exports.EXPORTS)
def friday(request, tmp_path_factory):
    """The two commands, with what a person writes between them."""
    system, root = request.param, tmp_path_factory.mktemp(request.param)
    course.write_source(root / "source")
    exports.zipped(root / "all.zip", exports.EXPORTS[system]())
    grade(root, *exports.roster(root, ROSTER))
    before = {p.name: p.stat().st_mtime_ns for p in (root / "graded/results").iterdir()}
    (root / "marks.csv").write_text(OVERRIDES, "utf-8")
    (root / "times.csv").write_text(WORKSHEET if system == "moodle" else TIMES, "utf-8")
    (root / "later.csv").write_text(EXTENSIONS, "utf-8")
    words = ["--overrides", "marks.csv", "--deadline", "2026-03-02T12:30", "--times", "times.csv"]
    words += ["--late", "10% per day, grace 15 minutes, floor 50%", "--extensions", "later.csv"]
    grade(root, *words, "--export", system, "--column", "Attention (88)")
    after = {p.name: p.stat().st_mtime_ns for p in (root / "graded/results").iterdir()}
    assert (after, len(after)) == (before, 3), "the second command judged again"
    return system, root / "graded", root


def test_the_gradebook_has_the_points_that_count(friday):
    system, graded, _ = friday
    name = "status.csv" if system == "ilias" else "grades.csv"
    who, mark = COLUMNS[system]
    rows = {row[who]: row for row in exports.table(graded / "export" / system / name)}
    rows.pop("", None)  # Canvas says here what can be had
    found = {student: rows[number][mark] for number, student in NUMBERS[system].items()}
    assert found == {student: str(points) for student, points in GRADES.items()}
    assert len(rows) == 4
    if system == "ilias":
        assert {n: row["update"] for n, row in rows.items()} == dict(
            zip(NUMBERS["ilias"], "1110", strict=True)
        )


def test_the_feedback_goes_back_with_the_reason(friday):
    system, graded, _ = friday
    pages = {}
    with zipfile.ZipFile(graded / "export" / system / "feedback.zip") as archive:
        for name in archive.namelist():
            if name.endswith(".html"):
                text = archive.read(name).decode()
                pages[re.split(r"<p>.*\(|\):", text)[1]] = (name, text)
    assert sorted(pages) == ["s-17", "s-18", "s-19"]
    assert any(letter in pages["s-17"][0] for letter in ("Müller", "müller", "Muller"))
    assert "(s-18): 4.8 of 6 points" in pages["s-18"][1]
    assert "1 day late: 20 % of" not in pages["s-18"][1]
    assert "1 day 30 minutes late: 20 % of the points taken off." in pages["s-18"][1]
    assert "(s-19): 5 of 6 points" in pages["s-19"][1]
    assert "the judge gave 0: die Idee stimmt." in pages["s-19"][1]
    assert "In time. The deadline was 2026-03-04 12:00: Attest." in pages["s-19"][1]


def test_what_was_changed_stands_beside_what_the_judge_said(friday):
    system, graded, _ = friday
    lines = exports.table(graded / f"export/{system}/changes.csv")
    changed = {(row["student"], row["what"]): row for row in lines}
    assert [changed["s-19", "double"][key] for key in ("before", "after")] == ["0", "1"]
    assert [changed["s-18", "deadline"][key] for key in ("before", "after")] == ["6", "4.8"]
    rows = {row["student"]: row for row in exports.table(graded / "scores.csv")}
    assert list(rows) == ["s-17", "s-18", "s-19", "s-20"]
    assert [rows["s-19"][key] for key in ("double", "points", "points by the judge")] == [
        "1",
        "5",
        "4",
    ]
    assert rows["s-18"]["points before the deadline counts"] == "6"


def test_who_handed_in_nothing_is_listed_and_has_no_zero(friday):
    _, graded, _ = friday
    row = exports.table(graded / "scores.csv")[-1]
    assert [row[key] for key in ("student", "name", "points", "double", "problem")] == [
        "s-20",
        "Øystein Bø",
        "",
        "",
        "nothing was handed in",
    ]
    page = (graded / "summary.html").read_text(encoding="utf-8")
    assert "3 submissions" in page and "1 more handed in nothing" in page
    assert "Øystein Bø" in page and "nothing was handed in" in page


def test_regrading_keeps_what_a_person_said(friday):
    _, graded, root = friday
    old = exports.table(graded / "scores.csv")
    said = grade(root, "--seed", "9")
    assert "as before: --overrides" in said.stderr and "as before: --roster" in said.stderr
    assert exports.table(graded / "scores.csv") == old
    grade(root, "--overrides", "", "--late", "")
    points = {row["student"]: row["points"] for row in exports.table(graded / "scores.csv")}
    assert points == {"s-17": "6", "s-18": "6", "s-19": "4", "s-20": ""}
