"""Published families of models, to load and save: each has a configuration and a table of names.

Only `load` and `save` need torch, so they are imported only when they are used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from transformer_lib.families.family import Family
from transformer_lib.families.registry import FAMILIES
from transformer_lib.families.sizes import SIZES

if TYPE_CHECKING:
    from transformer_lib.families.files import load, save

__all__ = ["FAMILIES", "SIZES", "Family", "load", "save"]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in ("load", "save"):
            return getattr(import_module("transformer_lib.families.files"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
