"""Lines of Python, as the course counts them: no blank lines, no comments, no docstrings."""

import ast
import io
import tokenize
from collections.abc import Iterator, Sequence

from book.paths import ROOT

PRODUCT = ["transformer_lib", "course", "exercises", "book", "benchmarks", "chapters", "docker"]
NOT_CODE = {
    *(tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE),
    *(tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER),
}


def lines_of(folders: Sequence[str]) -> int:
    """Lines of Python in these folders, without blank lines, comments and docstrings."""
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    return sum(code_lines(file.read_text(encoding="utf-8")) for file in files)


def code_lines(text: str) -> int:
    """Lines of one file, without blank lines, comments and docstrings."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    spans = [(t.start[0], t.end[0]) for t in tokens if t.type not in NOT_CODE]
    code = {line for first, last in spans for line in range(first, last + 1)}
    return len(code.difference(*(range(n.lineno, (n.end_lineno or 0) + 1) for n in texts(text))))


def texts(code: str) -> Iterator[ast.Expr]:
    """The statements of a file that are nothing but a text: docstrings."""
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                yield node
