"""Replace a module that the judge does not have, so that only its use raises an error.

Only the cells of a notebook get it: a library that looks for another one has to learn that it is
not there, and so has a cell that imports inside of `try`.
"""

import ast
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn


class Missing(ModuleType):
    """It has every attribute, which may be imported too, and does nothing."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> "Missing":
        """Return the stand-in for a part of the module."""
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self.__name__}.{name}")


def _used(self: Missing, *_: Any, **named: Any) -> NoReturn:
    module = self.__name__.partition(".")[0]
    raise ModuleNotFoundError(f"the answer uses the module {module}, which the judge does not have")


for _name in "call getitem iter len contains enter exit mro_entries".split():
    setattr(Missing, f"__{_name}__", _used)


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """This imports what no other finder found, if a cell imports it."""

    def __init__(self, cells: str) -> None:
        self.cells, self.tried = cells, set[str]()

    def read(self, text: str) -> None:
        """Record what a cell imports inside of `try`."""
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Try):
                self.tried.update(name for part in node.body for name in _imported(part))

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the loader of a module that does not exist here."""
        parent = name.rpartition(".")[0]
        is_ours = isinstance(sys.modules.get(parent), Missing) if parent else name not in self.tried
        if not is_ours or not self._is_of_cell():
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def _is_of_cell(self) -> bool:
        frame = sys._getframe(2)
        while frame.f_back and frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        return frame.f_code.co_filename.startswith(self.cells)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return the module."""
        return Missing(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing, because there is nothing to run."""


def _imported(part: ast.AST) -> set[str]:
    """Return the modules that a statement imports, by their first names."""
    found = set()
    for node in ast.walk(part):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or ""}
    return {name.partition(".")[0] for name in found}
