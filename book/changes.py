"""Every input of a cell, changed one at a time: a number, a string, the order of a list.

What only says how something is shown is no input: a key, the digits of a rounding, a format.
"""

import ast
import re
import textwrap
from collections.abc import Iterator
from typing import NamedTuple

from book.text import folds

SHOWS = {"round", "set_printoptions", "print"}
"""What is called to show something; what is written in such a call itself is no input."""
SAYS = {"caption", "title", "label", "names", "decimals", "precision"}
"""Keywords that say how something is shown."""


class Change(NamedTuple):
    """One input of a cell: where it stands, what it becomes, and the cell's code with it."""

    place: str
    old: str
    new: str
    code: str


def numbers(source: str) -> Iterator[tuple[str, str]]:
    """Each number of the code: its place, and the code with another number in its place.

    >>> list(numbers("x = [5, 0.5]"))
    [('line 1:6, 5', 'x = [7, 0.5]'), ('line 1:9, 0.5', 'x = [5, 0.75]')]
    """
    for node in ast.walk(ast.parse(source)):
        if change := _number(source, node):
            yield change.place, change.code


def changes(source: str) -> Iterator[Change]:
    """Each input of the code.

    >>> for change in changes("x['a'] = [3, round(y, 2)] + text('to be', end='!')"):
    ...     print(f"{change.old} becomes {change.new}")
    [3, round(y, 2)] becomes [round(y, 2), 3]
    3 becomes 5
    'to be' becomes 'be to'
    '!' becomes '!!'
    """
    tree = ast.parse(source)
    shown = {id(node) for node in _shown(tree)}
    if folds.tag(source):  # its last expression draws or asks
        shown |= {id(node) for node in ast.walk(tree.body[-1])}
    for node in ast.walk(tree):
        if id(node) not in shown:
            for change in (_number(source, node), _order(source, node), _string(source, node)):
                if change:
                    yield change


def _shown(tree: ast.AST) -> Iterator[ast.AST]:
    """The constants that only say how something is shown, and the strings that are names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in SHOWS:
            yield from (each for each in node.args if isinstance(each, ast.Constant))
        elif isinstance(node, ast.keyword) and node.arg in SAYS:
            yield from ast.walk(node.value)
        elif isinstance(node, ast.Dict):
            yield from (key for key in node.keys if key)
        elif isinstance(node, ast.Subscript):
            yield from (each for each in ast.walk(node.slice) if _is_text(each))
        elif isinstance(node, ast.JoinedStr | ast.Expr) and not isinstance(
            getattr(node, "value", None), ast.Call
        ):
            yield from (each for each in ast.walk(node) if isinstance(each, ast.Constant))


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _name(function: ast.expr) -> str:
    """The last name of what is called."""
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _number(source: str, node: ast.AST) -> Change | None:
    """A number, larger by 2 or by half."""
    if not isinstance(node, ast.Constant) or type(node.value) not in (int, float):
        return None
    value: int | float = node.value  # type: ignore[assignment]
    new = value + 2 if isinstance(value, int) else 1.5 * value or 1.0
    text = _text(source, node)
    # Inside of an f-string, Python 3.11 knows no places.
    if not re.fullmatch(r"[\d.][\d._e+-]*", text) or float(text) != value:
        return None
    return _change(source, node, text, repr(new))


def _string(source: str, node: ast.AST) -> Change | None:
    """A string: its first two words change places, and one word begins twice."""
    if (
        not isinstance(node, ast.Constant)
        or not isinstance(node.value, str)
        or not node.value.strip()
    ):
        return None
    text = _text(source, node)
    if "\n" in text or not text.endswith(("'", '"')) or ast.literal_eval(text) != node.value:
        return None
    first, *rest = node.value.split(" ")
    words = (
        [rest[0], first, *rest[1:]] if rest and rest[0] != first else [node.value[0], node.value]
    )
    return _change(source, node, text, repr((" " if rest else "").join(words)))


def _order(source: str, node: ast.AST) -> Change | None:
    """A list whose first two entries change places."""
    if not isinstance(node, ast.List) or len(node.elts) < 2:
        return None
    first, second = (_text(source, each) for each in node.elts[:2])
    old = _text(source, node)
    if first == second:
        return None
    between = old[old.index(first) + len(first) :]
    between = between[: between.index(second)]
    new = old.replace(first + between + second, second + between + first, 1)
    return _change(source, node, old, new)


def _text(source: str, node: ast.AST) -> str:
    """What is written of a node; nothing, where Python does not know its place."""
    return ast.get_source_segment(source, node) or ""


def _change(source: str, node: ast.expr, old: str, new: str) -> Change:
    """The code with other words at the place of a node."""
    lines = source.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or node.lineno) - 1])) + (node.end_col_offset or 0)
    code = source.encode()[:start] + new.encode() + source.encode()[end:]
    said = textwrap.shorten(old, 40, placeholder="…") if " " in old else old[:40]
    place = f"line {node.lineno}:{node.col_offset + 1}, {said}"
    return Change(place, old, new, code.decode())
