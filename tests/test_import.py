"""What the library imports, and what runs where torch is not."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def run(code: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_importing_the_library_imports_nothing_heavy() -> None:
    modules = set(run("import sys, transformer_lib; print(*sys.modules)").split())
    heavy = {
        "torch",
        "ipywidgets",
        "matplotlib",
        "IPython",
        "pandas",
        "scipy",
        "safetensors",
        "yaml",
    }
    assert "transformer_lib" in modules
    assert not (heavy | {"course"}) & modules


def test_families_tell_their_sizes_where_torch_cannot_be_imported() -> None:
    code = """
import sys
sys.modules["torch"] = None
from math import prod
import transformer_lib as tl
from transformer_lib.families import FAMILIES, SIZES
print("llama" in FAMILIES, sum(map(prod, tl.parameter_shapes(SIZES["GPT-2, small"]).values())))
"""
    assert run(code).split() == ["True", "124439808"]


@pytest.mark.parametrize("package", ["nn", "training"])
def test_a_package_that_needs_torch_says_how_to_get_it(package: str) -> None:
    said = run(
        """
import sys
sys.modules["torch"] = None
import importlib
try:
    importlib.import_module("transformer_lib." + sys.argv[1])
except ModuleNotFoundError as error:
    print(error)
""",
        package,
    )
    assert "needs torch, which is not installed: pip install torch" in said


OLD = """
import sys
import transformer_lib as tl
from transformer_lib.languages.review import WORDS
from transformer_lib.languages.typed_words import read_words
from transformer_lib.languages import AgreementLanguage
assert "torch" not in sys.modules
from transformer_lib.training import Settings, draws_from, measures, train
from transformer_lib.training.diagnostics import impossible_share
import course.languages.review, course.training.diagnostics
assert AgreementLanguage is course.languages.AgreementLanguage
assert WORDS is course.languages.review.WORDS
assert impossible_share is course.training.diagnostics.impossible_share
assert draws_from is course.training.draws_from and measures is course.training.measures
assert course.languages.__spec__.name == course.languages.__name__ == "course.languages"
assert not hasattr(tl.training, "another")
"""


def test_code_from_before_the_toy_languages_moved_finds_them() -> None:
    run(OLD)


def test_no_text_installs_by_a_name_that_was_never_published() -> None:
    """Another package has the name of ours, so what pip would fetch by name is not this one."""
    names = r"(?<![\w./-])(transformer[-_]lib|worked[-_]transformer)\b(?![-_\w]*\.whl|/)"
    words = ["git", "grep", "-nP", rf"pip3? (install|download) [^`]*{names}"]
    found = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    assert (found.stdout, found.stderr) == ("", "")
