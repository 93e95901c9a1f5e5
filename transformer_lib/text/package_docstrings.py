"""The docstrings of the installed numpy and torch, a text that every reader has."""

import ast
import importlib.util
import inspect
from collections.abc import Iterable, Iterator
from pathlib import Path

PACKAGES = ("numpy", "torch")
SHORTEST = 100  # characters: what is shorter tells nothing
# numpy brings distutils for some versions of Python only; the others are of others or for tests.
LEFT_OUT = {"tests", "testing", "distutils", "_vendor", "__config__.py"}
# Where torch keeps the docstrings of what is public; its other private files have their own.
OF_TORCH = {"__init__.py", "_torch_docs.py", "_tensor_docs.py", "_tensor.py"}
ADDED = {"add_newdoc", "add_docstr", "add_docstr_all"}  # give a docstring to what is not Python
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def docstrings(packages: Iterable[str] = PACKAGES) -> list[str]:
    """Return each docstring of packages once, read from their files in a fixed order.

    The packages are not imported or run. A package that is not installed is omitted.

    Args:
        packages: the names of the packages.

    Raises:
        ValueError: none of the packages is installed.

    >>> len(docstrings(["numpy"])) > 1000
    True
    """
    asked = tuple(packages)
    folders = {name: folder for name in asked if (folder := _folder(name))}
    if not folders:
        raise ValueError(f"packages must be installed, at least one, but none of {asked} is")
    found = (text for name in folders for text in _of_package(name, folders[name]))
    return list(dict.fromkeys(text for text in found if len(text) >= SHORTEST))


def _folder(package: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    return Path(spec.origin).parent if spec and spec.origin else None


def _of_package(name: str, folder: Path) -> Iterator[str]:
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.py")}
    for short in sorted(files):
        if _counts(name, short.split("/")):
            yield from _of_file(files[short])


def _counts(package: str, parts: list[str]) -> bool:
    private = any(part.startswith("_") and part not in OF_TORCH for part in parts)
    return not LEFT_OUT & set(parts) and not (package == "torch" and private)


def _of_file(path: Path) -> Iterator[str]:
    found = []
    code = path.read_text(encoding="utf-8")
    # To walk through all expressions takes longer than to parse them.
    nodes = ast.walk if any(name in code for name in ADDED) else _statements
    for node in nodes(ast.parse(code)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node, clean=False)):
            found.append((node.body[0].lineno, text))
        elif isinstance(node, ast.Call) and _called(node) in ADDED:
            found.append((node.lineno, _strings(node)))
    # The nodes come in another order than that of the file.
    for _, text in sorted(found):
        yield inspect.cleandoc(text)


def _statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a module and its statements, those in statements too: only these have docstrings."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        for block in ("body", "orelse", "finalbody", "handlers", "cases"):
            todo += getattr(node, block, ())


def _called(call: ast.Call) -> str:
    return getattr(call.func, "id", getattr(call.func, "attr", ""))


def _strings(call: ast.Call) -> str:
    """Return the docstring among the arguments of a call: other strings are names."""
    nodes = [node for argument in call.args for node in ast.walk(argument)]
    strings = [n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return max(strings, key=len, default="")
