"""The page that lists everything: its counts, its table, its search box."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

from course import ledger
from course.ledger.catalogue import NAMES

BOOK = ledger.load()
HTML = ledger.catalogue(BOOK).html
PAGE = ledger.PATH.with_name("worked_numbers.ipynb")


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.ids, self.open, self.tags = [], [], set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.ids += [value for name, value in attributes if name == "id"]
        if tag not in {"input", "br", "wbr"}:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_html_is_balanced_and_every_id_is_there_once():
    reader = Reader()
    reader.feed(HTML)
    assert reader.open == []
    assert len(reader.ids) == len(set(reader.ids))
    entries = [name for name in reader.ids if name.startswith("entry-")]
    assert len(entries) == len(BOOK.numbers) + len(BOOK.statements)


def test_every_entry_shows_its_words_and_no_angle_bracket_leaks():
    for entry in (*BOOK.numbers.values(), *BOOK.statements.values()):
        assert f"<code>{entry.id}</code>" in HTML
    said = BOOK.statements | {"002-28": replace(BOOK.statements["002-28"], problem="<END> is")}
    html = ledger.catalogue(replace(BOOK, statements=said)).html
    assert "<END>" not in html and "&lt;END&gt; is" in html
    assert "e<sup>0.6</sup>" in HTML and "exp(0." not in HTML


def test_nothing_is_fetched_and_colors_come_from_the_page():
    assert not re.search(r"(src|href)=|url\(|https?:", HTML)
    assert not re.search(r"#[0-9a-f]{3,6}\b|rgb", HTML.split("</style>")[0])


def test_the_counts_add_up():
    rows = [line.split(" | ") for line in repr(ledger.counts(BOOK)).splitlines()]
    assert [row[0] for row in rows] == ["note", *NAMES.values(), "all"]
    for row in rows[1:]:
        entries, *verdicts = map(int, row[1:8])
        assert entries == sum(verdicts[:3]) == sum(verdicts[3:])
    assert int(rows[-1][1]) == len(BOOK.numbers) and int(rows[-1][8]) == len(BOOK.statements)


def test_entries_shown_twice_on_a_page_do_not_repeat_an_id():
    assert "id=" not in ledger.show("002.4a.softmax").html


def test_the_page_is_small_and_stores_what_the_ledger_holds():
    assert PAGE.stat().st_size < 1_000_000
    cells = json.loads(PAGE.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert all(len(cell["source"]) <= 12 for cell in code)
    assert "".join(code[-1]["outputs"][0]["data"]["text/html"]) == HTML
