"""Habits of other notebooks that a page does not share, and what it says of each."""

import ast
import re

FIGURES = re.compile(r"^[ \t]*%matplotlib\b.*$", re.MULTILINE)
IGNORED = "%matplotlib is ignored: a page shows figures by itself."
LINES = {
    r"[ \t]*[!%][ \t]*(?:pip|conda|uv)\b": (
        "a page installs nothing: it has NumPy, matplotlib and the library of this course"
    ),
    r"[ \t]*!": "a page has no shell: run this line in a terminal, or leave it out",
    r"[ \t]*%": "a page knows no magic commands: leave this line out",
    r"[ \t]*(?:>>>|\.\.\.)(?: |$)": (
        "this line begins with the prompt of a Python session: leave out the prompt, and the lines "
        "that the session printed"
    ),
}
"""How a line begins that is no Python, and what is said of it."""

LOOP = "a page runs an event loop already: write await main() where you have asyncio.run(main())"


def cleaned(code: str) -> tuple[str, str]:
    r"""The code of a cell without what a page does by itself, and a sentence on what is left out.

    >>> cleaned("%matplotlib inline\nx = 1")
    ('\nx = 1', '%matplotlib is ignored: a page shows figures by itself.')
    >>> cleaned("x = '''\n%matplotlib inline'''")[1]
    ''
    """
    if not FIGURES.search(code) or reads(code):
        return code, ""
    return FIGURES.sub("", code), IGNORED


def reads(code: str) -> bool:
    """Whether Python can read a cell as it is."""
    try:
        compile(code, "cell", "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except (SyntaxError, ValueError):
        return False
    return True


def explain(error: SyntaxError, code: str, name: str) -> None:
    """Raise a SyntaxError with a sentence where the line of an error has such a habit."""
    lines = code.splitlines()
    number = error.lineno or 1
    text = lines[number - 1] if number <= len(lines) else ""
    for beginning, sentence in LINES.items():
        if re.match(beginning, text):
            raise SyntaxError(sentence, (name, number, None, text)) from None


def refuse(tree: ast.AST, code: str, name: str) -> None:
    """Raise a SyntaxError where a cell starts an event loop."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "asyncio.run":
            raise SyntaxError(LOOP, (name, node.lineno, None, code.splitlines()[node.lineno - 1]))
