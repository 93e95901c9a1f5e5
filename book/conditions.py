"""For each sentence that must hold, a change of an input that makes it false.

A row `holds` of `book/ties.toml` that no change makes false guards nothing. `book/conditions.json`
names a change for each, and a digest of the row and of the cells that its names come from. Where
one of them is another, `make chapter` looks for a change anew, with `book.untied`.
"""

import ast
import hashlib
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from book import ties, toc
from book.environment import environment
from book.live.torch_cells import names
from book.paths import ROOT
from book.text import prose

FILE = ROOT / "book" / "conditions.json"
ASKED = ("attention", *(f"{number:02d}_" for number in range(14)), "17_")
"""How the names of the chapters begin in which each comparison has a row."""


def is_asked(chapter: str) -> bool:
    """Whether a chapter's comparisons are asked for."""
    return chapter.startswith(ASKED)


def chapters() -> list[Path]:
    """The chapters whose comparisons are asked for."""
    return [path for path in toc.notebooks() if is_asked(path.stem)]


def digests(chapter: str, notebook: dict[str, Any]) -> dict[str, str]:
    """A digest of each row that must hold, and of the code that its names come from."""
    found = {}
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for id, due in ties.expressions(notebook, ties.rows(chapter)).items():
        end = 1 + [cell["id"] for cell in code].index(id)
        for tie in due:
            if "holds" in tie.rests_on:
                condition = ties.expression(tie)
                text = condition + "".join(needed(code[:end], condition))
                found[tie.name] = hashlib.sha256(text.encode()).hexdigest()[:12]
    return found


def needed(cells: list[dict[str, Any]], expression: str) -> list[str]:
    """The code of the cells that give the names of an expression, and of those that these need."""
    wanted, _ = names(ast.parse(expression))
    found = list[str]()
    for cell in reversed(cells):
        source = "".join(cell["source"])
        taken, left = names(ast.parse(source))
        if left & wanted:
            wanted |= taken
            found.insert(0, source)
    return found


def kept() -> dict[str, dict[str, dict[str, str]]]:
    """The change that makes each row false and the digest at that time, by chapter and row."""
    rows: dict[str, dict[str, dict[str, str]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return rows


def unshown(chapter: str, notebook: dict[str, Any]) -> list[str]:
    """The rows for which no change is known, or which are no longer what they were."""
    known = kept().get(chapter, {})
    return [
        name
        for name, digest in digests(chapter, notebook).items()
        if known.get(name, {}).get("digest") != digest
    ]


def keep(chapter: str, notebook: dict[str, Any], found: Mapping[str, list[str]]) -> None:
    """Write the first change that makes each row false; one that still does stays.

    Args:
        chapter: the name of the file.
        notebook: its content.
        found: what finds each change, by its place, as `book.untied` has it.
    """
    every, own = kept(), dict[str, dict[str, str]]()
    known = every.get(chapter, {})
    for name, digest in digests(chapter, notebook).items():
        places = [where for where, what in found.items() if f"row {name}" in what]
        if known.get(name, {}).get("digest") == digest and not places:
            own[name] = known[name]
        elif places:
            before = known.get(name, {}).get("change", "")
            own[name] = {"change": before if before in places else places[0], "digest": digest}
    every[chapter] = dict(sorted(own.items()))
    text = json.dumps(dict(sorted(every.items())), indent=1, ensure_ascii=False)
    FILE.write_text(text + "\n", encoding="utf-8", newline="\n")


def complaints(path: Path) -> list[str]:
    """The rows of a chapter that nothing makes false; each new one is tried first."""
    if not is_asked(path.stem) or not unshown(path.stem, prose.read(path)):
        return []
    print(f"Changing inputs of {path.name}, for the new rows that must hold", flush=True)
    inside = [sys.executable, "-m", "book.untied", "--rows", path.stem]
    subprocess.run(inside, env=environment(), stdout=subprocess.DEVNULL)
    return [
        f"{path.stem}, {name}: no change of an input makes this row of {ties.TIES.name} false"
        for name in unshown(path.stem, prose.read(path))
    ]
