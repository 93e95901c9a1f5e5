"""Replace modules that draw, and the shell of a notebook, by an object that does nothing.

Code that draws asks figures for axes, limits and colors, and computes with them. The solution
below it in the same cell should still run.
"""

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterator
from opcode import opmap
from types import FrameType, ModuleType
from typing import Any

UNPACK = opmap["UNPACK_SEQUENCE"]


class StandIn(ModuleType):
    """It has every attribute, and each may be imported too."""

    def __init__(self, name: str = "nothing") -> None:
        super().__init__(name)
        self.__path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        """Return the stand-in for a part of the module."""
        if name.startswith("__"):
            raise AttributeError(name)
        return type(self)(f"{self.__name__}.{name}")


class Importer(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """This imports stand-ins; the classes that derive from it decide in the place of what."""

    stand_in: type[StandIn]

    def spec(self, name: str) -> importlib.machinery.ModuleSpec:
        """Return what makes Python import a stand-in under this name."""
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return the module."""
        return self.stand_in(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing, because there is nothing to run."""


class Nothing(StandIn):
    """It can be called, looped over and computed with, and shows nothing."""

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Return another one; a function that it decorates stays as it is."""
        return args[0] if len(args) == 1 and not named and callable(args[0]) else Nothing("it")

    def __iter__(self) -> Iterator[Any]:
        """Return as many items as are unpacked, or else two."""
        return iter([Nothing() for _ in range(_unpacked(sys._getframe(1)))])

    def __len__(self) -> int:
        """Return two."""
        return 2

    def __getitem__(self, place: Any) -> Any:
        """Return another one."""
        return Nothing("item")

    def __setitem__(self, place: Any, value: Any) -> None:
        """Ignore the item."""

    def __contains__(self, value: Any) -> bool:
        """Return False."""
        return False

    def __enter__(self) -> Any:
        """Return itself."""
        return self

    def __exit__(self, *error: Any) -> None:
        """Suppress no error."""

    def __float__(self) -> float:
        """Return 0."""
        return 0.0

    def __index__(self) -> int:
        """Return 0."""
        return 0

    def __format__(self, form: str) -> str:
        """Return what 0 looks like in this form."""
        return format(0.0, form)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        """Return two zeros; numpy would otherwise look into the parts of the parts for ever."""
        import numpy as np

        return np.zeros(2, dtype)


def _unpacked(frame: FrameType) -> int:
    """Return how many names the caller unpacks into."""
    code, place = frame.f_code.co_code, frame.f_lasti
    return code[place + 1] if code[place] == UNPACK else 2


def _another(self: Nothing, *others: Any) -> Nothing:
    return Nothing()


def _no(self: Nothing, other: Any) -> bool:
    return False


for _name in "add sub mul truediv floordiv mod pow matmul and or".split():
    setattr(Nothing, f"__{_name}__", _another)
    setattr(Nothing, f"__r{_name}__", _another)
for _name in "neg pos abs round".split():
    setattr(Nothing, f"__{_name}__", _another)
for _name in "lt le gt ge".split():
    setattr(Nothing, f"__{_name}__", _no)
