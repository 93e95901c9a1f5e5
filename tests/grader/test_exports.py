"""From an export of Moodle, Canvas or ILIAS to returned feedback and a gradebook by two commands.

The first judges; the instructor reads summary.html, and writes down what a person decides. The
second counts that, the deadline too, and writes what the system imports.
"""

import csv
import io
import re
import zipfile
from pathlib import Path

import pytest

from exercises.grader.intake import forms
from exercises.grader.report.gradebook import sheet
from tests.grader import course, exports

pytestmark = course.SANDBOXED
POINTS = {"s-17": (2, 3, 1), "s-18": (2, 3, 1), "s-19": (0, 3, 1)}
NAMES = {"s-17": "Jörg Müller", "s-18": "Zoë Ångström", "s-19": "Anna-Lena von Groß"}
NAMES["s-20"] = "Øystein Bø"
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
EARLIER = {"moodle": "_902_assignsubmission_file_/demo.ipynb", "canvas": "4712_9002_demo.ipynb"}
EARLIER["ilias"] = "zoe.a_302/demo.ipynb"
NO_NOTEBOOK = {"moodle": "onlinetext.html", "canvas": "plot.png", "ilias": "Uebung_1.xlsx"}
PAGE = "feedback_demo.html"
PAGES = {
    "moodle": [
        f"Jörg Müller_901_assignsubmission_file/{PAGE}",
        f"Zoë Ångström_902_assignsubmission_file/{PAGE}",
        f"Anna-Lena von Groß_903_assignsubmission_file/{PAGE}",
    ],
    "canvas": [
        "müllerjörg_4711_9001_demo.html",
        "ångströmzoë_LATE_4712_9010_demo-1.html",
        "vongroßannalena_4713_9003_demo.html",
    ],
    "ilias": [
        f"multi_feedback_demo/Muller_Jorg_jmueller_301/{PAGE}",
        f"multi_feedback_demo/Angstrom_Zoe_zoe.a_302/{PAGE}",
        f"multi_feedback_demo/von Gross_Anna-Lena_agross_303/{PAGE}",
        "multi_feedback_demo/status.csv",
    ],
}


COLUMN = ["--column", "Attention (88)"]


def grade(root, source, *words, ends=0):
    """Run the command on one export; return what it said, if it ends with this code."""
    course.write_source(root / "source")
    return course.grade(root, *words, ends=(ends,), folder=source)


def rows_of(path):
    """Read a table as the systems do; it begins with a byte order mark."""
    text = path.read_bytes().decode("utf-8")
    assert text.startswith("\ufeff") and text[1] != '"'
    return list(csv.reader(io.StringIO(text[1:])))


@pytest.fixture(scope="module", params=exports.EXPORTS)
def graded(request, tmp_path_factory):
    """The two commands for a system, what the first said, and what a person writes in between."""
    system, root = request.param, tmp_path_factory.mktemp(request.param)
    source = exports.zipped(root / "all.zip", exports.EXPORTS[system]())
    grade(root, source, *exports.roster(root, ROSTER))
    judged = course.scores(root)
    before = {p.name: p.stat().st_mtime_ns for p in (root / "out/results").iterdir()}
    words = ["--deadline", "2026-03-02T12:30", "--export", system, *COLUMN]
    words += ["--late", "10% per day, grace 15 minutes, floor 50%"]
    times = WORKSHEET if system == "moodle" else TIMES
    for name, text in {"overrides": OVERRIDES, "times": times, "extensions": EXTENSIONS}.items():
        (root / f"{name}.csv").write_text(text, "utf-8")
        words += [f"--{name}", str(root / f"{name}.csv")]
    grade(root, source, *words)
    after = {p.name: p.stat().st_mtime_ns for p in (root / "out/results").iterdir()}
    assert (after, len(after)) == (before, 3), "the second command judged again"
    return system, root, judged


def test_right_notebooks_keep_their_points_under_the_names_of_the_system(graded):
    _, root, judged = graded
    assert {student: course.points(judged[student]) for student in POINTS} == POINTS
    disputes = [flag for row in judged.values() for flag in row["review"] if "first cell" in flag]
    assert disputes == []
    rows = exports.table(root / "out/scores.csv")
    assert {row["student"]: row["name"] for row in rows} == NAMES


def test_the_newest_attempt_counts_and_what_is_late_is_flagged(graded):
    system, root, judged = graded
    assert ("handed in late" in judged["s-18"]["review"]) == (system != "moodle")
    left = dict(rows_of(root / "out/not_taken.csv"))
    (earlier,) = [name for name, why in left.items() if "earlier attempt" in why]
    assert earlier.endswith(EARLIER[system])
    pages = [path.read_text(encoding="utf-8") for path in (root / "out/feedback").glob("*.html")]
    assert sum("last, so it counts" in page for page in pages) == 1


def test_nothing_is_left_out_in_silence(graded):
    system, root, _ = graded
    (head, *left) = rows_of(root / "out/not_taken.csv")
    assert head == ["file", "why"]
    assert len(left) == 2
    assert any(name.endswith(NO_NOTEBOOK[system]) for name, _ in left)
    assert NO_NOTEBOOK[system] in (root / "out/summary.html").read_text(encoding="utf-8")


def test_the_gradebook_has_the_columns_of_the_system_and_the_points_that_count(graded):
    system, root, _ = graded
    path = root / "out/export" / system / ("status.csv" if system == "ilias" else "grades.csv")
    head, *rows = rows_of(path)
    assert all(len(row) == len(head) for row in rows)
    who, mark = COLUMNS[system]
    named = {row[who]: row for row in exports.table(path)}
    named.pop("", None)  # Canvas says here what can be had
    found = {student: named[number][mark] for number, student in NUMBERS[system].items()}
    assert found == {student: str(points) for student, points in GRADES.items()}
    assert len(named) == 4
    if system == "moodle":
        assert {row["Maximum Grade"] for row in named.values()} == {"6"}
        assert "Last modified (grade)" in head
    if system == "canvas":
        assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Attention (88)"]
        assert rows[0] == ["    Points Possible", "", "", "", "", "6"]
        assert ["Jörg Müller", "4711", "SIS17", "jmueller", "A", "6"] in rows
    if system == "ilias":
        assert head[:7] == "update usr_id login lastname firstname status mark".split()
        assert rows[0][:7] == ["1", "301", "jmueller", "Müller", "Jörg", "notgraded", "6"]
        assert [row["update"] for row in named.values()] == [*"1110"]


def test_feedback_goes_back_with_the_reason_under_names_that_the_system_takes(graded):
    system, root, _ = graded
    pages = {}
    with zipfile.ZipFile(root / "out/export" / system / "feedback.zip") as archive:
        assert sorted(archive.namelist()) == sorted(PAGES[system])
        for name in archive.namelist():
            if name.endswith(".html"):
                text = archive.read(name).decode()
                pages[re.split(r"<p>.*\(|\):", text)[1]] = (name, text)
    assert {who: name for who, (name, _) in pages.items()} == dict(
        zip(POINTS, PAGES[system], strict=False)
    )
    assert "(s-18): 4.8 of 6 points" in pages["s-18"][1]
    assert "1 day late: 20 % of" not in pages["s-18"][1]
    assert "1 day 30 minutes late: 20 % of the points taken off." in pages["s-18"][1]
    assert "(s-19): 5 of 6 points" in pages["s-19"][1]
    assert "the judge gave 0: die Idee stimmt." in pages["s-19"][1]
    assert "In time. The deadline was 2026-03-04 12:00: Attest." in pages["s-19"][1]


def test_what_was_changed_stands_beside_what_the_judge_said(graded):
    system, root, _ = graded
    lines = exports.table(root / f"out/export/{system}/changes.csv")
    changed = {(row["student"], row["what"]): row for row in lines}
    assert [changed["s-19", "double"][key] for key in ("before", "after")] == ["0", "1"]
    assert [changed["s-18", "deadline"][key] for key in ("before", "after")] == ["6", "4.8"]
    rows = {row["student"]: row for row in exports.table(root / "out/scores.csv")}
    assert list(rows) == ["s-17", "s-18", "s-19", "s-20"]
    assert [rows["s-19"][key] for key in ("double", "points", "points by the judge")] == [
        "1",
        "5",
        "4",
    ]
    assert rows["s-18"]["points before the deadline counts"] == "6"


def test_who_handed_in_nothing_is_listed_and_has_no_zero(graded):
    _, root, _ = graded
    row = exports.table(root / "out/scores.csv")[-1]
    assert [row[key] for key in ("student", "name", "points", "double", "problem")] == [
        "s-20",
        "Øystein Bø",
        "",
        "",
        "nothing was handed in",
    ]
    page = (root / "out/summary.html").read_text(encoding="utf-8")
    assert "3 submissions" in page and "1 more handed in nothing" in page
    assert "Øystein Bø" in page and "nothing was handed in" in page


def test_regrading_keeps_what_a_person_said(graded, monkeypatch):
    _, root, _ = graded
    old = exports.table(root / "out/scores.csv")
    monkeypatch.chdir(root)  # and the names may be those from here
    said = grade(Path(), "all.zip", "--seed", "9")
    assert "as before: --overrides" in said.stderr and "as before: --roster" in said.stderr
    assert exports.table(root / "out/scores.csv") == old
    grade(Path(), "all.zip", "--overrides", "", "--late", "")
    points = {row["student"]: row["points"] for row in exports.table(root / "out/scores.csv")}
    assert points == {"s-17": "6", "s-18": "6", "s-19": "4", "s-20": ""}


def test_a_gradebook_holds_no_zero_that_nobody_gave(tmp_path):
    files = [*exports.canvas(), exports.File("berg_4714_9005_demo.ipynb", "{}")]
    source = exports.zipped(tmp_path / "all.zip", files)
    grade(tmp_path, source, "--export", "canvas", *COLUMN, ends=3)
    folder = tmp_path / "out/export/canvas"
    assert "4714" not in [row[1] for row in rows_of(folder / "grades.csv")]
    head, (student, _, file, why) = rows_of(folder / "not_exported.csv")
    assert head == ["student", "name", "file", "why"]
    assert (student, file) == ("berg_4714", "berg_4714/demo.ipynb")
    assert "nbformat" in why
    with zipfile.ZipFile(folder / "feedback.zip") as archive:
        assert "berg_4714_9005_demo.html" in archive.namelist()


def test_a_roster_alone_gives_a_gradebook_and_says_what_feedback_lacks(tmp_path):
    source = exports.unpacked(tmp_path / "in", [exports.File("s-17.ipynb", exports.right("s-17"))])
    grade(tmp_path, source, *exports.roster(tmp_path), "--export", "canvas", *COLUMN)
    folder = tmp_path / "out/export/canvas"
    _, _, first, *others = rows_of(folder / "grades.csv")
    assert (first[:2], first[-1]) == (["Jörg Müller", "4711"], "6")
    assert [(row[1], row[-1]) for row in others] == [("4712", ""), ("4713", "")]
    assert "name of the file in its export" in rows_of(folder / "not_exported.csv")[1][3]


HOSTILE = ["x_1_assignsubmission_file_.txt", "Muller_Jorg_jmueller_301/demo.ipynb"]
HOSTILE += [f"müllerjörg_4711_99{number}_demo.ipynb" for number in range(10, 40)]


@pytest.mark.parametrize("system", [*exports.EXPORTS, "plain"])
def test_no_name_that_a_student_chooses_touches_the_work_of_others(tmp_path, system):
    files = exports.EXPORTS.get(system, exports.plain)()
    last = [file.name for file in files if file.name.endswith("demo.ipynb")][-1]
    for name in HOSTILE:  # Canvas knows no folders
        name = name.replace("/", "_") if system == "canvas" else name
        files.append(exports.File(last.replace("demo.ipynb", name), exports.wrong("s-19")))
    source = exports.unpacked(tmp_path / "in", files)
    grade(tmp_path, source, *([] if system == "plain" else ["--export", system, *COLUMN]))
    rows = course.scores(tmp_path)
    assert {student: course.points(row) for student, row in rows.items()} == POINTS
    if system != "plain":
        name = "status.csv" if system == "ilias" else "grades.csv"
        table = rows_of(tmp_path / "out/export" / system / name)
        assert any("901" in row[0] or row[1] in ("4711", "301") for row in table)


def test_a_file_that_names_no_student_is_not_passed_over(tmp_path):
    files = [*exports.moodle()[:3], exports.File("Anna-Lena.ipynb", exports.right("s-19"))]
    source = exports.zipped(tmp_path / "all.zip", files)
    said = grade(tmp_path, source, ends=2)
    assert "--form moodle, canvas, ilias or plain" in said.stderr
    assert "'Anna-Lena.ipynb' does not; nothing was graded" in said.stderr
    words = ["--form", "moodle", *exports.roster(tmp_path), "--export", "moodle"]
    said = grade(tmp_path, source, *words, ends=3)
    assert (
        "1 of the files name no student and were not read, for example 'Anna-Lena.ipynb'"
        in said.stderr
    )
    for name in ("scores.csv", "scores.json", "summary.html"):
        assert "anded in" not in (tmp_path / "out" / name).read_text("utf-8")
    assert course.scores(tmp_path)["s-19"]["points"] is None
    folder = tmp_path / "out/export/moodle"
    assert [row[0] for row in rows_of(folder / "not_exported.csv")] == ["student", "s-19"]
    assert "Participant 903" not in [row[0] for row in rows_of(folder / "grades.csv")]


def test_no_name_in_a_gradebook_is_cut_at_a_semicolon():
    text = sheet([("file", "why"), ("a;=1+1", "x")])
    assert text == '\ufefffile,why\r\n"a;=1+1","x"\r\n'


def test_a_file_called_template_is_not_late():
    folder = "Muller_Jorg_jmueller_301"
    assert not forms.in_ilias(f"{folder}/template - demo.ipynb").late
    late = forms.in_ilias(f"{folder}/Verspatete Abgabe - demo.ipynb")
    assert (late.late, late.file) == (True, "demo.ipynb")
