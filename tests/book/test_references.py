"""Every work that a page or the ledger cites stands in references.bib."""

import re

from book.paths import ROOT
from book.text.references import letters, unknown, works
from course.ledger import load

NAMED = re.compile(
    r"(BigScience Workshop|[A-Z][\w-]+)(?: et al\.| and [A-Z][\w-]+)? \((\d{4}[a-z]?)\)"
)


def pages() -> dict[str, str]:
    """The pages that are no notebooks; those of the chapters are judged in test_chapter.py."""
    return {
        path.name: path.read_text(encoding="utf-8")
        for path in [*ROOT.glob("chapters/*.md"), ROOT / "intro.md"]
    }


def test_an_author_and_a_year_name_one_work():
    assert sorted(works()) == sorted({*works()})


def test_every_citation_names_an_entry():
    assert {page: unknown(text) for page, text in pages().items() if unknown(text)} == {}
    assert unknown("[Nobody (1999)](references.md)") != []


def test_every_source_of_the_ledger_names_an_entry():
    book, known = load(), works()
    texts = {
        entry.id: " ".join(str(value) for value in vars(entry).values() if isinstance(value, str))
        for entry in (*book.numbers.values(), *book.statements.values())
    }
    cited = [(name, *found) for name, text in texts.items() for found in NAMED.findall(text)]
    assert len(cited) > 60
    for name, author, year in cited:
        assert (letters(author), year) in known, f"{name} cites {author} ({year})"
