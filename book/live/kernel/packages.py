"""Which packages a cell needs that are not loaded from the start."""

import ast
import contextlib
import importlib
import io
from collections.abc import Iterable, Mapping

TALKATIVE = {"matplotlib": "matplotlib.font_manager"}
"""What says at its first import that it makes a cache, which is no output of the cell."""


def wanted(code: str, brings: Mapping[str, str]) -> set[str]:
    r"""Return the packages that a cell imports or whose functions it calls.

    Args:
        code: of the cell.
        brings: names of modules and functions, each with the package that it needs.

    >>> sorted(wanted("import plt.a\nplot.line_chart(x)", {"plt": "p", "line_chart": "q"}))
    ['p', 'q']
    """
    try:
        nodes = list(ast.walk(ast.parse(code)))
    except SyntaxError:
        return set()
    names = {name for node in nodes for name in _names(node)}
    return {brings[name] for name in names if name in brings}


def warm_up(packages: Iterable[str]) -> None:
    """Import the packages that say something at their first import."""
    with contextlib.redirect_stderr(io.StringIO()):
        for name in packages:
            if name in TALKATIVE:
                importlib.import_module(TALKATIVE[name])


def _names(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import | ast.ImportFrom):
        modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names = [alias.name for alias in node.names]
        return [name.split(".")[0] for name in modules + names]
    if isinstance(node, ast.Attribute):
        return [node.attr]
    return [node.id] if isinstance(node, ast.Name) else []
