"""Find out which later Python could read a cell that this one cannot.

Colab runs a later Python than a judge may. What later versions brought is rewritten to what this
Python reads (`rewriting.py`), and the rest of the cell must then be readable as it stands.
"""

import ast
import sys
from typing import NamedTuple

from exercises.grader.run.rewriting import Rewriter, Unreadable, parsed

LONGEST = 100_000  # letters of a cell
FAILS = (Unreadable, SyntaxError, ValueError, RecursionError, MemoryError)


class Read(NamedTuple):
    """This is what a cell turned out to be: the later Python that it needs, and its statements."""

    needs: str = ""  # such as "3.12", "" if this Python reads it or none could
    body: tuple[ast.stmt, ...] = ()


def running() -> str:
    """Return the Python that judges, such as "3.11"; the sandboxes run the same."""
    return "{}.{}".format(*sys.version_info)


def read(text: str, later: bool = True) -> Read:
    """Read a cell, and if this Python cannot, perhaps by the rules of later versions."""
    if len(text) > LONGEST:
        return Read()
    try:
        return Read(body=tuple(parsed(text).body))
    except FAILS:
        if not later:
            return Read()
    rewriter = Rewriter(text)
    try:
        lines = rewriter.cell()
        # What stood inside of braces and brackets stands in parentheses below the cell.
        body = parsed(lines + "".join(f"\n({part} \n)" for part in rewriter.parts)).body
    except FAILS:
        return Read()
    body = body[: len(body) - len(rewriter.parts)]
    needed = max(rewriter.needs, default=(0,))
    if needed == (0,):
        return Read(body=tuple(body))  # only IPython's own lines stood in the way
    # What this Python should read and does not is no matter of its version.
    return Read(".".join(map(str, needed)), tuple(body)) if needed > sys.version_info else Read()
