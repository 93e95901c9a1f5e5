"""Which cells of a notebook cannot run where torch is missing."""

import ast
import functools
import symtable
from collections.abc import Iterator, Sequence
from pathlib import Path

from book.paths import ROOT

TAG = "needs-torch"
"""The tag of a cell that needs torch although its code does not show it."""

TOPS = ("transformer_lib", "course", "exercises", "book", "chapters")
"""The folders of code. Tests and benchmarks may import whatever they like."""


def needing_torch(cells: Sequence[tuple[str, Sequence[str]]]) -> list[bool]:
    """Say of each cell, given as its code and its tags, whether it needs torch.

    A cell needs it that imports it, or that uses a name which such a cell made.

    >>> needing_torch([("import torch", []), ("x = torch.ones(2)", []), ("y = 1", []), ("x", [])])
    [True, True, False, True]
    """
    lost: set[str] = set()
    found = []
    for code, tags in cells:
        taken, left, imports = _read(code)
        need = TAG in tags or imports or bool(taken & lost)
        lost = lost | left if need else lost - left
        found.append(need)
    return found


@functools.cache  # a build asks about each cell four times
def _read(code: str) -> tuple[set[str], set[str], bool]:
    """The names that a cell takes and leaves behind, and whether it imports torch."""
    return *names(ast.parse(code)), imports_torch(code)


def imports_torch(code: str) -> bool:
    """Whether a cell imports torch or a module that cannot be imported without it."""
    return any(steps(name) & without() for name in imported(code))


@functools.cache
def without(root: Path = ROOT) -> frozenset[str]:
    """The modules that import torch when they are imported, and torch itself.

    An import inside a function or for a type checker alone does not count.
    """
    modules = {}
    for path in modules_of(root):
        name = ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")
        tree = ast.parse(path.read_text(encoding="utf-8"))
        top = [each for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
        code = ast.unparse(ast.Module(top, []))  # type: ignore[arg-type]
        modules[name] = set().union(steps(name), *map(steps, imported(code)))
    lost = {"torch"}
    while more := {name for name, used in modules.items() if used & lost} - lost:
        lost |= more
    return frozenset(lost)


def imported(code: str) -> Iterator[str]:
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


def modules_of(root: Path = ROOT) -> Iterator[Path]:
    """The modules of the repository."""
    for top in TOPS:
        modules = root.glob(f"{top}/**/*.py")
        yield from (path for path in modules if (path.parent / "__init__.py").exists())


def steps(name: str) -> set[str]:
    """A module and the packages that are imported with it.

    >>> sorted(steps("a.b.c"))
    ['a', 'a.b', 'a.b.c']
    """
    parts = name.split(".")
    return {".".join(parts[:end]) for end in range(1, len(parts) + 1)}


def names(tree: ast.Module) -> tuple[set[str], set[str]]:
    r"""The names that a cell takes from the cells before it, and those that it leaves behind.

    >>> taken, left = names(ast.parse("a = b\nc = [a + d for d in e]"))
    >>> sorted(taken), sorted(left)
    (['b', 'e'], ['a', 'c'])
    """
    taken: set[str] = set()
    left: set[str] = set()
    for statement in tree.body:
        table = symtable.symtable(ast.unparse(statement), "<cell>", "exec")
        taken |= {each.get_name() for each in read(table)} - left
        if isinstance(statement, ast.AugAssign):  # it reads what it writes
            taken |= {each.get_name() for each in table.get_symbols() if each.is_assigned()} - left
        left |= {
            each.get_name()
            for each in table.get_symbols()
            if each.is_assigned() or each.is_imported()
        }
    return taken, left


def read(table: symtable.SymbolTable) -> Iterator[symtable.Symbol]:
    """The names of the notebook that a statement reads, the insides of its functions included."""
    for symbol in table.get_symbols():
        own = table.get_type() == "module" or symbol.is_global()
        if own and symbol.is_referenced():
            yield symbol
    for inner in table.get_children():
        yield from read(inner)
