"""Where a text leads: the works that it cites, the pages and the names of the library."""

import pkgutil
import re
import unicodedata
from pathlib import Path

from book.paths import ROOT

ADDRESS = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s#]*)#?([^)\s]*)\)")
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


def dead(text: str, folder: Path) -> list[str]:
    """The links of a text that lead to no file and no name of the library; pictures without words.

    >>> dead("[x](#transformer_lib.no) and ![](../LICENSE)", ROOT / "chapters")
    ['no name of the library: [x](#transformer_lib.no)', 'no alt text: ![](../LICENSE)']
    """
    found = []
    for match in ADDRESS.finditer(re.sub(r"```.*?```", "", text, flags=re.DOTALL)):
        picture, label, file, name = match.groups()
        if picture and not label.strip():
            found.append(f"no alt text: {match[0]}")
        if file and ":" not in file and not (folder / file).exists():
            found.append(f"no such file: {match[0]}")
        if name.startswith("transformer_lib.") and not file and not is_of_library(name):
            found.append(f"no name of the library: {match[0]}")
    return found


def is_of_library(name: str) -> bool:
    """Whether a full name, such as transformer_lib.nn.generate, is that of something."""
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True
