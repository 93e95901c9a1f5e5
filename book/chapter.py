"""Run a chapter and say all that is missing in it: `python -m book.chapter 04`.

It stores the outputs, and it writes what a program can know: the layout of the code and which code
is folded, the minutes, the course page, the order of the glossary.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbclient.exceptions import CellExecutionError

from book import conditions, reasons, refresh, syllabus, ties, toc
from book.paths import ROOT
from book.text import folds, glossary, minutes, prose, references, shown_cells
from course.questions.slips import OWN, slips

COLORS = re.compile(r"\x1b\[[\d;]*m")


def unreadable(path: Path) -> list[str]:
    """Why a file is no notebook that can be run: its JSON, the ids of its cells, their code."""
    try:
        cells = prose.read(path)["cells"]
    except json.JSONDecodeError as error:
        return [f"{path.name} is not JSON: {error}"]
    ids, found = [cell["id"] for cell in cells], []
    for cell in cells:
        if ids.count(cell["id"]) > 1:
            found.append(f"{path.name} has two cells with the id {cell['id']}")
        try:
            ast.parse("".join(cell["source"]) if cell["cell_type"] == "code" else "")
        except SyntaxError as error:
            found.append(f"{path.name}, cell {cell['id']}: {error.msg}, in line {error.lineno}")
    return list(dict.fromkeys(found))


def run(path: Path) -> list[str]:
    """Run a chapter, store its outputs, and say which numbers of its text they contradict."""
    found = []
    due = ties.expressions(prose.read(path), ties.rows(path.stem))

    async def judge(client: Any, cell: dict[str, Any]) -> None:
        for tie in due.get(cell["id"], []):
            if wrong := await ties.ask_running(client, tie):
                found.append(f"{path.stem}, {tie.name}: {wrong}")

    try:
        refresh.refresh(path, judge)
    except CellExecutionError as error:
        found.append(f"{path.stem}: {COLORS.sub('', str(error))}")
    return found


def complaints(path: Path) -> list[str]:
    """All that a chapter has to mend, as far as its file tells, in plain words."""
    notebook = prose.read(path)
    text = syllabus.markdown(notebook)
    said = [
        *ties.complaints(path.stem, notebook, ties.rows(path.stem)),
        *reasons.complaints(path.stem, notebook, reasons.rows(path.stem)),
        *references.unknown(text),
        *references.dead(text, ROOT / "chapters"),
        *glossary.complaints(path),
        *objectives(notebook),
        *shown_cells.hidden_names(path),
    ]
    if path.stem[:2].isdigit() and path not in toc.notebooks():
        said.append(f"_toc.yml does not name chapters/{path.stem}")
    if path in toc.chapters() or path.stem[:2].isdigit():
        said += [*missing(path, text), *shown_cells.too_long(path)]
    return said


def missing(path: Path, text: str) -> list[str]:
    """What each chapter has, and this one lacks."""
    number = [f"# {int(path.stem[:2])}. "] if re.match(r"0\d|1[0-8]", path.stem) else []
    parts = [*number, "**You need**", "**Time:**", toc.PROMISE]
    found = [f"the text must contain {part}" for part in parts if part not in text]
    if "](#transformer_lib." not in text:
        found.append("the text must link to the library: [`tl.NAME`](#transformer_lib.NAME)")
    first = shown_cells.code_cells(path)[0]
    if "course.setup()" in shown_cells.source(first) and shown_cells.tags(first) == {"remove-cell"}:
        return found
    return [*found, "the first code cell must be course.setup(), with the tag remove-cell"]


def objectives(notebook: dict[str, Any]) -> list[str]:
    """The objectives of the head that nothing asks, and those asked that the head lacks."""
    text = syllabus.markdown(notebook)
    head = syllabus.between(text, syllabus.PROMISE, syllabus.PROMISED)
    promised = set(re.findall(r"^(\d+)\. ", head, re.MULTILINE))
    if not promised:
        return []
    exercises = syllabus.between(text, r"\n## Exercises\n", r"\n## |\Z")
    named = re.findall(r"\bobjectives? (\d+(?:(?:, and |, | and )\d+)*)", exercises)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    posed = re.findall(r"\bobjective=(\d+)", "\n".join("".join(cell["source"]) for cell in code))
    asked = {*posed, *re.findall(r"\d+", " ".join(named))}
    return [
        *(f"no question and no exercise asks objective {n}" for n in sorted(promised - asked)),
        *(f"objective {n} is asked, and the head has none of it" for n in sorted(asked - promised)),
    ]


def warnings(path: Path) -> list[str]:
    """What is unusual in a chapter and may be right."""
    stem, called = path.stem, path.read_text(encoding="utf-8").count("questions.slip(")
    posed = called + sum(slip["chapter"] == stem for slip in [*slips(), *slips(OWN)])
    return [f"{stem} poses {posed} slips to find; one or two are usual"] if posed > 2 else []


def write(path: Path) -> None:
    """Format and fold the cells; write the minutes, the course page, the glossary's order."""
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", path], check=True)
    folds.write(path)
    text = path.read_text(encoding="utf-8")
    path.write_text(minutes.written(text, prose.read(path)), encoding="utf-8", newline="\n")
    glossary.put_in_order()
    for page, content in syllabus.written().items():
        page.write_text(content, encoding="utf-8", newline="\n")


def main(words: Sequence[str] | None = None) -> int:
    """Run the chapters one by one and report."""
    reader = argparse.ArgumentParser(prog="python -m book.chapter", description=__doc__)
    asked, said = refresh.asked(reader, words, "+"), []
    for path in asked:
        print(f"Running {path.name}", flush=True)
        if wrong := unreadable(path):
            said += wrong
            continue
        said += run(path)
        write(path)
        said += [*complaints(path), *conditions.complaints(path)]
        for warning in warnings(path):
            print(f"Warning: {warning}")
    print("".join(f"\n{each}\n" for each in said), end="")
    print(f"{len(said) or 'Nothing'} to mend in {', '.join(path.name for path in asked)}.")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
