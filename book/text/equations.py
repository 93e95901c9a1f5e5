"""The equations that a text writes out in numbers, such as 0.1 · 0.5 = 0.05."""

import ast
import itertools
import re
from collections.abc import Iterator
from typing import NamedTuple

from course.ledger.printed import evaluate

_MATH = re.compile(r"\$\$(.+?)\$\$|\$(.+?)\$", re.DOTALL)
_PLAIN = re.compile(r"(?:[\d.,\s·×+−/()√%-]*\d[\d.\s·×+−/()√-]*[=≈])+[\d.,\s·×+−/()√-]*\d")
_ENDS = re.compile(r"\\q?quad|\\\\|\\text\{[^}]*\}|;|,(?!\}?\d{3})|&")
_EQUALS = re.compile(r"=|≈|\\approx")
_LATEX = [
    (r"\\[!,; ]|\\left|\\right|~", " "),
    (r"\{,\}|(?<=\d),(?=\d{3})", ""),
    (r"\\[td]?frac\s*(\d)\s*(\d)", r"((\1)/(\2))"),
    (r"\\[td]?frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))"),
    (r"\\sqrt\s*\{([^{}]*)\}|\\sqrt\s*(\d)|√(\d+)", r"sqrt(\1\2\3)"),
    (r"\be\^\{([^{}]*)\}|\be\^(\d)", r"exp(\1\2)"),
    (r"\\?(ln|sin|cos|tanh)\s*(\d+(?:\.\d+)?)", r"\1(\2)"),
    (r"\\(ln|sin|cos|tanh)", r"\1"),
    (r"\^\{([^{}]*)\}", r"**(\1)"),
    (r"\^", "**"),
    (r"\\cdot|\\times|·|×", "*"),
    (r"−", "-"),
    (r"(?<=[\d)])\s*(?=[a-z(])", "*"),
    (r"[{}\s]", ""),
]


class Equation(NamedTuple):
    """Two sides that are numbers, where they stand, and whether they are equal."""

    text: str
    start: int
    end: int
    is_true: bool


def equations(text: str) -> list[Equation]:
    """All equations whose two sides are numbers.

    >>> [(e.text, e.is_true) for e in equations("So $x = 3/4 = 0.75$, and 2 · 3 = 7.")]
    [('3/4 = 0.75', True), ('2 · 3 = 7', False)]
    """
    return [found for start, run in runs(text) for found in in_run(start, run)]


def runs(text: str) -> Iterator[tuple[int, str]]:
    """The formulas of a text, those between dollar signs and those in plain signs."""
    plain = text
    for match in _MATH.finditer(text):
        group = 1 if match[1] else 2
        yield from split(match.start(group), match[group], _ENDS)
        plain = plain.replace(match[0], "\0" * len(match[0]), 1)
    for match in _PLAIN.finditer(plain):
        yield match.start(), match[0]


def split(start: int, text: str, at: re.Pattern[str]) -> Iterator[tuple[int, str]]:
    """The parts of a text between the matches, each with its place."""
    begin = 0
    for match in at.finditer(text):
        yield start + begin, text[begin : match.start()]
        begin = match.end()
    yield start + begin, text[begin:]


def in_run(start: int, run: str) -> Iterator[Equation]:
    """Each side of a chain with the next, where both are numbers."""
    sides = list(split(start, run, _EQUALS))
    for (at, left), (after, right) in itertools.pairwise(sides):
        values = value(left), value(right)
        if values[0] is not None and values[1] is not None:
            shift = len(left) - len(left.lstrip())
            text = f"{left.strip()} = {right.strip()}"
            near = abs(values[0] - values[1]) <= max(precision(left), precision(right))
            yield Equation(text, at + shift, after + len(right.rstrip()), near)


def precision(side: str) -> float:
    """Half a unit in the last place of a side that is one number; else next to nothing."""
    alone = re.fullmatch(r"\s*[-−]?[\d,{}]+(?:\.(\d+))?\s*", side)
    decimals = len(alone[1]) if alone and alone[1] else None
    return 0.5 * 10**-decimals * (1 + 1e-9) if decimals else 1e-9


def value(side: str) -> float | None:
    r"""What a side comes to; None where it holds a letter or is no formula.

    >>> value(r"\frac12 \ln 1 + 0.5 \cdot 2"), value("d_k")
    (1.0, None)
    """
    for pattern, by in _LATEX:
        side = re.sub(pattern, by, side)
    try:
        return evaluate(ast.parse(side.strip(), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, OverflowError, ValueError):
        return None
