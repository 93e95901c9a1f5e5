"""Add what plain Python does not have: magic lines, two names, modules for pictures."""

import ast
import importlib.machinery
import re
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

from exercises.grader.sandboxed.nothing import Importer, Nothing

# Cells of another language; any other cell magic only looks at how the cell runs.
FOREIGN = frozenset("bash sh script html javascript js latex markdown perl ruby svg file".split())
FOREIGN |= {"writefile", "cmd", "system", "sx", "!"}
NOT_SHOWN = ("matplotlib", "mpl_toolkits", "seaborn", "plotly", "IPython", "ipywidgets")
MOST_MAGICS = 200
MAGIC = re.compile(r"^(\s*)(?:[%!?].*|.*\?\s*$)")
ASSIGNED = re.compile(r"^(\s*[\w\s,.]+=\s*)[%!].*")
TIMED = re.compile(r"^(\s*)%time\s+(?=\S)")


def python_of(text: str) -> str:
    """Return a cell without the lines that only IPython understands; no other line moves."""
    lines = text.split("\n")
    first = next((n for n, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        if not FOREIGN.isdisjoint(lines[first][2:].split()[:1]):
            return ""
        lines[first] = ""
    for _ in range(MOST_MAGICS):
        try:
            compile("\n".join(lines), "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        except SyntaxError as error:
            number = (error.lineno or 0) - 1
            bare = _bare(lines[number]) if 0 <= number < len(lines) else None
            if bare is None:
                break
            while lines[number].endswith("\\") and number + 1 < len(lines):
                lines[number], bare, number = bare, "", number + 1
            lines[number] = bare
        else:
            break
    return "\n".join(lines)


def _bare(line: str) -> str | None:
    """Return what plain Python makes of a line for IPython, None if it is no such line."""
    if TIMED.match(line):
        return TIMED.sub(r"\1", line)
    if found := ASSIGNED.match(line):
        return f"{found[1]}get_ipython()"
    found = MAGIC.match(line)
    return f"{found[1]}pass" if found else None


class Finder(Importer):
    """This imports a stand-in for modules that draw, because there is no screen here."""

    stand_in = Nothing

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the loader of a module for pictures, which no other finder found."""
        return self.spec(name) if name.partition(".")[0] in NOT_SHOWN else None


def names() -> dict[str, Any]:
    """Return the names that IPython defines, and allow the import of modules for pictures."""
    if not any(isinstance(finder, Finder) for finder in sys.meta_path):
        sys.meta_path.append(Finder())
    return {"display": _display, "get_ipython": lambda: Nothing("shell")}


def _display(*things: Any, **named: Any) -> Any:
    return Nothing("handle") if named.get("display_id") else None
