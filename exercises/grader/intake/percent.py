"""Read an assignment from a text file, in which lines `# %%` divide the cells and give their kinds.

Any editor shows such a file, and version control shows what changed. GUIDE.md lists the lines.
"""

import re
from typing import Any

CELL = re.compile(r"^# %%(.*)$", re.MULTILINE)
NAME = r"(?P<name>[A-Za-z_]\w*)"
KINDS = ("implement", "bug", "by-hand", "prediction", "slip")
FORMS = {
    "text": re.compile(r"\[markdown\]"),
    "plain": re.compile(r""),
    "given": re.compile(r"given (?P<name>[A-Za-z_][\w-]*)"),
    "example": re.compile(rf"example {NAME}"),
    "solution": re.compile(rf"solution {NAME} (?P<kind>{'|'.join(KINDS)})"),
    "check": re.compile(
        rf"check {NAME}(?: (?P<part>[A-Za-z][\w-]*))? (?P<points>\d+(?:\.\d+)?) points?"
        r"(?: carries (?P<carries>[\w -]+))?"
    ),
}
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
HELP = (
    "`# %%`, `# %% [markdown]`, `# %% given NAME`, `# %% solution NAME KIND`, `# %% example NAME` "
    f"or `# %% check NAME 3 points`, where KIND is one of {', '.join(KINDS)}"
)


def notebook_of(text: str) -> dict[str, Any]:
    """Return the notebook that a text describes.

    Raises:
        ValueError: a dividing line is unknown, or occurs twice; the error names the line.
    """
    lines = list(CELL.finditer(text))
    start = lines[0].start() if lines else len(text)
    if text[:start].strip():
        raise ValueError("line 1: the text before the first line `# %%` belongs to no cell")
    ends = [*(line.start() for line in lines[1:]), len(text)]
    cells: list[dict[str, Any]] = []
    for line, end in zip(lines, ends, strict=True):
        number = text.count("\n", 0, line.start()) + 1
        form, said = _header(line[1], number)
        cell = _cell(form, said, text[line.end() : end].strip("\n"), len(cells), number)
        if any(cell["id"] == other["id"] for other in cells):
            raise ValueError(f"line {number}: there is already a cell {cell['id']!r} above")
        cells.append(cell)
    metadata = {"kernelspec": dict(KERNEL), "language_info": {"name": "python"}}
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def _header(words: str, number: int) -> tuple[str, dict[str, str]]:
    """Return the form of a cell and what else the dividing line above it says."""
    words = " ".join(words.split())
    for form, pattern in FORMS.items():
        if match := pattern.fullmatch(words):
            return form, match.groupdict("")
    raise ValueError(f"line {number}: `# %% {words}` is none of {HELP}")


def _cell(form: str, said: dict[str, str], text: str, place: int, number: int) -> dict[str, Any]:
    if form == "text":
        source = "\n".join(_uncommented(text.split("\n"), number))
        return {"cell_type": "markdown", "id": f"text-{place}", "metadata": {}, "source": source}
    metadata: dict[str, Any] = {}
    name = said.get("name", "")
    marks = {"schema_version": 3, "grade_id": name, "task": False}
    marks |= {"locked": True, "solution": False, "grade": False}
    match form:
        case "plain":
            name = f"code-{place}"
        case "given":
            # Choices are shown once: where they are printed with their letters.
            is_folded = name == "helpers" or name.endswith("-choices")
            metadata = {"nbgrader": marks, "tags": ["hide-input"] * is_folded}
        case "example":
            name, metadata = f"{name}-example", {"tags": ["raises-exception"]}
        case "solution":
            metadata = {"nbgrader": marks | {"locked": False, "solution": True}}
            metadata["tags"] = [said["kind"]]
        case _:
            name = "-".join(filter(None, [name, "check", said["part"]]))
            points = float(said["points"])
            whole = int(points) if points.is_integer() else points
            own = {"grade_id": name, "grade": True, "points": whole}
            carries = [f"carries-{task}" for task in said["carries"].split()]
            tags = ["raises-exception", "hide-input", *carries]
            metadata = {"nbgrader": marks | own, "tags": tags}
    cell = {"cell_type": "code", "id": name, "metadata": metadata, "source": text}
    return cell | {"outputs": [], "execution_count": None}


def _uncommented(lines: list[str], number: int) -> list[str]:
    for place, line in enumerate(lines, number + 1):
        if line and line != "#" and not line.startswith("# "):
            raise ValueError(f"line {place}: each line of a text cell begins with `# `")
    return [line[2:] for line in lines]
