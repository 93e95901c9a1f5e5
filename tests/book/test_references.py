"""Every work that a page or the ledger cites stands in references.bib."""

import json
import re
import unicodedata

from book.paths import ROOT
from course.ledger import load

LINK = re.compile(r"\[([^\]]+)\]\((?:chapters/)?references\.md\)")
NAMED = re.compile(
    r"(BigScience Workshop|[A-Z][\w-]+)(?: et al\.| and [A-Z][\w-]+)? \((\d{4}[a-z]?)\)"
)
ENTRY = re.compile(
    r"@\w+\{\w+,\s*author\s*=\s*\{([^,\n]+),.*?year\s*=\s*\{(\d{4}[a-z]?)\}", re.DOTALL
)


def letters(name: str) -> str:
    plain = name.replace("\\ss", "ss").replace("ß", "ss")
    decomposed = unicodedata.normalize("NFKD", re.sub(r"\\.|[{}\"']", "", plain))
    return "".join(c for c in decomposed if c.isalpha()).lower()


def works() -> list[tuple[str, str]]:
    bib = (ROOT / "references.bib").read_text(encoding="utf-8")
    return [(letters(author), year) for author, year in ENTRY.findall(bib)]


def pages() -> dict[str, str]:
    texts = {p.name: p.read_text(encoding="utf-8") for p in ROOT.glob("chapters/*.md")}
    texts["intro.md"] = (ROOT / "intro.md").read_text(encoding="utf-8")
    for path in ROOT.glob("chapters/*.ipynb"):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        texts[path.name] = "\n".join(
            "".join(c["source"]) for c in cells if c["cell_type"] == "markdown"
        )
    return texts


def test_an_author_and_a_year_name_one_work():
    assert sorted(works()) == sorted({*works()})


def test_every_citation_names_an_entry():
    cited = [(page, label) for page, text in pages().items() for label in LINK.findall(text)]
    assert len(cited) > 30
    known = works()
    for page, label in cited:
        author, year = re.split(r"[ ,]", label)[0], re.findall(r"\d{4}[a-z]?", label)
        assert year and (letters(author), year[0]) in known, f"{page} cites {label!r}"


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
