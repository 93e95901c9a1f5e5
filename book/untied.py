"""Sentences that say a number which an input has changed, though no check fails.

`python -m book.untied 00` changes each number of a chapter's code in a copy. Each copy is a fork of
the process that has run the cells above, and it runs only the cells below that use what changed.
What was found is kept in `_build/untied`, so a run that was stopped goes on from there.
"""

import argparse
import ast
import copy
import hashlib
import importlib
import inspect
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import Pipe
from pathlib import Path
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

from book import refresh, ties
from book.environment import environment
from book.live.torch_cells import names
from book.paths import ROOT
from book.text import code_cells, prose

PATIENCE = 120
"""After so many seconds a changed chapter is given up, as if a cell had failed."""

Notebook = dict[str, Any]


def numbers(source: str) -> Iterator[tuple[str, str]]:
    """Each number of the code: its place, and the code with another number in its place.

    >>> list(numbers("x = [5, 0.5]"))
    [('line 1, 5', 'x = [7, 0.5]'), ('line 1, 0.5', 'x = [5, 0.75]')]
    """
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
            continue
        value: int | float = node.value  # type: ignore[assignment]
        lines = source.encode().splitlines(keepends=True)
        line, start, end = lines[node.lineno - 1], node.col_offset, node.end_col_offset
        # Inside of an f-string, Python 3.11 knows no places.
        if re.fullmatch(rb"[\d.][\d._e+-]*", line[start:end]) and float(line[start:end]) == value:
            new = value + 2 if isinstance(value, int) else 1.5 * value or 1.0
            lines[node.lineno - 1] = line[:start] + repr(new).encode() + line[end:]
            yield f"line {node.lineno}, {value}", b"".join(lines).decode()


def run(shell: InteractiveShell, cell: dict[str, Any]) -> None:
    """Run a cell and put what it shows in the place of its outputs; a RuntimeError if it fails."""
    with capture_output() as shown:
        done = shell.run_cell("".join(cell["source"]))  # type: ignore[no-untyped-call]
    if not done.success and "raises-exception" not in cell["metadata"].get("tags", []):
        raise RuntimeError(f"cell {cell['id']} failed")
    cell["outputs"] = [{"text": shown.stdout}, *({"data": each.data} for each in shown.outputs)]


def go_on(shell: InteractiveShell, notebook: Notebook, at: int) -> None:
    """Run a changed cell, and of those below it each that uses or gives anew what has changed."""
    changed: set[str] = set()
    for number, cell in enumerate(notebook["cells"][at:]):
        if cell["cell_type"] == "code":
            taken, left = names(ast.parse("".join(cell["source"])))
            if not number or (taken | left) & changed:
                run(shell, cell)
                # What a cell uses, it may also change in place.
                changed |= left | {name for name in taken if is_data(shell.user_ns.get(name))}


def is_data(value: Any) -> bool:
    """Whether a cell may have changed this in place: no module, function or class."""
    return not (inspect.ismodule(value) or inspect.isroutine(value) or inspect.isclass(value))


def lost(chapter: str, old: Notebook, new: Notebook, table: dict[str, dict[str, str]]) -> list[str]:
    """The sentences whose number only the old notebook writes or prints, and no check names."""
    said = " ".join(ties.complaints(chapter, new, table))
    passages = prose.passages(old)
    rows = [ties.place(name, on, passages) for name, on in table.items()]
    found = []
    for passage in passages:
        before, after = (near(notebook, passage) for notebook in (old, new))
        own = [row for row in rows if row.passage == passage]
        for number in prose.numbers(passage.text):
            tied = any(row.start <= number.start < row.end for row in own)
            gone = any(map(number.is_rounded, before)) and not any(map(number.is_rounded, after))
            sentence = passage.sentence(number)
            named = sentence in said or any(
                row.quote in sentence and row.quote in said for row in own
            )
            if gone and not (tied or named or number.text.isalpha()):
                found.append(f"{number.text} in “{sentence}”")
    return found


def near(notebook: Notebook, passage: prose.Passage) -> list[float]:
    """The numbers that the code of a section writes and prints, but for those in its strings."""
    cells = [notebook["cells"][at] for at in ties.section(notebook, passage)]
    values: list[float] = []
    for cell in code_cells.code_cells({"cells": cells}):
        tree = ast.parse("".join(cells[cell.at]["source"]))
        texts = [str(n.value) for n in ast.walk(tree) if isinstance(n, ast.Constant)]
        labels = {float(x) for text in texts for x in code_cells.figures(text)}
        values += cell.literals + [x for x in cell.printed if x not in labels]
    return values


def forked(work: Callable[[], list[str]]) -> list[str]:
    """What a fork of this process finds; nothing, where it fails or takes too long."""
    reads, writes = Pipe(duplex=False)
    if child := os.fork():
        writes.close()
        try:
            found: list[str] = reads.recv()
        except EOFError:
            found = []
        os.waitpid(child, 0)
        return found
    signal.alarm(PATIENCE)
    try:
        writes.send(work())
    finally:
        os._exit(0)


def untied(
    chapter: str, notebook: Notebook, table: dict[str, dict[str, str]], kept: dict[str, list[str]]
) -> Iterator[str]:
    """Change each number of the code in turn; yield its place, whose sentences are in `kept`."""
    shell = InteractiveShell.instance()
    for at, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        for place, source in numbers("".join(cell["source"])):
            new = copy.deepcopy(notebook)
            new["cells"][at]["source"] = source

            def work(at: int = at, new: Notebook = new) -> list[str]:
                go_on(shell, new, at)
                return lost(chapter, notebook, new, table)

            where = f"cell {cell['id']}, {place}"
            if where not in kept:
                kept[where] = forked(work)
                yield where
        run(shell, copy.deepcopy(cell))


def report(path: Path) -> None:
    """Go through one chapter and write each sentence once, with the first input that frees it."""
    text, table = path.read_text(encoding="utf-8"), ties.rows(path.stem)
    digest = hashlib.sha256((text + repr(table)).encode()).hexdigest()[:12]
    file = ROOT / "_build" / "untied" / f"{path.stem}-{digest}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    os.chdir(path.parent)
    if "import torch" in text:
        importlib.import_module("torch")  # once, and not in each fork
    for _ in untied(path.stem, json.loads(text), table, kept):
        file.write_text(json.dumps(kept, ensure_ascii=False), encoding="utf-8")
    first = {sentence: where for where, found in reversed(kept.items()) for sentence in found}
    print(f"{path.stem}: {len(kept)} inputs changed, {len(first)} sentences untied", flush=True)
    for sentence, where in first.items():
        print(f"  {where}: {sentence}")


def main(words: Sequence[str] | None = None) -> int:
    """Go through the chapters, each in a process of its own."""
    reader = argparse.ArgumentParser(prog="python -m book.untied", description=__doc__)
    reader.add_argument("chapters", nargs="+", metavar="CHAPTER", help="numbers or names")
    reader.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    asked = reader.parse_args(words)
    for path in refresh.chapters(asked.chapters):
        if asked.here:
            report(path)
        else:
            inside = [sys.executable, "-m", "book.untied", "--here", path.stem]
            env = environment() | {"MPLBACKEND": "module://matplotlib_inline.backend_inline"}
            subprocess.run(inside, check=True, env=env)
    return 0


if __name__ == "__main__":
    sys.exit(main())
