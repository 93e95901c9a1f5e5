"""Tables as Excel and Moodle write them: the same rows from each, or a named line."""

import datetime

import openpyxl
import pytest

from exercises.grader.identity import roster
from exercises.grader.intake import tables
from exercises.grader.mark import lateness
from tests.grader import marks

ROWS = [["id", "name"], ["007", "Jörg Weiß"], ["8", "Zoë Noël"]]
TEXTS = {
    "UTF-8, semicolons": (";", "utf-8-sig", ""),
    "cp1252": (";", "cp1252", ""),
    "Unicode text": ("\t", "utf-16", ""),
    "a line for Excel alone": (";", "utf-8", "sep=;\n"),
    "commas behind such a line": ("|", "utf-8", "sep=|\n"),
}


@pytest.mark.parametrize("kind", TEXTS)
def test_a_roster_is_read_however_excel_has_saved_it(tmp_path, kind):
    comma, encoding, first = TEXTS[kind]
    lines = [comma.join(row) for row in ROWS]
    lines[2:2] = ["", comma]  # a spreadsheet keeps rows that were emptied
    (tmp_path / "class.csv").write_bytes((first + "\r\n".join(lines)).encode(encoding))
    read = roster.read(tmp_path / "class.csv").people
    assert [[one.id, one.name] for one in read] == ROWS[1:]


def workbook(path, rows, **formats):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    for place, form in formats.items():
        book.active[place].number_format = form
    book.save(path)
    return path


def test_a_workbook_is_read_as_it_shows_its_cells(tmp_path):
    night = datetime.datetime(2026, 11, 20, 23, 10)
    rows = [["Student", "deadline", "why"], [1234567.0, night, "ill"], [], ["ann", night, None]]
    path = workbook(tmp_path / "later.xlsx", rows, B4="dd.mm.yyyy")
    found = tables.read(path, ("student", "deadline", "why"))
    assert [row.get("student") for row in found] == ["1234567", "ann"]
    assert [row.place for row in found] == [f"{path}, line 2", f"{path}, line 4"]
    whole, day = (tables.moment(row.get("deadline"), row.place) for row in found)
    assert (whole, day) == (night.astimezone(), datetime.datetime(2026, 11, 21).astimezone())


@pytest.mark.parametrize(
    ("name", "raw", "says"),
    [
        ("class.xlsx", b"PK\x03\x04 cut off", "class.xlsx cannot be read: .*; save it as CSV"),
        ("class.csv", b"id;name\n7;J\x81rg", "class.csv cannot be read: .*; save it as CSV"),
        ("class.csv", b"", "must have a column id, but it has ''"),
        ("class.csv", b"id,name\na,Ann\nA,Abe\n", "only once in the roster"),
        ("class.csv", b"id,name\n,Ann\n", "only once in the roster"),
        ("class.csv", b'id\n"a\nb"\nc\n', "line 2: .*quotation mark"),
        ("class.csv", b"id,name\n7,Noel, Zoe\n", "line 2: 3 cells, but the head has 2; put quot"),
    ],
)
def test_what_cannot_be_read_is_named_with_what_to_do(tmp_path, name, raw, says):
    (tmp_path / name).write_bytes(raw)
    with pytest.raises(ValueError, match=says):
        roster.read(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2026-03-02T14:05", (2026, 3, 2, 14, 5)),
        ("Monday, 2 March 2026, 2:05 PM", (2026, 3, 2, 14, 5)),
        ("Monday, March 2, 2026, 2:05 PM", (2026, 3, 2, 14, 5)),
        ("20.11.2026 23:10", (2026, 11, 20, 23, 10)),
        ("20.11.2026, 23:10:00", (2026, 11, 20, 23, 10)),
        ("2026-03-02", (2026, 3, 3)),
        ("5.3.2026", (2026, 3, 6)),
    ],
)
def test_a_time_as_iso_moodle_and_excel_write_it(text, wanted):
    assert tables.moment(text, "here") == datetime.datetime(*wanted).astimezone()


def test_a_time_with_a_zone_and_what_is_no_time():
    utc = datetime.datetime(2026, 3, 2, 13, 5, tzinfo=datetime.UTC)
    assert tables.moment("2026-03-02T14:05+01:00", "here") == utc
    with pytest.raises(ValueError, match="line 7: 'Montag' must be a time"):
        tables.moment("Montag", "line 7")


WORKSHEETS = {
    "English": "Identifier,Full name,Last modified (submission)\nParticipant 902,Zoë,-\n"
    'Participant 901,Jörg,"Wednesday, 4 March 2026, 3:10 PM"\n'
    'Participant 77,nobody here,"Monday, 2 March 2026, 12:31 PM"\n',
    "German": "ID,Vollständiger Name,ID-Nummer,Zuletzt geändert (Abgabe)\n"
    'Teilnehmer/in901,Jörg,17,"Mittwoch, 4. März 2026, 15:10"\nTeilnehmer/in902,Zoë,18,-\n',
}


@pytest.mark.parametrize("language", WORKSHEETS)
def test_moodles_worksheet_gives_the_times(tmp_path, language):
    (tmp_path / "times.csv").write_text(f"\ufeff{WORKSHEETS[language]}", "utf-8")
    class_ = [marks.handed(f"s-{n}", "moodle", number=f"9{n - 16:02}") for n in (17, 18)]
    read = lateness.times(tmp_path / "times.csv", class_)
    assert read == {"s-17": datetime.datetime(2026, 3, 4, 15, 10).astimezone()}
