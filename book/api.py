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
# title, room of the files, what stands under the title
PARTS = [
    (
        "Formulas",
        "transformer_lib.formulas",
        "Functions of arrays, without state.",
    ),
    (
        "The model",
        "transformer_lib.model",
        "The same formulas as one model: functions of parameters by name and a configuration.",
    ),
    (
        "Decoding",
        "transformer_lib.decoding",
        "From logits to tokens. Each method asks a function `next_logits(prefix)`.",
    ),
    (
        "Torch modules",
        "transformer_lib.nn",
        "Modules that hold parameters and run the formulas, in `transformer_lib.nn`; needs torch.\n"
        "`nn.Configuration` is {py:class}`transformer_lib.Configuration`.",
    ),
    (
        "Families",
        "transformer_lib.families",
        "Published models, in `transformer_lib.families`. `families.load(path)` reads one into a\n"
        "`Transformer`, `families.save(model, path, family)` writes one, and both need torch.",
    ),
    (
        "Displays",
        "transformer_lib.plot",
        "What a notebook shows, in `transformer_lib.plot`.",
    ),
    (
        "Widgets",
        "transformer_lib.widgets",
        "What a notebook lets you move, in `transformer_lib.widgets`, which needs ipywidgets.",
    ),
    (
        "Text",
        "transformer_lib.text",
        "Tokenizers and a corpus of real text, in `transformer_lib.text`; no torch is needed.",
    ),
    (
        "Scale",
        "transformer_lib.scaling",
        "What a model costs, and power laws of its loss, in `transformer_lib.scaling`;\n"
        "no torch is needed.",
    ),
    (
        "Training",
        "transformer_lib.training",
        "What makes a model learn, in `transformer_lib.training`; it needs torch. From the shell,\n"
        "`python -m transformer_lib.training CONFIG.toml` trains what a TOML file describes and\n"
        "keeps it beside the file; `--out DIR` writes elsewhere, `--resume` goes on where a run\n"
        "was stopped.",
    ),
    (
        "Pre-training",
        "transformer_lib.pretraining",
        "What a model reads and what it shall say, in `transformer_lib.pretraining`; no torch is\n"
        "needed. The floors are the least losses that are possible.",
    ),
    (
        "Transfer",
        "transformer_lib.transfer",
        "What a pre-trained model is given to do, in `transformer_lib.transfer`; needs torch.",
    ),
    (
        "Toy languages",
        "course.languages",
        "Languages whose every probability is known, in `course.languages`.",
    ),
    (
        "Models of toy languages",
        "course.training",
        "Batches of toy languages, and how good a model of one is, in `course.training`;\n"
        "needs torch.",
    ),
    (
        "The ledger",
        "course.ledger",
        "Every number that the lecture notes print in a worked example, beside our own, in\n"
        "`course.ledger`.",
    ),
    (
        "Questions",
        "course.questions",
        "What a chapter asks, judged in the page, in `course.questions`.",
    ),
]
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
    return "\n".join([OPENING, *(_part(*part) for part in PARTS)])


def _part(title: str, room: str, about: str) -> str:
    exported = importlib.import_module(room)
    sections = [_section(module, exported) for module in _modules(room)]
    return f"## {title}\n\n{about}\n{_old_links(exported)}" + "".join(sections)


def _old_links(package: ModuleType) -> str:
    """Return what a link leads to that was made before the names of a package moved."""
    if package.__name__ not in MOVED:
        return ""
    ids = [f"{MOVED[package.__name__]}.{name}" for name in package.__all__]
    return "\n" + "\n".join(f'<span id="{each}"></span>' for each in ids) + "\n"


def _modules(room: str) -> Iterator[ModuleType]:
    folder = ROOT / room.replace(".", "/")
    for path in sorted(folder.glob("*.py")):
        if not path.stem.startswith("__"):
            yield importlib.import_module(f"{room}.{path.stem}")


def _section(module: ModuleType, package: ModuleType) -> str:
    lines = [line for name in vars(module) for line in _entry(name, module, package)]
    if not lines and package.__name__ != "transformer_lib":
        return _section(module, transformer_lib)  # which exports a few names of every room
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
