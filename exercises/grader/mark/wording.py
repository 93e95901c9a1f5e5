"""Return the message of a failed test without the numbers in it.

The message of a hidden test may quote a result, and the student's code may have put the hidden
inputs into that result. Therefore only the author's words are shown, with "…" for the rest.
"""

import ast
import itertools
import re
import traceback
from collections.abc import Mapping
from types import FrameType
from typing import NamedTuple

from exercises.grader.mark.quoting import quote

GAP = "…"
MOST = 600  # letters of a quotation


class Said(NamedTuple):
    """This is a statement of a test: its message, if it has one, and all strings in it."""

    message: ast.expr | None
    strings: frozenset[str]


Lines = Mapping[int, Said]


def lines_of(text: str) -> Lines:
    """Return the statement on each line of a test or helper."""
    found: dict[int, Said] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Assert | ast.Raise | ast.Expr | ast.Assign | ast.Return):
            inner = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant)]
            said = Said(_message(node), frozenset(s for s in inner if isinstance(s, str)))
            found |= dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), said)
    return found


def _message(node: ast.stmt) -> ast.expr | None:
    if isinstance(node, ast.Assert):
        return node.msg
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call) and node.exc.args:
        return node.exc.args[0]
    return None


def constant_parts(error: BaseException, files: Mapping[str, Lines]) -> str:
    """Return the parts of a failed test's message that its author wrote.

    Args:
        error: what the test raised.
        files: the statements of each file of the instructor.
    """
    text = _text(error, files)
    return re.sub(f"{GAP}+", GAP, text) if text.replace(GAP, "").strip() else ""


def in_parts(error: BaseException, files: Mapping[str, Lines]) -> str:
    """Return the message of a failed test, in which the parts by other authors are quoted.

    Args:
        error: what the test raised.
        files: the statements of each file of the instructor.
    """
    whole = str(error)
    parts = _text(error, files).split(GAP)
    found = re.fullmatch("(.*)".join(map(re.escape, parts)), whole, re.DOTALL)
    if found is None:
        return quote(whole[:MOST])
    values = [quote(value[:MOST]) for value in found.groups()]
    return "".join(itertools.chain(*zip(parts, [*values, ""], strict=True)))


def _text(error: BaseException, files: Mapping[str, Lines]) -> str:
    steps = [
        (frame, said)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if (said := files.get(frame.f_code.co_filename, {}).get(line)) is not None
    ]
    if not steps:
        return ""
    frame, last = steps[-1]
    strings = frozenset().union(*(said.strings for _, said in steps))
    return "" if last.message is None else _phrase(last.message, frame, strings, str(error))


def _phrase(node: ast.expr, frame: FrameType, strings: frozenset[str], whole: str) -> str:
    def phrase(part: ast.expr) -> str:
        return _phrase(part, frame, strings, whole)

    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(map(phrase, parts))
        case ast.FormattedValue(value=value, conversion=-1):
            return phrase(value)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return phrase(left) + phrase(right)
        case ast.IfExp(body=body, orelse=other):
            return phrase(body) if phrase(body) == whole else phrase(other)
        case ast.Name(id=name):
            # The name of a task, say, that the test hands to a helper.
            found = frame.f_locals.get(name)
            return found if isinstance(found, str) and found in strings else GAP
    return GAP
