"""Modules that had another name: code and pickles that were written then still find them.

This table alone knows the course, and nothing is imported from there before it is asked for.
"""

import sys
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MODULES = {
    "transformer_lib.formulas.feed_forward": "transformer_lib.formulas.block",
    "transformer_lib.formulas.layer": "transformer_lib.formulas.block",
    "transformer_lib.formulas.multi_head": "transformer_lib.formulas.attention",
    "transformer_lib.formulas.sublayer": "transformer_lib.formulas.block",
    "transformer_lib.nn.layer": "transformer_lib.nn.block",
    "transformer_lib.nn.stack": "transformer_lib.nn.block",
    "transformer_lib.nn.sublayers": "transformer_lib.nn.block",
    "transformer_lib.languages.vocabulary": "transformer_lib.model.vocabulary",
    "transformer_lib.languages.typed_words": "transformer_lib.model.vocabulary",
    "transformer_lib.languages": "course.languages",
    "transformer_lib.training.data": "course.training.data",
    "transformer_lib.training.diagnostics": "course.training.diagnostics",
    "transformer_lib.training.evaluation": "course.training.evaluation",
}
TRAINING = (
    "agreement_accuracy batch_of draws_from exact_match fill first_word held_out_sentences"
    " loss_floor measures translate"
).split()
"""Names of `transformer_lib.training` that are of `course.training` now."""


def module(name: str) -> Any:
    """Import a module, and say where the course is if it is of the course and not there."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name != "course":
            raise
        raise ModuleNotFoundError(
            "the toy languages are part of the course, not of this package: run this in a clone of "
            "the repository of the course, installed with pip install -e .",
            name="course",
        ) from None


class Finder(MetaPathFinder, Loader):
    """Finds a module that has moved under its old name: both names are one module."""

    def find_spec(
        self, fullname: str, path: Any, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return a spec for an old name, or None."""
        return ModuleSpec(fullname, self) if _new(fullname) else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return the module of the new name."""
        found: ModuleType = module(_new(spec.name))
        spec.loader_state = found.__spec__
        return found

    def exec_module(self, module: ModuleType) -> None:
        """Give the module the spec of its new name back: it has run."""
        if module.__spec__ is not None:
            module.__spec__ = module.__spec__.loader_state


def _new(name: str) -> str:
    """Return the new name of a module, or "" where it has none."""
    for old, new in MODULES.items():
        if name == old or name.startswith(f"{old}."):
            return new + name.removeprefix(old)
    return ""


sys.meta_path.insert(0, Finder())
