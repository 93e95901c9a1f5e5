"""Whose a submission is: the first cell, the file and the roster, and where they differ."""

import hashlib
import json
import unicodedata

import numpy as np
import pytest

from exercises.grader.identity import settle as identity
from exercises.grader.intake import claims, collect as intake, forms
from exercises.grader.intake.forms import Handed
from tests.exercises.assignments import code_cells, marks_of
from tests.grader import course, exports, test_friday as friday
from tests.grader.solved import task_set
from tests.grader.test_exports import grade

BY_HAND = {
    "04_attention": "hand_weights",
    "13_decoding": "hand_count",
    "16_scale": "hand_cache",
    "17_tokens": "hand_bits",
    "18_real_text": "validation",
    "19_own_language": "hand_entropy",
    "19_published_model": "hand_bytes",
    "02_embeddings": "hand_cosines",
}
CHOSEN = {"19_own_language": {"control_says"}}  # of the kind slip, beside the task slip


def found(root, demo, files):
    """What the intake finds in these files of a folder."""
    source = exports.unpacked(root / "in", files)
    return intake.find(source, demo, root, root / "unpacked")


@pytest.mark.parametrize("name", BY_HAND)
def test_the_tasks_by_hand_the_predictions_and_the_slips_depend_on_the_id(name):
    drawn = {task.cell for task in task_set(name).tasks if task.is_drawn}
    assert drawn == {BY_HAND[name], "prediction", "slip"} | CHOSEN.get(name, set())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('# Write your id.\nSTUDENT_ID = "s-17"', "s-17"),
        ("STUDENT_ID='s-17'  # mine", "s-17"),
        ('STUDENT_ID = ""', ""),
        ('STUDENT_ID = ""\nSTUDENT_ID = "s-17"', "s-17"),
        ('STUDENT_ID = "Zoe\u0308"', "Zoë"),
        ("STUDENT_ID = 1700", "1700"),  # an honest slip: the numbers are those of "1700"
        ("STUDENT_ID = 17.5", ""),
        ("MY_STUDENT_ID = 's-17'", ""),
        ("print(1)", ""),
    ],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_id_is_read_without_a_parser(line, said, ascii_only):
    made = course.notebook([course.code(line), course.code("STUDENT_ID")])
    raw = json.dumps(made, ensure_ascii=ascii_only, indent=1).encode()
    assert claims.student_of(raw) == said
    made["cells"][0]["source"] = line.splitlines(keepends=True)
    assert claims.student_of(json.dumps(made, ensure_ascii=ascii_only).encode()) == said


@course.in_sandbox
def test_where_file_and_cell_differ_both_ids_stand_beside_the_failing_task(tmp_path):
    files = [
        exports.File("ann/demo.ipynb", exports.wrong("bob")),
        exports.File("bob/demo.ipynb", course.submission("bob")),
    ]
    grade(tmp_path, exports.unpacked(tmp_path / "in", files))
    rows = course.scores(tmp_path)
    assert course.points(rows["ann"]) == (0, 3, 0)  # the answer of a friend
    assert course.points(rows["bob"]) == (2, 3, 1)
    page = course.page(tmp_path, "ann")
    parts = [part.split("</section>")[0] for part in page.split("<section")[1:]]
    sections = {text.split("</h2>")[0]: text for text in parts}
    (answer,) = [text for title, text in sections.items() if "answer" in title]
    assert "&#x27;bob&#x27;" in answer and "&#x27;ann&#x27;" in answer
    assert not any("bob" in text for title, text in sections.items() if "answer" not in title)


def drawn_before(spelled):
    """Return the numbers of exercise 04 as releases drew them that did not normalize the id."""
    digest = hashlib.sha256(f"{spelled}/hand_weights".encode()).digest()
    return np.random.default_rng(list(digest)).permutation([1, 2, 3, 5, 7])[:3].tolist()


def on_screen(spelled):
    """Return the numbers that a student sees who writes this into the first cell."""
    cells = {marks_of(c).get("grade_id"): c.source for c in code_cells("04_attention", "release")}
    space = {"STUDENT_ID": spelled}
    exec(cells["helpers"] + "\n" + cells["hand_weights-numbers"], space)
    return space["hand_odds"]


def test_an_id_that_is_typed_in_normal_form_draws_what_it_always_drew():
    names = ("s-17", 17, "", "zoë")
    assert [on_screen(name) for name in names] == [drawn_before(name) for name in names]
    assert on_screen(" S-17\t") == on_screen("s-17") and on_screen("ZOE\u0308") == on_screen("zoë")


@course.in_sandbox
def test_no_spelling_of_an_id_brings_the_numbers_of_a_friend_and_none_costs_points(tmp_path):
    friend = drawn_before("s-17")
    tried = ("s-18" + " " * blanks for blanks in range(1, 999))
    spelled = next(each for each in tried if drawn_before(each) == friend)
    hand_in = {"s-17": (" S-17 ", on_screen(" S-17 ")), "s-18": (spelled, friend)}
    for student, (name, odds) in hand_in.items():
        paper = f"hand_weights = {[each / sum(odds) for each in odds]}"
        friday.write(tmp_path / "in", student, friday.solutions() | {"hand_weights": paper}, name)
    friday.grade(tmp_path, *exports.roster(tmp_path, "id\ns-17\ns-18\n"))
    rows = course.scores(tmp_path)
    points = {student: row["points"] for student, row in rows.items()}
    assert points == {"s-17": 20, "s-18": 17}
    assert repr(spelled) in rows["s-18"]["review"][0]


def test_where_two_ids_differ_by_case_alone_every_letter_counts(tmp_path, demo):
    files = [
        exports.File("Bob/demo.ipynb", course.submission("bob")),
        exports.File("bob/demo.ipynb", course.submission("bob")),
    ]
    taken = found(tmp_path, demo, files)
    made = {one.student: one for one in identity.settle(taken.found)}
    assert (made["Bob"].drawn_for, made["bob"].drawn_for) == ("Bob", "bob")
    said = "the first cell contains the student id 'bob', but the file belongs to 'Bob'"
    assert (made["Bob"].dispute, made["bob"].dispute) == (said, "")
    assert all("has the id" in one.flags[0] for one in made.values())  # they draw the same numbers


@course.in_sandbox
def test_when_most_of_a_batch_differ_it_stops_before_it_grades(tmp_path):
    names = ["Jörg Müller", "Zoë Ångström", "Anna-Lena von Groß", "s-20"]
    ids = ["s-17", "s-18", "s-19", "s-20"]
    files = [
        exports.File(f"{name}/demo.ipynb", course.submission(student))
        for name, student in zip(names, ids, strict=True)
    ]
    source = exports.unpacked(tmp_path / "in", files)
    said = grade(tmp_path, source, ends=2)
    assert "3 of 4 notebooks contain another student id" in said.stderr
    assert "nothing was graded" in said.stderr and "--roster" in said.stderr
    assert not (tmp_path / "out/results").exists()
    for words in (exports.roster(tmp_path), ["--trust-cells"]):
        grade(tmp_path, source, *words)
        rows = course.scores(tmp_path)
        assert {who: row["points"] for who, row in rows.items()} == dict.fromkeys(ids, 6)


def test_on_a_roster_the_file_says_who_it_is_and_not_the_cell(tmp_path, demo):
    file = exports.File("müllerjörg_4711_9001_demo.ipynb", course.submission("s-18"))
    (made,) = identity.settle(found(tmp_path, demo, [file]).found, exports.people(tmp_path))
    assert (made.student, made.drawn_for) == ("s-17", "s-17")
    assert "'s-18'" in made.dispute and "'s-17'" in made.dispute


@course.in_sandbox
def test_a_roster_of_another_class_is_said_before_anybody_is_graded(tmp_path):
    other = exports.roster(tmp_path, "id,name,moodle\nx-1,Ann Lee,11\nx-2,Bo Li,12\n")
    (tmp_path / "marks.csv").write_text("student,task,points,why\ns-17,double,1,x\n", "utf-8")
    source = exports.zipped(tmp_path / "all.zip", exports.moodle())
    words = [*other, "--overrides", str(tmp_path / "marks.csv")]
    said = grade(tmp_path, source, *words, ends=2)
    assert not (tmp_path / "out/results").exists()
    assert (
        "3 of 3 submissions belong to no student on the roster. Is it the roster of" in said.stderr
    )
    grade(
        tmp_path, source, *words, "--trust-cells", ends=3
    )  # each may be one of those on the roster


def test_who_is_not_on_the_roster_and_who_is_there_twice_is_flagged(tmp_path, demo):
    files = [
        exports.File("müllerjörg_4711_9001_demo.ipynb", course.submission("s-17")),
        exports.File("stranger_5000_9002_demo.ipynb", course.submission("s-17")),
        exports.File("other_5001_9003_demo.ipynb", course.submission("s-99")),
    ]
    made = identity.settle(found(tmp_path, demo, files).found, exports.people(tmp_path))
    by_number = {one.handed.number: one for one in made}
    assert "another submission has the id 's-17' too" in by_number["4711"].flags
    assert "no student on the roster; the id is taken from its first" in by_number["5000"].flags[0]
    assert "and neither does the id in its first cell ('s-99')" in by_number["5001"].flags[0]
    assert by_number["5001"].student == "s-99"


@pytest.mark.parametrize(
    "handed",
    [
        Handed("canvas", "x_4711", "4711", "x"),
        Handed("canvas", "mullerjorg_1", "1", "mullerjorg"),
        Handed("canvas", "müllerjörg_1", "1", unicodedata.normalize("NFD", "müllerjörg")),
        Handed("ilias", "Mueller_Joerg_x_1", "1", "Joerg Mueller", "x"),
        Handed("ilias", "X_Y_jmueller_1", "1", "X Y", "jmueller"),
        Handed("moodle", "Müller Jörg_1", "1", "Müller Jörg"),
        Handed("plain", "s-17"),
        Handed("plain", "S-17"),
        Handed("plain", "Jörg Müller"),
        Handed("plain", "SIS17"),
    ],
)
def test_a_student_is_found_by_what_a_system_calls_them(tmp_path, handed):
    person = exports.people(tmp_path).find(handed)
    assert person is not None and person.id == "s-17"


def test_a_folder_of_github_classroom_ends_in_the_login(tmp_path):
    text = "identifier,github_username,github_id,name\n17,j-mueller,1,Jörg\n18,mueller,2,Eve\n"
    table = exports.people(tmp_path, text)
    assert table.find(Handed("plain", "04-attention-j-mueller")).id == "17"
    assert table.find(Handed("plain", "04-attention-Mueller")).id == "18"
    assert exports.people(tmp_path, "id,login\n1,lena\n").find(Handed("plain", "anna-lena")) is None


def test_a_file_keeps_the_zeros_that_a_spreadsheet_took_from_the_roster(tmp_path):
    table = exports.people(tmp_path, "id\n12345\n12346\n")
    assert table.find(Handed("plain", "0012345")).id == "12345"
    table = exports.people(tmp_path, "id\n012345\n00012345\n")
    assert table.find(Handed("plain", "0012345")) is None


def test_whole_ids_of_a_class_whose_roster_has_lost_the_zeros_are_no_question(tmp_path, demo):
    files = [exports.File(f"{n:07}/demo.ipynb", course.submission(f"{n:07}")) for n in (12, 13)]
    files.append(exports.File("0000014/demo.ipynb", course.submission("s-14")))
    table = exports.people(tmp_path, "id\n12\n13\n14\n")
    *whole, other = identity.settle(found(tmp_path, demo, files).found, table)
    assert [(one.student, one.drawn_for) for one in whole] == [("12", "0000012"), ("13", "0000013")]
    assert [one.dispute for one in whole] == ["", ""] and "'s-14'" in other.dispute


def test_no_login_that_ends_in_that_of_another_is_theirs(tmp_path):
    table = exports.people(tmp_path, exports.ROSTER + "s-20,Eve Lee,904,4714,,x_jmueller\n")
    assert table.find(forms.in_ilias("Lee_Eve_x_jmueller_312/demo.ipynb")).id == "s-20"


def test_a_number_of_one_system_is_not_that_of_another(tmp_path):
    assert exports.people(tmp_path).find(Handed("moodle", "x_4711", "4711", "x")) is None


def test_the_id_is_that_of_the_cell_where_the_file_names_nobody(tmp_path):
    table = exports.people(tmp_path)
    assert table.with_id("S-17 ").id == "s-17"
    assert table.with_id("s-99") is None and table.with_id(" ") is None
