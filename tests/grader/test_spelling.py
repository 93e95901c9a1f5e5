"""An id that is typed a little differently costs nobody points and brings nobody another's."""

import itertools
import random

import pytest

from exercises.grader.identity import aliases, roster, settle
from exercises.grader.intake.collect import Found
from tests.exercises.assignments import helpers
from tests.grader import course, exports, marks, test_friday as friday

TYPED = [" S-17", "ｓ－１７", "s\u200b-17", "s-\u00ad17", "s - 17", "s\u201317", "S\u221217\ufeff"]

ROWS = "id,name,login,email\n" + "".join(
    f"{n:05},Name {n},u{n}x,given.{n}@uni.example\n" for n in range(17, 57)
)


@pytest.mark.parametrize("typed", TYPED)
def test_a_release_draws_the_same_numbers_however_the_id_is_typed(typed):
    space = helpers(kind="release")
    space["STUDENT_ID"] = "s-17"
    wanted = space["draw_for"]("t").integers(2**40)
    space["STUDENT_ID"] = typed
    assert space["draw_for"]("t").integers(2**40) == wanted


def test_the_judge_and_the_release_have_one_rule_for_an_id():
    plain, rng = helpers(kind="release")["plain_id"], random.Random(1)
    letters = [chr(n) for n in range(0x3000) if not 0xD800 <= n < 0xE000] + list(
        "ﬁ①０\ufeff\U0001d7d8"
    )
    for text in [*letters, *TYPED, *("".join(rng.choices(letters, k=6)) for _ in range(3000))]:
        assert plain(text) == roster.plain_id(text), ascii(text)
        assert plain(plain(text)) == plain(text), ascii(text)
    same = [("0017", "17"), ("۱۷", "17"), ("000", "000")]
    assert [plain(typed) for typed, _ in same] == [wanted for _, wanted in same]
    assert plain("s017") == "s017" and plain("o'neil_1.2+x") == "o'neil_1.2+x"


def spellings(row):
    """Hundreds of ways to type what the roster says of a student, and what it does not."""
    invisible = ["\u200b", "\u00ad", " ", "\t", "\u2060", "0", "'", "-", "x"]
    for text in (row.id, row.id.lstrip("0"), *row.columns.values()):
        yield from (text, text.upper(), text + "@other.example", "s" + text)
        for letter, count in itertools.product(invisible, range(1, 9)):
            yield from (
                letter * count + text,
                text + letter * count,
                text[:2] + letter * count + text[2:],
            )


def test_no_spelling_draws_the_numbers_of_another_row(tmp_path):
    table, space = exports.people(tmp_path, ROWS), helpers(kind="release")

    def numbers(text):
        space["STUDENT_ID"] = text
        return space["draw_for"]("t").integers(2**40)

    row, *others = table.people
    theirs = {numbers(text) for one in others for text in (one.id, *one.columns.values())}
    tried = {table.spelling(row, text, width=5) for text in spellings(row)}
    tried |= {table.spelling(row, one.id) for one in others}
    assert len(list(spellings(row))) > 500 and len(tried) <= 7
    assert theirs.isdisjoint(numbers(text) for text in tried)


def test_a_spelling_that_two_rows_share_belongs_to_neither(tmp_path):
    text = "id,name,login\n17,Ann Lee,ann\n18,Ann Lee,17\n19,Bo,bo\n"
    ann, other, bo = exports.people(tmp_path, text).people
    table = exports.people(tmp_path, text)
    assert table.spelling(ann, "Ann Lee") == table.spelling(ann, "17") == "17"
    assert table.spelling(other, "ann lee") == table.spelling(other, "17") == "18"
    assert table.spelling(bo, "BO") in ("bo", "Bo") and table.spelling(bo, "ann") == "19"


def hand_in(root, who, name):
    """Hand in a right notebook with this id in its first cell."""
    friday.write(root / "in", who, friday.solutions(), name)


CLASS = {"00017": "17", "00018": "ann lee", "00019": "u19x", "00020": "bo@uni.example"}


@course.in_sandbox
@pytest.mark.parametrize("stripped", [True, False])
def test_honest_students_have_their_points(tmp_path, stripped):
    columns = ["17,Cy,c,", "18,Ann Lee,ann,", "19,Di,u19x,", "20,Bo,b,bo@uni.example"]
    rows = [each if stripped else f"000{each}" for each in columns]
    text = "id,name,login,email\n" + "".join(
        f"{row}\n" for row in [*rows, *(("21,E,,", "22,F,,") if stripped else ())]
    )
    typed = CLASS | ({"00021": "00021", "00022": "00022"} if stripped else {})
    for who, name in typed.items():
        hand_in(tmp_path, who.lstrip("0") if stripped else who, name)
    friday.grade(tmp_path, *exports.roster(tmp_path, text))
    rows = course.scores(tmp_path)
    points = [row["tasks"]["hand_weights-shares"]["points"] for row in rows.values()]
    assert points == [2] * len(typed)


@course.in_sandbox
def test_what_else_was_typed_is_said_in_a_table_after_the_fact(tmp_path):
    (tmp_path / "aliases.csv").write_text("typed,student\n", "utf-8")
    for who, name in {"00017": "s17", "00018": "s18"}.items():
        hand_in(tmp_path, who, name)
    people = exports.roster(tmp_path, "id,name\n00017,Ann\n00018,Bo\n")
    friday.grade(tmp_path, *people)
    before = course.scores(tmp_path)
    assert [row["tasks"]["hand_weights-shares"]["points"] for row in before.values()] == [0, 0]
    shown = [row["review"][0].split("'")[1] for row in before.values()]
    assert shown == ["s17", "s18"]
    lines = [f"{text},{who}\n" for text, who in zip(shown, before, strict=True)]
    (tmp_path / "aliases.csv").write_text(f"typed,student\n{''.join(lines)}s99,17\n", "utf-8")
    said = friday.grade(tmp_path, "--aliases", str(tmp_path / "aliases.csv"))
    assert "no notebook contains 's99'" in said.stderr
    for _ in range(2):
        rows = course.scores(tmp_path)
        assert [row["points"] for row in rows.values()] == [20, 20]
        assert "as before: --aliases" in friday.grade(tmp_path).stderr


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("s17,", "student must be filled in"),
        (",99", "no student on the roster has the id '99'"),
        ("s17,99", "no student on the roster has the id '99'"),
        ("s17,18", "'s17' already stands for '00017', so it cannot also stand for '00018'"),
        ("Ann,18", "'Ann' already stands for '00017', so it cannot also stand for '00018'"),
    ],
)
def test_a_wrong_line_of_aliases_is_named(tmp_path, line, says):
    table = exports.people(tmp_path, "id,name\n00017,Ann\n00018,Bo\n")
    (tmp_path / "aliases.csv").write_text(f"typed,student\ns17,17\n{line}\n", "utf-8")
    with pytest.raises(ValueError, match=r"aliases\.csv, line 3: ") as caught:
        aliases.read(tmp_path / "aliases.csv", table)
    assert says in str(caught.value)


def test_a_line_of_aliases_whose_student_may_be_two_is_refused(tmp_path):
    table = exports.people(tmp_path, "id\n0012345\n012345\n0099\n")
    (tmp_path / "aliases.csv").write_text("typed,student\nx,99\ny,12345\n", "utf-8")
    said = r"line 3: '12345' may mean '0012345' or '012345': write the whole id"
    with pytest.raises(ValueError, match=said):
        aliases.read(tmp_path / "aliases.csv", table)


def test_a_row_with_an_empty_typed_is_for_whoever_answered_before_an_id_was_typed(tmp_path):
    table = exports.people(tmp_path, "id,name\n00017,Ann\n00018,Bo\n00019,Cy\n")
    (tmp_path / "aliases.csv").write_text("typed,student\n,17\n,18\ns19,19\n", "utf-8")
    said = aliases.read(tmp_path / "aliases.csv", table)
    assert said == ({"s19": "00019"}, {"00017", "00018"})
    handed = [Found(marks.handed(name), name) for name in ("00017", "00019")]
    found = settle.settle(handed, table, said=said)
    assert [(one.student, one.is_unnamed) for one in found] == [("00017", True), ("00019", False)]
