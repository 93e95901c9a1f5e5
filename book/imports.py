"""Which room imports which, and what comes from outside: read from the code, which is not run."""

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path

from book.paths import ROOT

TOPS = ("transformer_lib", "course", "exercises", "book", "chapters")
"""The folders of the house. Tests and benchmarks may import whatever they like."""

Imports = dict[str, set[str]]


def arrows(root: Path = ROOT) -> Imports:
    """Each room, by its dotted name, with the other rooms that it imports."""
    found = _imports(root)
    return {room: (names & set(found)) - {room} for room, names in found.items()}


def outside(root: Path = ROOT) -> Imports:
    """Each room with the packages that it imports and that are neither ours nor Python's own."""
    found = _imports(root)
    return {room: names - set(found) - sys.stdlib_module_names for room, names in found.items()}


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


def _imports(root: Path) -> Imports:
    """Each room with the rooms, itself too, and the outside packages that it imports."""
    found: Imports = {room: set() for room in _rooms(root)}
    for path in [*files(root), *root.glob("chapters/*.ipynb")]:
        home = _room(".".join(path.relative_to(root).parent.parts), found)
        found[home] |= {_room(name, found) for name in names(_code(path))}
    return found


def _rooms(root: Path) -> Iterator[str]:
    """Every folder of the house, and every package right inside one."""
    for top in TOPS:
        yield top
        yield from (f"{top}.{path.parent.name}" for path in root.glob(f"{top}/*/__init__.py"))


def files(root: Path = ROOT) -> Iterator[Path]:
    """The modules of the house."""
    for top in TOPS:
        modules = root.glob(f"{top}/**/*.py")
        yield from (path for path in modules if (path.parent / "__init__.py").exists())


def _code(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return text
    cells = [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]
    return "\n".join("".join(cell["source"]) for cell in cells)


def _room(name: str, rooms: Imports) -> str:
    """The innermost room that a dotted name lies in, or the outside package that it starts with."""
    parts = name.split(".")
    for size in range(len(parts), 0, -1):
        if (room := ".".join(parts[:size])) in rooms:
            return room
    return parts[0]
