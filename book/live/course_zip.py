"""The library, the course and what they import, in one archive that a page's Python unpacks.

The stored models and the corpus lie beside it, each to be fetched by the cell that reads it.
"""

import ast
import functools
import importlib.metadata
import json
import shutil
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from book import corpus
from book.testing import inputs
from course.published import fetch

NAME = "course.zip"

OWN = [
    *["transformer_lib/**/*.py", "transformer_lib/**/*.css", "transformer_lib/**/*.js"],
    *["course/**/*.py", "course/**/*.toml", "assets/course.css", "assets/course.js"],
    "assets/flow/flow.css",
    *["book/__init__.py", "book/live/__init__.py", "book/live/kernel/*.py"],
    *["chapters/*.toml", "chapters/models/*"],
    *["chapters/models/measured/*.toml", "chapters/models/experiments/*", "chapters/*.json"],
    *["chapters/passages.txt", "_toc.yml"],
]
"""Files of this repository."""

MODELS = "chapters/models"
LATE = [
    *[f"{MODELS}/*.safetensors", f"{MODELS}/experiments/*.safetensors", f"{MODELS}/*.csv"],
    *[f"{MODELS}/*.tokenizer.json", f"{MODELS}/*.units.json", "chapters/passages.txt"],
]
"""What is large and read by few cells: empty in the archive, whole beside it."""

PURE = [
    *["ipywidgets", "traitlets", "comm", "jaxtyping", "wadler_lindig", "array-api-compat"],
    *["markdown-it-py", "mdit-py-plugins", "mdurl"],
]
"""Packages of pure Python, in the versions that `requirements/lock.txt` pins."""

IPYTHON = [
    *["display.py", "core/display.py", "core/display_functions.py"],
    *["lib/__init__.py", "lib/display.py", "lib/pretty.py", "testing/skipdoctest.py"],
]
"""The modules of IPython that show something. Its shell, which is large, ours stands in for."""

STAND_INS = {
    "IPython/__init__.py": "version_info = (9, 0, 0)\n\n\ndef get_ipython():\n    return None\n",
    "IPython/core/__init__.py": "",
    "IPython/testing/__init__.py": "",
    "IPython/core/interactiveshell.py": "from book.live.kernel.shell import InteractiveShell\n",
    "transformer_lib/text/package_docstrings.py": "from book.live.kernel.docstrings import *\n",
    "course/published/fetch.py": "from book.live.kernel.published import *\n"
    f"\nSIZE = {fetch.SIZE}\n",
}
PACKAGES = ("matplotlib", "pygments")
"""What is loaded only where a cell needs it."""


def write(vendor: Path, root: Path) -> None:
    """Write the archive, the same bytes for the same files, and the models beside it."""
    with zipfile.ZipFile(vendor / NAME, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(contents(root).items()):
            archive.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED, 9)
    shutil.rmtree(vendor / "models", ignore_errors=True)
    for name, file in late(root).items():
        beside = vendor / name
        beside.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, beside)


def late(root: Path) -> dict[str, Path]:
    """Each file that is fetched when it is opened, by its name in the folder of chapters."""
    found = inputs.files(root, LATE)
    return {file.relative_to(root / "chapters").as_posix(): file for file in found}


def contents(root: Path) -> dict[str, bytes]:
    """Every file of the archive by its name."""
    found = {
        file.relative_to(root).as_posix(): file.read_bytes() for file in inputs.files(root, OWN)
    }
    beside = sorted([*late(root), corpus.NAME])
    found |= {f"chapters/{name}": b"" for name in beside}
    found["late.json"] = json.dumps(beside, indent=0).encode()
    for package in PURE:
        found |= dict(modules(package))
    found |= {name: text.encode() for name, text in STAND_INS.items()}
    ipython = importlib.metadata.distribution("ipython")
    for name in IPYTHON:
        path = Path(str(ipython.locate_file(f"IPython/{name}")))
        found[f"IPython/{name}"] = path.read_bytes()
    own = inputs.files(root, [each for each in OWN if each.endswith("**/*.py")])
    code = {file.as_posix(): file.read_text(encoding="utf-8") for file in own}
    found["brings.json"] = json.dumps(brings(code), indent=0, sort_keys=True).encode()
    return found


def modules(package: str) -> Iterator[tuple[str, bytes]]:
    """The modules of an installed package and its metadata, without its tests."""
    for file in importlib.metadata.distribution(package).files or []:
        is_right = file.suffix == ".py" or file.name == "METADATA"  # which says its version
        if is_right and "tests" not in file.parts and ".." not in file.parts:
            yield file.as_posix(), Path(str(file.locate())).read_bytes()


def brings(code: Mapping[str, str]) -> dict[str, str]:
    r"""The functions that need a package which is loaded late, each with that package.

    A function needs it that imports it, or that calls one which does.

    >>> brings({"a": "def f():\n    import pygments\ndef g():\n    f()\ndef h():\n    pass"})
    {'matplotlib': 'matplotlib', 'pygments': 'pygments', 'f': 'pygments', 'g': 'pygments'}
    """
    found = {name: name for name in PACKAGES}
    functions = [each for text in code.values() for each in _functions(text)]
    while True:
        more = {
            name: found[word]
            for name, used in functions
            for word in sorted(used & found.keys())
            if name not in found
        }
        if not more:
            return found
        found |= more


@functools.cache
def _functions(text: str) -> list[tuple[str, set[str]]]:
    """The functions of a file, each with its words."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    return [(node.name, words(node)) for node in nodes]


def words(function: ast.FunctionDef) -> set[str]:
    """The functions that a function calls by their names, and the packages that it imports."""
    used = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            used.add(node.func.id)
        elif isinstance(node, ast.Import):
            used |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            used.add((node.module or "").split(".")[0])
    return used
