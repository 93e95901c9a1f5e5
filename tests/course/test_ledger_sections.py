"""The map from the notes' sections to chapters."""

import tomllib

from course import ledger

FILE = ledger.PATH.with_name("sections.toml")
MAP = tomllib.loads(FILE.read_text(encoding="utf-8"))
SECTIONS = MAP["sections"]


def test_every_section_has_a_note_a_title_and_a_chapter_of_the_book():
    for section in SECTIONS:
        assert set(section) - {"anchor"} == {"note", "section", "chapter"}, section
        assert section["note"] in {"000", "001", "002", "003", "004"}
        assert 0 < len(section["section"].split()) <= 12, section
        assert section["chapter"] in ledger.CHAPTERS, section


def test_every_target_exists_unless_its_chapter_is_planned():
    for chapter in {section["chapter"] for section in SECTIONS}:
        written = FILE.with_name(f"{chapter}.ipynb").exists()
        assert written != (chapter in MAP["planned"]), chapter


def test_no_section_is_listed_twice_and_no_note_is_left_out():
    listed = [(section["note"], section["section"]) for section in SECTIONS]
    assert len(listed) == len(set(listed))
    assert {note for note, _ in listed} == {"000", "001", "002", "003", "004"}


def test_where_a_note_has_entries_a_section_leads_to_their_chapter():
    taught = {(section["note"], section["chapter"]) for section in SECTIONS}
    elsewhere = {
        ("000", "13_decoding"),
        ("001", "recurrent"),
        ("003", "00_warm_up"),
        ("003", "14_families"),
        ("004", "07_cross_attention"),
        ("004", "12_training"),
        ("004", "13_decoding"),
    }
    book = ledger.load()
    for entry in (*book.numbers.values(), *book.statements.values()):
        assert (entry.note, entry.chapter) in taught | elsewhere, entry.id
