"""What a page's Python reads and Python 3.11, which the judge and JupyterLab may run, does not."""

import ast
import io
import tokenize
from collections.abc import Iterator

START = getattr(tokenize, "FSTRING_START", None)
"""The token with which an f-string begins, since Python 3.12."""

SAYS = "the judge runs Python 3.11, which cannot read {} here"


def refuse(code: str, tree: ast.AST, name: str) -> None:
    """Raise SyntaxError where Python 3.11 would, as Python says it: with the place and the line."""
    for line, what in sorted([*newer_statements(tree), *newer_strings(code)]):
        text = code.splitlines()[line - 1]
        raise SyntaxError(SAYS.format(what), (name, line, None, text))


def newer_statements(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The lines of statements that 3.12 has brought."""
    for node in ast.walk(tree):
        if type(node).__name__ == "TypeAlias" or getattr(node, "type_params", None):
            yield getattr(node, "lineno", 1), "type parameters"


def newer_strings(code: str) -> Iterator[tuple[int, str]]:
    """The lines of f-strings in whose braces stands what 3.12 has allowed there."""
    if START is None:
        return
    opened: list[str] = []  # the quotes of the f-strings around a token
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        line = token.start[0]
        if token.type == START:
            if any(quote in token.string for quote in opened):
                yield line, "an f-string with its own quotes in its braces"
            opened.append(token.string.lstrip("fFrRbBuU"))
        elif token.type == tokenize.FSTRING_END:
            opened.pop()
        elif opened and token.type != tokenize.FSTRING_MIDDLE:
            if any(quote in token.string for quote in opened):
                yield line, "an f-string with its own quotes in its braces"
            elif "\\" in token.string or token.type == tokenize.COMMENT:
                yield line, "an f-string with a backslash or a comment in its braces"
