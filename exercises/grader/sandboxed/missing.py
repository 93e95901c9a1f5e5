"""Replace a module that the judge does not have, so that only its use raises an error.

Only the cells of a notebook get it: a library that looks for another one has to learn that it is
not there, and so has a cell that imports inside of `try`.
"""

import ast
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any, NoReturn

from exercises.grader.sandboxed.nothing import Importer, StandIn


class Missing(StandIn):
    """It does nothing."""


def _used(self: Missing, *_: Any, **named: Any) -> NoReturn:
    module = self.__name__.partition(".")[0]
    raise ModuleNotFoundError(f"the answer uses the module {module}, which the judge does not have")


for _name in "call getitem iter len contains enter exit mro_entries".split():
    setattr(Missing, f"__{_name}__", _used)


class Absent(Importer):
    """This imports what no other finder found, if a cell imports it."""

    stand_in = Missing

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
        return self.spec(name) if is_ours and self._is_of_cell() else None

    def _is_of_cell(self) -> bool:
        frame = sys._getframe(2)
        while frame.f_back and frame.f_code.co_filename.startswith("<frozen importlib"):
            frame = frame.f_back
        return frame.f_code.co_filename.startswith(self.cells)


def _imported(part: ast.AST) -> set[str]:
    """Return the modules that a statement imports, by their first names."""
    found = set()
    for node in ast.walk(part):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or ""}
    return {name.partition(".")[0] for name in found}
