"""From what Moodle, Canvas and ILIAS export to what they import again."""

import csv
import io
import zipfile

import pytest

from exercises.grader.intake import forms
from exercises.grader.report.gradebook import sheet
from tests.grader import course, exports

pytestmark = course.SANDBOXED
POINTS = {"s-17": (2, 3, 1), "s-18": (2, 3, 1), "s-19": (0, 3, 1)}
NAMES = {"s-17": "Jörg Müller", "s-18": "Zoë Ångström", "s-19": "Anna-Lena von Groß"}
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


def grade(root, source, *words, check=True):
    """Run the command on one export; return what it said."""
    course.write_source(root / "source")
    said = course.grade(root, *words, check=check, folder=source)
    assert not check or said.returncode == 0, said.stderr
    return said


def rows_of(path):
    """Read a table as the systems do; it begins with a byte order mark."""
    text = path.read_bytes().decode("utf-8")
    assert text.startswith("\ufeff") and text[1] != '"'
    return list(csv.reader(io.StringIO(text[1:])))


@pytest.fixture(scope="module", params=exports.EXPORTS)
def graded(request, tmp_path_factory):
    """An export of one system as a zip, graded with a roster."""
    root = tmp_path_factory.mktemp(request.param)
    source = exports.zipped(root / "all.zip", exports.EXPORTS[request.param]())
    words = [*exports.roster(root), "--export", request.param]
    grade(root, source, *words, *COLUMN)
    return request.param, root


def test_right_notebooks_keep_their_points_under_the_names_of_the_system(graded):
    _, root = graded
    rows = course.scores(root)
    assert {student: course.points(row) for student, row in rows.items()} == POINTS
    disputes = [flag for row in rows.values() for flag in row["review"] if "first cell" in flag]
    assert disputes == []


def test_the_table_says_who_a_student_is(graded):
    _, root = graded
    rows = exports.table(root / "out/scores.csv")
    assert {row["student"]: row["name"] for row in rows} == NAMES


def test_the_newest_attempt_counts_and_what_is_late_is_flagged(graded):
    system, root = graded
    row = course.scores(root)["s-18"]
    assert ("handed in late" in row["review"]) == (system != "moodle")
    left = dict(rows_of(root / "out/not_taken.csv"))
    (earlier,) = [name for name, why in left.items() if "earlier attempt" in why]
    assert earlier.endswith(EARLIER[system])
    pages = [path.read_text(encoding="utf-8") for path in (root / "out/feedback").glob("*.html")]
    assert sum("last, so it counts" in page for page in pages) == 1


def test_nothing_is_left_out_in_silence(graded):
    system, root = graded
    (head, *left) = rows_of(root / "out/not_taken.csv")
    assert head == ["file", "why"]
    assert len(left) == 2
    assert any(name.endswith(NO_NOTEBOOK[system]) for name, _ in left)
    assert NO_NOTEBOOK[system] in (root / "out/summary.html").read_text(encoding="utf-8")


def test_the_gradebook_has_the_columns_and_numbers_of_the_system(graded):
    system, root = graded
    name = "status.csv" if system == "ilias" else "grades.csv"
    head, *rows = rows_of(root / "out/export" / system / name)
    assert all(len(row) == len(head) for row in rows)
    if system == "moodle":
        found = {row[head.index("Identifier")]: row[head.index("Grade")] for row in rows}
        assert found == {"Participant 901": "6", "Participant 902": "6", "Participant 903": "4"}
        assert {row[head.index("Maximum Grade")] for row in rows} == {"6"}
        assert "Last modified (grade)" in head
    if system == "canvas":
        assert head == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Attention (88)"]
        assert rows[0] == ["    Points Possible", "", "", "", "", "6"]
        assert ["Jörg Müller", "4711", "SIS17", "jmueller", "A", "6"] in rows
        assert {row[1]: row[5] for row in rows[1:]} == {"4711": "6", "4712": "6", "4713": "4"}
    if system == "ilias":
        assert head[:7] == "update usr_id login lastname firstname status mark".split()
        assert ["1", "301", "jmueller", "Müller", "Jörg", "notgraded", "6"] in [
            row[:7] for row in rows
        ]
        assert {row[1]: row[6] for row in rows} == {"301": "6", "302": "6", "303": "4"}


def test_feedback_goes_back_under_names_that_the_system_takes(graded):
    system, root = graded
    with zipfile.ZipFile(root / "out/export" / system / "feedback.zip") as archive:
        assert sorted(archive.namelist()) == sorted(PAGES[system])
        (page,) = [
            name for name in archive.namelist() if "4713" in name or "roß" in name or "303" in name
        ]
        assert "(s-19): 4 of 6 points" in archive.read(page).decode()


def test_a_gradebook_holds_no_zero_that_nobody_gave(tmp_path):
    files = [*exports.canvas(), exports.File("berg_4714_9005_demo.ipynb", "{}")]
    source = exports.zipped(tmp_path / "all.zip", files)
    assert grade(tmp_path, source, "--export", "canvas", *COLUMN, check=False).returncode == 3
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
    said = grade(tmp_path, source, check=False)
    assert said.returncode == 2 and "--form moodle, canvas, ilias or plain" in said.stderr
    assert "'Anna-Lena.ipynb' does not; nothing was graded" in said.stderr
    words = ["--form", "moodle", *exports.roster(tmp_path), "--export", "moodle"]
    said = grade(tmp_path, source, *words, check=False)
    assert said.returncode == 3
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
