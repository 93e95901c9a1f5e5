"""Write the page of the library from what it exports: `python -m book.api`."""

import argparse
import importlib
import inspect
import sys
from collections.abc import Iterator, Sequence
from types import ModuleType
from typing import Any

import transformer_lib
from book.paths import ROOT
from transformer_lib.model.block import Part
from transformer_lib.moved import MODULES

PAGE = ROOT / "chapters" / "api.md"
TEN_NAMES = ROOT / "book" / "ten_names.md"  # whose examples a test runs
OPENING = """# The library, name by name

Every public name of `transformer_lib`, and of `course` where a chapter calls it, with the text of
its docstring. The names are grouped by file, and **[source]** leads to the lines themselves.

```python
import transformer_lib as tl

output = tl.attention(Q, K, V)
```

Every function takes numpy arrays or torch tensors and returns the same kind. Tokens are rows; `...`
in a shape is any number of batch axes, also none; {doc}`notation` gives the letters.
Integers are promoted to floats. Whatever does not fit is a `ValueError` that names the argument,
what it was and what it must be. The attribute `formula` of a function is the
same without its checks, for callers that have checked.
"""
PACKAGES = {
    "Formulas": "transformer_lib.formulas",
    "The model": "transformer_lib.model",
    "Decoding": "transformer_lib.decoding",
    "Torch modules": "transformer_lib.nn",
    "Families": "transformer_lib.families",
    "Displays": "transformer_lib.plot",
    "Widgets": "transformer_lib.widgets",
    "Text": "transformer_lib.text",
    "Scale": "transformer_lib.scaling",
    "Training": "transformer_lib.training",
    "Pre-training": "transformer_lib.pretraining",
    "Transfer": "transformer_lib.transfer",
    "Toy languages": "course.languages",
    "Models of toy languages": "course.training",
    "The ledger": "course.ledger",
    "Questions": "course.questions",
}
"""The package of each part of the page; its docstring is the text below the title."""

MORE = {
    "transformer_lib.decoding": "Each method asks a function `next_logits(prefix)`.",
    "transformer_lib.nn": "`nn.Configuration` is {py:class}`transformer_lib.Configuration`.",
    "transformer_lib.families": "`families.load(path)` reads one into a `Transformer`, and\n"
    "`families.save(model, path, family)` writes one.",
    "transformer_lib.widgets": "The widgets need ipywidgets.",
    "transformer_lib.scaling": "No torch is needed.",
    "transformer_lib.text": "No torch is needed.",
    "transformer_lib.training": "From the shell, `python -m transformer_lib.training CONFIG.toml`\n"
    "trains the model of a TOML file and stores it in the same folder; `--out DIR` names another\n"
    "folder, `--resume` continues a run that was stopped.",
    "transformer_lib.pretraining": "A floor is the least loss that is possible.",
}
"""What stands below that docstring on the page."""

DATA = {
    "transformer_lib.families.FAMILIES": "The families that there are, by their `model_type`.",
    "transformer_lib.families.SIZES": "The sizes of published models, as configurations by name.",
    "course.ledger.PATH": "The file that lists them, `chapters/worked_numbers.toml`.",
    "course.ledger.CHAPTERS": "The names of the chapters, in the order of the book.",
}
MOVED = {
    "course.languages": "transformer_lib.languages",
    "course.training": "transformer_lib.training",
}
"""Packages with the name that they had."""


def page() -> str:
    """Return the whole page."""
    first = [OPENING, TEN_NAMES.read_text(encoding="utf-8")]
    return "\n".join([*first, *(_part(*part) for part in PACKAGES.items())])


def _part(title: str, package: str) -> str:
    exported = importlib.import_module(package)
    own = f"Import these names from `{package}`." if hasattr(exported, "__all__") else ""
    about = "\n".join(filter(None, [inspect.getdoc(exported), own, MORE.get(package)]))
    sections = [_section(module, exported) for module in _modules(package)]
    return f"## {title}\n\n{about}\n{_old_links(exported)}" + "".join(sections)


def _old_links(package: ModuleType) -> str:
    """Return what a link leads to that was made before the names of a package moved."""
    if package.__name__ not in MOVED:
        return ""
    ids = [f"{MOVED[package.__name__]}.{name}" for name in package.__all__]
    return "\n" + "\n".join(f'<span id="{each}"></span>' for each in ids) + "\n"


def _modules(package: str) -> Iterator[ModuleType]:
    folder = ROOT / package.replace(".", "/")
    for path in sorted(folder.glob("*.py")):
        if not path.stem.startswith("__"):
            yield importlib.import_module(f"{package}.{path.stem}")


def _section(module: ModuleType, package: ModuleType) -> str:
    lines = [line for name in vars(module) for line in _entry(name, module, package)]
    if not lines and package.__name__ != "transformer_lib":
        return _section(module, transformer_lib)  # which exports a few names of every package
    if not lines:
        return ""
    head = [f".. automodule:: {module.__name__}", "   :no-members:", "   :no-index:", ""]
    body = "\n".join([*head, f".. currentmodule:: {package.__name__}", "", *lines])
    olds = [old.rpartition(".")[2] for old, new in MODULES.items() if new == module.__name__]
    links = "".join(f'\n<span id="{old.replace("_", "-")}"></span>\n' for old in olds)
    return f"{links}\n### {module.__name__.rpartition('.')[2]}\n\n```{{eval-rst}}\n{body}\n```\n"


def _entry(name: str, module: ModuleType, package: ModuleType) -> list[str]:
    """Return the lines of a name that the module defines and the package exports."""
    found: Any = getattr(module, name)
    if getattr(package, name, None) is not found:
        return []
    full = f"{package.__name__}.{name}"
    if full in DATA and module.__name__.endswith((".entries", ".registry", ".sizes")):
        return [f".. py:data:: {name}", "", f"   {DATA[full]}", ""]
    if getattr(found, "__module__", "") != module.__name__:
        return []
    if inspect.isfunction(found):
        return [f".. autofunction:: {name}"]
    if not inspect.isclass(found):
        return []
    steps = issubclass(found, tuple)  # whose fields say nothing that the docstring does not
    shown = [] if steps else ["   :members:"]
    if issubclass(found, Part):
        shown.append("   :inherited-members: Parametrized")
    return [f".. autoclass:: {name}", *shown]


def main(words: Sequence[str] | None = None) -> int:
    """Write the page."""
    argparse.ArgumentParser(prog="python -m book.api", description=__doc__).parse_args(words)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"Wrote {PAGE.relative_to(ROOT)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
