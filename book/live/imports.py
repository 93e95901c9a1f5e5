"""What code imports, read from the code, which is not run."""

import ast
from collections.abc import Iterator
from pathlib import Path

from book.paths import ROOT

TOPS = ("transformer_lib", "course", "exercises", "book", "chapters")
"""The folders of the house. Tests and benchmarks may import whatever they like."""


def names(code: str) -> Iterator[str]:
    """The full name of all that code imports, in a function or for a type checker alone too.

    No import of ours is relative: ruff refuses them.
    """
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and _called(node.func) == "import_module":
            yield _start(node.args[0])


def _called(function: ast.expr) -> str:
    """The last name of what is called."""
    return str(getattr(function, "attr", getattr(function, "id", "")))


def _start(name: ast.expr) -> str:
    """What the name of a module that is put together at run time begins with."""
    first = name.values[0] if isinstance(name, ast.JoinedStr) else name
    return str(first.value).rstrip(".") if isinstance(first, ast.Constant) else "importlib"


def files(root: Path = ROOT) -> Iterator[Path]:
    """The modules of the house."""
    for top in TOPS:
        modules = root.glob(f"{top}/**/*.py")
        yield from (path for path in modules if (path.parent / "__init__.py").exists())
