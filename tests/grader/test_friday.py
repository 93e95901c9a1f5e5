"""A Friday: 200 submissions of exercise 04, 40 of them hostile, and the table is right."""

import io
import itertools
import json
import unicodedata
import zipfile

import nbformat
import pytest

from tests.exercises.assignments import (
    FOLDER,
    answers,
    lost_by,
    marks_of,
    path_of,
    points,
    source_of,
    tasks,
    worth,
)
from tests.grader import course, exports, rosters
from tests.grader.hostile import HOSTILE
from tests.grader.solved import write_out

pytestmark = course.SANDBOXED
NAME = "04_attention"
ATTACKED = "softmax"
LIMITS = ["--call-seconds", "1.5", "--task-seconds", "3", "--total-seconds", "30"]


def solutions():
    """The text of each solution cell, without its marks."""
    cells = [c for c in nbformat.read(path_of(NAME), 4).cells if marks_of(c).get("solution")]
    return {
        marks_of(c).grade_id: "\n".join(line for line in c.source.split("\n") if "### " not in line)
        for c in cells
    }


def write(folder, student, texts, spelled=None, types=True):
    """Write the release with these texts in the place of its tasks; the id may be `spelled` so.

    What a text works out on paper is typed, or stays as it is.
    """
    notebook = nbformat.read(path_of(NAME, "release"), 4)
    for cell in notebook.cells:
        cell.source = cell.source.replace(
            'STUDENT_ID = ""', f"STUDENT_ID = {(spelled or student)!r}"
        )
        if marks_of(cell).get("solution") and marks_of(cell).grade_id in texts:
            cell.source = texts[marks_of(cell).grade_id]
    if types:
        write_out(notebook.cells)
    (folder / student).mkdir(parents=True)
    nbformat.write(notebook, folder / student / f"{NAME}.ipynb")


def grade(root, *words):
    """Run the command on root/in with our own bank; return what it said."""
    return course.graded(root, "--source", FOLDER / "source", *words, folder="in", name=NAME)


def wrong_answers():
    """Each typical mistake: its task, the text of a cell and the checks that it fails."""
    for mutant in answers(NAME, "mutants"):
        yield mutant.partition("__")[0], source_of(NAME, mutant), lost_by(NAME, mutant)


def students(root):
    """Each student with the texts of the notebook and the points they deserve."""
    right, full = solutions(), points(NAME)
    for i, (_, (text, _)) in zip(range(40), HOSTILE.items(), strict=False):
        text = text.replace("{root}", str(root)).replace("{repository}", str(root))
        yield (
            f"hostile{i:02}",
            right | {ATTACKED: text},
            full | dict.fromkeys(worth(NAME, ATTACKED), 0.0),
        )
    for i, (task, text, lost) in zip(range(100), itertools.cycle(wrong_answers()), strict=False):
        yield f"mistaken{i:03}", right | {task: text}, full | dict.fromkeys(lost, 0.0)
    for i, task in zip(range(40), itertools.cycle(tasks(NAME)), strict=False):
        part = {name: text for name, text in right.items() if name != task}
        yield f"unfinished{i:02}", part, full | dict.fromkeys(worth(NAME, task), 0.0)
    for i in range(20):
        yield f"right{i:02}", right, full


@pytest.mark.usefixtures("alone")
def test_two_hundred_submissions(tmp_path):
    deserved = {}
    for student, texts, scores in students(tmp_path):
        write(tmp_path / "in", student, texts)
        deserved[student] = scores
    assert len(deserved) == 200
    said = grade(tmp_path, "--workers", "2", *LIMITS)  # what never ends is in part unjudged
    rows = {row["student"]: row for row in exports.table(tmp_path / "out/scores.csv")}
    assert "200" in said.stdout.splitlines()[-1]
    assert rows.keys() == deserved.keys()
    wrong = {
        student: {task: rows[student][task] for task in scores}
        for student, scores in deserved.items()
        if any(earned(rows[student][task]) != value for task, value in scores.items())
    }
    assert set(wrong) <= spoiled(), wrong
    assert len(list((tmp_path / "out/feedback").glob("*.html"))) == 200


def earned(cell):
    """Return the points in a cell; what is not judged yet has none."""
    return 0.0 if cell == "not judged" else float(cell)


def spoiled():
    """The student whose code breaks its own other tasks as well."""
    names = list(HOSTILE)[:40]
    return {f"hostile{names.index(n):02}" for n in ("patched_builtins",) if n in names}


FIRST = ["Jörg", "Zoë", "Anna-Lena", "José", "Nguyễn", "Łukasz", "Ida", "Ömer", "Siân", "Bo"]
LAST = ["Müller", "Ångström", "von Groß", "O'Neill", "García Pérez", "Li"]
CLASS = [
    rosters.someone(n, f"00{12300 + n}", *pair)
    for n, pair in enumerate(itertools.product(FIRST, LAST))
]
ABSENT, EMPTY, NO_NOTEBOOK, COPIED, PACKED, RENAMED, WRONG = CLASS[:7]
EXPORTS = {"Moodle": "moodle", "Canvas": "canvas", "ILIAS": "ilias"}


def handed_in(one):
    """The names of the files of a student, and what is in them."""
    book = course.submission(one.id, exports.WRONG if one is WRONG else {})
    if one is COPIED:
        lost = course.submission(one.id, dict.fromkeys(course.POINTS, "raise NotImplementedError"))
        return {"demo.ipynb": book, "demo (1).ipynb": lost}
    special = {EMPTY: {"work.zip": None}, NO_NOTEBOOK: {"plot.png": "PNG"}}
    special |= {ABSENT: {}, PACKED: {"work.zip": book}, RENAMED: {"demo.ipynb.txt": book}}
    return special.get(one, {"demo_exercise.ipynb": book, "notes.txt": "Hello"})


def place(system, one, n):
    """What stands in front of the name of a file."""
    name = f"{one.first} {one.last}"
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    squeezed = "".join(filter(str.isalnum, f"{one.last}{one.first}".lower()))
    return {
        "Moodle": f"{unicodedata.normalize('NFD', name)}_{one.moodle}_assignsubmission_file/",
        "Canvas": f"{squeezed}_{one.canvas}_{90 * int(one.canvas) + n}_",
        "ILIAS": f"Attention/Submissions/{plain.split()[-1]}_{plain}_{one.login}_{one.moodle}/",
        "GitHub Classroom": f"attention-{one.login}/",
    }.get(system, f"{one.id}/")


def write_export(path, system):
    """Write the zip of a class in the form of a system."""
    with zipfile.ZipFile(path, "w") as archive:
        for one in CLASS:
            for n, (name, content) in enumerate(handed_in(one).items()):
                raw = content if isinstance(content, str) else json.dumps(content)
                if name.endswith(".zip"):
                    raw = packed({"demo.ipynb": raw} if content else {})
                archive.writestr(place(system, one, n) + name, raw)
    return path


def packed(files):
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as archive:
            for name, text in files.items():
                archive.writestr(name, text)
        return file.getvalue()


@pytest.mark.parametrize("system", [*EXPORTS, "GitHub Classroom", "by hand"])
def test_a_class_of_sixty_from_its_zip_and_its_roster_to_the_gradebook(tmp_path, system):
    course.write_source(tmp_path / "source")
    write_export(tmp_path / "all.zip", system)
    roster = tmp_path / "class.csv"
    if system == "by hand":
        roster = rosters.by_hand(tmp_path / "class.xlsx", CLASS)
    else:
        roster.write_text(rosters.texts(CLASS)[system], "utf-8")
    said = course.grade(tmp_path, "--roster", roster, folder="all.zip", ends=[3])
    assert "1 students on the roster handed in nothing" in said.stdout
    rows = {row["student"].zfill(7): row for row in course.scores(tmp_path).values()}
    problems = {who: row["problem"] for who, row in rows.items() if row["problem"]}
    assert problems.keys() == {ABSENT.id, EMPTY.id, NO_NOTEBOOK.id}
    assert "work.zip': it is a zip without a file in it" in problems[EMPTY.id]
    right = {one.id: 4 if one is WRONG else 6 for one in CLASS if one.id not in problems}
    assert {who: rows[who]["points"] for who in right} == right
    assert [who for who, row in rows.items() if row["review"]] == [COPIED.id]
    decided = [f"{int(one.id)},double,0,nothing to grade" for one in (EMPTY, NO_NOTEBOOK)]
    marks = tmp_path / "marks.csv"
    marks.write_text("\n".join(["student,task,points,why", *decided]), "utf-8")
    words = ["--overrides", marks]
    if export := EXPORTS.get(system):
        words += ["--export", export, "--column", "Attention (1234)"]
    course.grade(tmp_path, *words, folder="all.zip", ends=[0])
    if export:
        (table,) = (tmp_path / "out/export" / export).glob("[gs][rt]a*s.csv")
        column = {"moodle": "Grade", "canvas": "Attention (1234)", "ilias": "mark"}[export]
        points = [row[column] for row in exports.table(table)]
        possible = [6] if system == "Canvas" else []  # in its second row
        assert sum(map(float, filter(None, points))) == sum([*right.values(), *possible])
