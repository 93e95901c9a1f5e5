"""Tables as Excel and Moodle write them: the same rows from each, or a named line."""

import datetime
import re
import zipfile

import openpyxl
import pytest

from exercises.grader.identity import roster
from exercises.grader.intake import tables
from exercises.grader.mark import lateness
from tests.grader import marks, rosters

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
        ("class.csv", b"id,name\na,Ann\n,Abe\n", "line 3: the id is missing: fill it in, or"),
        ("class.csv", b"name,mail\nAnn,a@x\n", "but it has 'name, mail': rename one to id"),
        ("class.csv", b"id,name,ID\n1,Ann,2\n", "line 1: the columns 'id' and 'ID' may both"),
        ("class.csv", b"Student ID;Matrikelnummer\n1;2\n", "'Student ID' and 'Matrikelnummer'"),
        ("class.csv", b"id,SIS User ID\n1,2\n", "'id' and 'SIS User ID' may both be the id: re"),
        ("class.csv", b"id,name,name\n1,Ann,x\n", "line 1: 2 columns are called 'name': rename"),
        ("class.csv", b"Our class\n\nid,name\n1,Ann\n", "line 1 must be the head.* in line 3: d"),
        ("class.csv", b"id,name\n7,Ann\nTotal,\n", "line 3: 'Total' is a row of totals and no"),
        ("class.csv", b"name,id\nAnn,7\nDurchschnitt:,\n", "line 3: 'Durchschnitt:' is a row of"),
        ("class.csv", b"name,id\nAnn,7\nCount,1\n", "line 3: 'Count' is a row of totals and no"),
        ("class.ods", b"PK\x03\x04 a sheet", "class.ods is a .ods file, .* save it as .xlsx or"),
        ("class.xls", b"\xd0\xcf\x11\xe0", "class.xls is a .xls file, which is not read: save"),
        ("class.csv", b"PK\x03\x04 a sheet", "class.csv is a workbook and no text: save it as"),
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


@pytest.mark.parametrize("system", rosters.texts([]))
def test_the_roster_of_each_system_is_read_as_it_is(tmp_path, system):
    (tmp_path / "class.csv").write_text(rosters.texts(rosters.CLASS)[system], "utf-8")
    found = roster.read(tmp_path / "class.csv").people
    assert [one.id for one in found] == [one.id for one in rosters.CLASS]
    names = [" ".join(sorted(re.findall(r"\w+", one.name))) for one in found]
    assert names == ["Jörg Müller", "Zoë Ångström", "Anna Groß Lena von"]
    numbers = {"Moodle's": ("moodle", "901"), "Canvas": ("canvas", "4701")}
    name, number = numbers.get(system.split()[0], ("moodle", ""))
    assert found[0].number(name) == number
    assert all(one.columns["group"] == "" for one in found if "group" in one.columns)


def test_a_student_is_no_row_of_totals_because_of_a_name_or_a_word(tmp_path):
    text = (
        "id,firstname,lastname,Section\n17-mayer,Sum,Li,Total\n12e45,Mean,,Average\n3-march-x,A,B,"
    )
    (tmp_path / "class.csv").write_text(text.replace("Mean,,", "Mean,Lo,"), "utf-8")
    ids = [one.id for one in roster.read(tmp_path / "class.csv").people]
    assert ids == ["17-mayer", "12e45", "3-march-x"]


CHANGED = ["2024-03-01 00:00:00", "2024-03-01", "01.03.24", "1.3.2024", "3/1/2024", "1-Mar"]
CHANGED += ["01. Mrz", "Mär 24", "1-Mar-24", "March 2024"]


@pytest.mark.parametrize("text", [*CHANGED, "1.23E+07", "1,23E+07", "1E+07"])
def test_an_id_that_a_spreadsheet_changed_is_named_with_its_row(tmp_path, text):
    (tmp_path / "class.csv").write_text(f"id;name\ns-1;Ann\n{text};Bob\n", "utf-8")
    kind = "a date" if text in CHANGED else "a rounded number"
    said = f"class.csv, line 3: the id is '{re.escape(text)}', .* into {kind}: .* format Text"
    with pytest.raises(ValueError, match=said):
        roster.read(tmp_path / "class.csv")


@pytest.mark.parametrize("id", [datetime.datetime(2024, 3, 1), 12345678901234567890])
def test_a_workbook_names_an_id_that_is_a_date_or_has_lost_digits(tmp_path, id):
    path = workbook(tmp_path / "class.xlsx", [["id"], ["s-1"], [id]])
    with pytest.raises(ValueError, match=r"line 3: the id is .* because a spreadsheet has made it"):
        roster.read(path)


def test_a_formula_whose_value_is_not_stored_is_named(tmp_path):
    path = workbook(tmp_path / "class.xlsx", [["id", "name"], [7, "=A2&A2"]])
    said = "sheet 'Sheet', line 2: the formula in column B has no stored value: open the file in a"
    with pytest.raises(ValueError, match=said):
        roster.read(path)


def test_a_formula_whose_value_is_an_empty_text_has_a_value(tmp_path):
    path = workbook(tmp_path / "class.xlsx", [["id", "name"], [7, "=A2&A2"]])
    other = tmp_path / "saved.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        for name in old.namelist():
            text = old.read(name).replace(b'<c r="B2"><f>', b'<c r="B2" t="str"><f>')
            new.writestr(name, text)
    assert [one.id for one in roster.read(other).people] == ["7"]


def test_the_sheet_that_has_the_head_is_read_whichever_was_open(tmp_path):
    path = rosters.by_hand(tmp_path / "class.xlsx", rosters.CLASS)
    ids = [one.id for one in roster.read(path).people]
    assert ids == ["12345", "12346", "1234567"]
    book = openpyxl.load_workbook(path)
    book["Class"].title = "Old"
    book.copy_worksheet(book["Old"])
    book.save(path)
    with pytest.raises(ValueError, match="'Sheet' is no such table, but 'Old', 'Old Copy' are: op"):
        roster.read(path)
    del book["Old"], book["Old Copy"]
    book.create_sheet("More")
    book.save(path)
    with pytest.raises(ValueError, match=r"must have a column id.*the sheets .* 'Sheet', 'More'\)"):
        roster.read(path)
