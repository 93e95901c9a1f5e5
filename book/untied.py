"""Inputs of a chapter that can change while nothing says that the page has become false.

`python -m book.untied 00` changes each number, each string and the order of each list in the
computing cells, one at a time, in a fork of the process that has run the cells above. A change is
found where a cell fails, a row of `book/ties.toml` no longer holds, or a number of the text loses
its tie. Any other change of an output survives: a sentence that depends on it needs a row, and
`book/survivors.toml` says of the rest why no sentence does. What was found is kept in
`_build/untied`, so a run that was stopped goes on from there.
"""

import argparse
import ast
import copy
import hashlib
import importlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from IPython.core.interactiveshell import InteractiveShell

from book import conditions, refresh, ties
from book.changes import Change, changes
from book.environment import environment
from book.live.torch_cells import names
from book.paths import ROOT
from book.rerun import Rerun, forked, run
from book.text import prose, shown_cells

Notebook = dict[str, Any]
Table = dict[str, dict[str, str]]
REASONS = ROOT / "book" / "survivors.toml"
MOST = 0.1
"""The share of the changes that a reader sees which may survive in a chapter."""

SAME, SURVIVES, SLOW = "same", "survives", "takes too long"


def computes(cell: dict[str, Any]) -> bool:
    """Whether a cell computes: it is no figure, and a reader can open its code."""
    if cell["cell_type"] != "code" or cell["id"].endswith("-figure"):
        return False
    return not shown_cells.REMOVED & set(cell["metadata"].get("tags", []))


def shown(cell: dict[str, Any]) -> str:
    """What a reader reads below a cell."""
    texts = []
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        texts += [output.get("text", ""), data.get("text/markdown") or data.get("text/plain", "")]
    return "\n".join("".join(text) for text in texts if text)


def verdict(
    shell: InteractiveShell, chapter: str, old: Notebook, at: int, change: Change, table: Table
) -> list[str]:
    """What finds one change; or the cells whose outputs move, though nothing finds it."""
    new = copy.deepcopy(old)
    new["cells"][at]["source"] = change.code
    try:
        false = rows_that_fail(shell, new, at, table)
    except RuntimeError as error:
        return [str(error)]
    lost = ties.complaints(chapter, new, table)
    if false or lost:
        return [*(f"row {name}" for name in false), *(text.split("\n")[0] for text in lost)]
    moved = [
        cell["id"]
        for cell, before in zip(new["cells"], old["cells"], strict=True)
        if not is_same(shown(cell), shown(before), change)
    ]
    return [SURVIVES, *moved] if moved else [SAME]


def is_same(new: str, old: str, change: Change) -> bool:
    """Whether a cell shows the same, but for a string that is only shown."""
    if change.old[0] in "'\"":
        new = new.replace(ast.literal_eval(change.new), ast.literal_eval(change.old))
    return new == old


def rows_that_fail(shell: InteractiveShell, notebook: Notebook, at: int, table: Table) -> list[str]:
    """The rows of `book/ties.toml` that are false once a cell is another."""
    due, rerun, false = ties.expressions(notebook, table), Rerun(shell), []
    for number, cell in enumerate(notebook["cells"][at:]):
        if cell["cell_type"] != "code":
            continue
        rerun.meet(cell, always=not number)
        for tie in due.get(cell["id"], []):
            wanted, _ = names(ast.parse(ties.expression(tie)))
            if wanted & rerun.changed:
                rerun.fetch(wanted)
                false += [tie.name] * (not holds(shell, tie))
    return false


def holds(shell: InteractiveShell, tie: ties.Tie) -> bool:
    """Whether a row is true of the names of the notebook."""
    try:
        value = eval(ties.expression(tie), shell.user_ns)
        parts = value if isinstance(value, tuple) else (value,)
        return not ties.judge(tie, [float(x) for part in parts for x in np.ravel(part)])
    except Exception:
        return False


def untied(
    chapter: str, notebook: Notebook, table: Table, kept: dict[str, list[str]]
) -> Iterator[str]:
    """Make each change in turn; yield its place, whose verdict is then in `kept`."""
    shell = InteractiveShell.instance()
    base = forked(lambda: outputs(shell, copy.deepcopy(notebook), table), patience=0)
    if not base:
        raise SystemExit(f"{chapter} does not run as it is, or a row of it is false")
    for at, cell in enumerate(base["cells"]):
        if cell["cell_type"] != "code":
            continue
        for change in changes("".join(cell["source"])) if computes(cell) else ():
            where = f"{cell['id']}, {change.place}"
            if where not in kept:

                def work(at: int = at, change: Change = change) -> list[str]:
                    return verdict(shell, chapter, base, at, change, table)

                kept[where] = forked(work) or [SLOW]
            yield where
        run(shell, copy.deepcopy(cell))


def outputs(shell: InteractiveShell, notebook: Notebook, table: Table) -> Notebook:
    """The notebook with the outputs of a run here, whose text every run repeats.

    Raises:
        RuntimeError: a row is false, so it would seem to find every change.
    """
    due = ties.expressions(notebook, table)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            run(shell, cell)
            cell["outputs"] = [{"text": shown(cell)}]
        if false := [tie.name for tie in due.get(cell["id"], []) if not holds(shell, tie)]:
            raise RuntimeError(f"{', '.join(false)} is false")
    return notebook


def changed(path: Path, only_rows: bool) -> dict[str, list[str]]:
    """What finds each change of a chapter; with `only_rows`, until each new row was false once."""
    text, table = path.read_text(encoding="utf-8"), ties.rows(path.stem)
    notebook = json.loads(text)
    missing = {f"row {name}" for name in conditions.unshown(path.stem, notebook)}
    code = repr([cell["source"] for cell in notebook["cells"]]) + repr(table)
    digest = hashlib.sha256(code.encode()).hexdigest()[:12]
    file = ROOT / "_build" / "untied" / f"{path.stem}-{digest}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    os.chdir(path.parent)
    if "import torch" in text:
        importlib.import_module("torch")  # once, and not in each fork
    for where in untied(path.stem, notebook, table, kept):
        file.write_text(json.dumps(kept, ensure_ascii=False, indent=1), encoding="utf-8")
        missing -= set(kept[where])
        if only_rows and not missing:
            break
    conditions.keep(path.stem, notebook, kept)
    return kept


def report(chapter: str, kept: dict[str, list[str]]) -> Iterator[str]:
    """How many changes survive, and which; the reasons of `book/survivors.toml` that are over."""
    known = survivors(chapter)
    counted = [where for where, found in kept.items() if found[0] != SAME]
    alive = [where for where in counted if kept[where][0] == SURVIVES]
    count = f"{len(alive)} of {len(counted)} changes that a reader sees survive"
    yield f"{chapter}: {count}{'' if len(alive) <= MOST * len(counted) else ', which is too many'}"
    for where in alive:
        if where not in known:
            yield f"  {where} moves {', '.join(kept[where][1:])}, and no reason says why it may"
    for where in known:
        if where not in alive:
            yield f"  {where} stands in {REASONS.name} and does not survive"
    for name in sorted(conditions.unshown(chapter, prose.read(refresh.chapters([chapter])[0]))):
        yield f"  {name}: no change makes this row of {ties.TIES.name} false"


def survivors(chapter: str) -> dict[str, str]:
    """The changes that may survive in a chapter, and why no sentence depends on them."""
    return ties.section_of(chapter, REASONS)


def main(words: Sequence[str] | None = None) -> int:
    """Go through the chapters, each in a process of its own; 1 where a report has complaints."""
    reader = argparse.ArgumentParser(prog="python -m book.untied", description=__doc__)
    reader.add_argument("chapters", nargs="+", metavar="CHAPTER", help="numbers or names")
    reader.add_argument("--rows", action="store_true", help="only until each new row was false")
    reader.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked, codes = reader.parse_args(words), []
    for path in refresh.chapters(asked.chapters):
        if asked.here:
            lines = list(report(path.stem, changed(path, asked.rows)))
            print("\n".join(lines), flush=True)
            return int(len(lines) > 1 or "too many" in lines[0])
        inside = [sys.executable, "-m", "book.untied", "--here", path.stem]
        env = environment() | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
        codes.append(subprocess.run([*inside, *["--rows"] * asked.rows], env=env).returncode)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
