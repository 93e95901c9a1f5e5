"""How many minutes a chapter takes, from what is in it."""

import re
from collections.abc import Iterator
from typing import Any

from book.text.shown_cells import FOLDED, REMOVED, tags

RATES = {
    "words": 1 / 150,  # a textbook with formulas, half as fast as a story
    "lines": 1 / 12,  # of code that is shown
    "choices": 1,
    "numbers": 2,
    "slips": 3,
    "widgets": 2,
}
"""Minutes for one of each; the exercises of a chapter come on top."""

OPTIONAL = "Optional: "
"""With this begins the heading of a section that no later chapter and no objective needs."""

MORE = re.compile(r"\(optional sections: (\d+) more\)")


def contents(notebook: dict[str, Any], optional: bool = False) -> dict[str, int]:
    """Count what a reader reads, answers and moves: in the core, or in the optional sections."""
    cells = [(cell, source) for cell, source, apart in parts(notebook) if apart == optional]
    prose = " ".join(source for cell, source in cells if cell["cell_type"] == "markdown")
    prose = re.sub(r"\]\([^)]*\)|\$[^$]*\$|`[^`]*`|<[^>]+>", " ", prose)
    code = [(cell, source) for cell, source in cells if cell["cell_type"] == "code"]
    shown = [text for cell, text in code if not tags(cell) & (FOLDED | REMOVED)]
    called = "\n".join(source for _, source in code)
    return {
        "words": len(re.findall(r"[A-Za-z][\w’'-]*", prose)),
        "lines": sum(bool(line.strip()) for text in shown for line in text.splitlines()),
        "choices": called.count("questions.choose("),
        "numbers": called.count("questions.number("),
        "slips": called.count("questions.pose("),
        "widgets": len(re.findall(r"\bwidgets\.\w+\(|\bplot\.arrows\(", called)),
    }


def parts(notebook: dict[str, Any]) -> Iterator[tuple[dict[str, Any], str, bool]]:
    """Each cell with its text, and whether the section that it belongs to is optional."""
    optional = False
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        for heading in re.findall(r"^## (.*)", source, re.MULTILINE):
            optional = cell["cell_type"] == "markdown" and heading.startswith(OPTIONAL)
        yield cell, source, optional


def minutes(notebook: dict[str, Any], optional: bool = False) -> float:
    """The minutes that a first reading takes."""
    return sum(RATES[name] * count for name, count in contents(notebook, optional).items())


def stated(notebook: dict[str, Any]) -> int | None:
    """The minutes that the head of a chapter states, those of all sittings added up."""
    text = "\n".join("".join(cell["source"]) for cell in notebook["cells"])
    line = re.search(r"\*\*Time:\*\*([^\n(]*)", text)
    if not line:
        return None
    times = 2 if "two sittings of" in line[1] else 1
    return times * sum(map(int, re.findall(r"(\d+) minutes", line[1])))


def written(text: str, notebook: dict[str, Any]) -> str:
    """Put the minutes that are counted in the head of a file, where it states others by over 5."""
    said, counted, more = stated(notebook), minutes(notebook), minutes(notebook, optional=True)
    line = re.search(r"\*\*Time:\*\*[^\n\\]*", text)
    if not said or not line:
        return text
    sittings = 2 if "two sittings of" in line[0] else 1
    each = 5 * round(counted / sittings / 5)
    new = (
        line[0] if abs(said - counted) <= 5 else re.sub(r"\d+(?= min)", f"{each}", line[0], count=1)
    )
    if abs(more - sum(map(int, MORE.findall(new)))) > 5:
        new = re.sub(r" \(optional [^)]*\)", "", new)
        rest = f" (optional sections: {5 * round(more / 5)} more)" if more >= 3 else ""
        new = re.sub(r"(\d+ minutes)", rf"\1{rest}", new, count=1)
    return text.replace(line[0], new)
