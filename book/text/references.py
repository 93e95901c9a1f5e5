"""The works that a text cites, and those of references.bib."""

import re
import unicodedata

from book.paths import ROOT

LINK = re.compile(r"\[([^\]]+)\]\((?:chapters/)?references\.md\)")
ENTRY = re.compile(
    r"@\w+\{\w+,\s*author\s*=\s*\{([^,\n]+),.*?year\s*=\s*\{(\d{4}[a-z]?)\}", re.DOTALL
)


def letters(name: str) -> str:
    """A family name without accents, whatever TeX writes them with."""
    plain = name.replace("\\ss", "ss").replace("ß", "ss")
    decomposed = unicodedata.normalize("NFKD", re.sub(r"\\.|[{}\"']", "", plain))
    return "".join(c for c in decomposed if c.isalpha()).lower()


def works() -> list[tuple[str, str]]:
    """The first author and the year of each entry."""
    bib = (ROOT / "references.bib").read_text(encoding="utf-8")
    return [(letters(author), year) for author, year in ENTRY.findall(bib)]


def unknown(text: str) -> list[str]:
    """The citations of a text that name no entry."""
    known, found = works(), []
    for label in LINK.findall(text):
        author, year = re.split(r"[ ,]", label)[0], re.findall(r"\d{4}[a-z]?", label)
        if not year or (letters(author), year[0]) not in known:
            found.append(f"“{label}” is cited and has no entry in references.bib")
    return found
