"""The lecturer's sheet: each question of the pages with its answers, as Markdown."""

import ast
import builtins
import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

import transformer_lib as tl
from book import syllabus, toc
from book.paths import ROOT
from book.text import prose
from course import questions
from course.ledger.entries import load
from course.questions.question import Choice
from course.questions.slips import OWN, fill, slips
from transformer_lib.plot.markup import Content, join

ORAL = ROOT / "exercises" / "ORAL.md"
OPENING = """# All questions of the pages

Each question with its objective, its right answer (✓), and what is said to whoever chooses another
one or types a number that is foreseen. Your browser prints this page.
"""


def sheet() -> str:
    """The page: oral questions, then those of each chapter in its order."""
    chapters = [(path, list(asked(path))) for path in toc.notebooks()]
    parts = [f"## {title(path)}\n\n" + "\n\n".join(found) for path, found in chapters if found]
    return "\n\n".join([OPENING, ORAL.read_text(encoding="utf-8").strip(), *parts]) + "\n"


def title(path: Path) -> str:
    """The heading of a notebook."""
    found: list[str] = re.findall(r"^# (.*)", syllabus.markdown(prose.read(path)), re.MULTILINE)
    return found[0]


def asked(path: Path) -> Iterator[str]:
    """Each question of a notebook, as Markdown."""
    cells = [cell for cell in prose.read(path)["cells"] if cell["cell_type"] == "code"]
    sources = ["".join(cell["source"]) for cell in cells]
    yield from told(ast.parse("\n".join(text for text in sources if "questions." in text)).body)


class Later:
    """A value that a page computes in another cell."""

    def __getitem__(self, at: object) -> "Later":
        return self

    __matmul__ = __getitem__
    __iter__ = None

    def __float__(self) -> float:
        return math.nan

    def __format__(self, form: str) -> str:
        return "…"


def told(lines: Sequence[ast.stmt]) -> Iterator[str]:
    """What the calls of `questions` in some lines ask, with their answers."""
    names = vars(builtins) | {"np": np, "math": math, "tl": tl, "questions": TOLD}
    known = defaultdict[str, Any](Later, names)
    for line in lines:
        if isinstance(line, ast.Assign | ast.AugAssign):
            exec(compile(ast.Module([line], []), "cells", "exec"), {}, known)
        elif isinstance(line, ast.Expr) and ast.unparse(line).startswith("questions."):
            yield str(eval(compile(ast.Expression(line.value), "cells", "eval"), {}, known))


def choose(
    id: str, prompt: Content, choices: Sequence[Choice], *, objective: int | None = None
) -> str:
    """A choice among answers."""
    lines = [f"- {'✓' if c.is_right else '✗'} {plain(c.label)} *{c.feedback}*" for c in choices]
    return "\n".join([asking(id, prompt, objective), *lines])


def number(
    id: str,
    prompt: Content,
    answer: float,
    *,
    right: str = "",
    mistakes: Mapping[float, str] | None = None,
    objective: int | None = None,
    **others: Any,
) -> str:
    """A number to type, and the numbers that a known mistake gives."""
    foreseen = [f"- ✗ {shown(value)}: {said}" for value, said in (mistakes or {}).items()]
    return "\n".join([asking(id, prompt, objective), f"- ✓ {shown(answer)}: {right}", *foreseen])


def pose(id: str, path: Path | None = None, *, objective: int | None = None) -> str:
    """Somebody's worked solution, with the right answer of each step."""
    found = next(each for each in [*slips(path), *slips(OWN)] if each["id"] == id)
    ledger, lines = load(), []
    for step in found["steps"]:
        (best,) = (choice for choice in step["choices"] if choice.get("right"))
        told = (fill(text, ledger) for text in (step["ask"], best["text"], best["says"]))
        lines.append("- {}\n  ✓ {} *{}*".format(*told))
    given = f"{fill(found['title'], ledger)}. {fill(found['given'], ledger)}"
    return "\n".join([asking(id, given, objective), *lines])


def slip(id: str, title: str, given: str, steps: Sequence[str], **others: Any) -> str:
    """A worked solution that stands in its notebook, and its steps."""
    return "\n\n".join([asking(id, f"{title}. {given}"), *steps])


def asking(id: str, prompt: Content = "", objective: int | None = None) -> str:
    """The first lines of a question."""
    about = f", objective {objective}" if objective else ""
    return f"**{plain(prompt)}** (`{id}`{about})\n"


def shown(value: float) -> str:
    """A number with up to four digits, unless its page computes it."""
    return "(the page computes it)" if math.isnan(value) else f"{value:.4g}"


def plain(content: Content) -> str:
    """The words of a text or of a figure, in one line."""
    said = content if isinstance(content, str) else join(content).text
    return re.sub(r"\s+", " ", said).strip()


TOLD: Any = SimpleNamespace(
    choose=choose, number=number, pose=pose, slip=slip, right=questions.right, wrong=questions.wrong
)
"""What stands in the place of `questions` here: it tells the answers."""
