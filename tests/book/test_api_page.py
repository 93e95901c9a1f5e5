"""The page of the library names whatever the library exports, each with a docstring."""

import doctest
import re
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

import transformer_lib
from book import api
from book.paths import ROOT, html_folder
from course import languages, ledger, questions, training as toy_training
from transformer_lib import families, nn, plot, text, training, widgets

PACKAGES = [
    *(transformer_lib, nn, families, ledger, questions, plot, widgets, languages, text),
    *(training, toy_training),
]
PAGE = html_folder() / "chapters" / "api.html"
SETUP = 5  # lines of the first example, before the ten
SHOWN_ONCE = {"nn.Configuration"}  # the same class as transformer_lib.Configuration
DIRECTIVE = r"^\.\. (?:py:|auto)?(class|function|data|currentmodule):: (\S+)"

package = pytest.mark.parametrize("package", PACKAGES, ids=lambda p: p.__name__)


def listed() -> list[str]:
    """The full names that the page lists, in order."""
    module, names = "", []
    text = (ROOT / "chapters" / "api.md").read_text(encoding="utf-8")
    for kind, name in re.findall(DIRECTIVE, text, re.MULTILINE):
        if kind == "currentmodule":
            module = name
        else:
            names.append(f"{module}.{name}")
    return names


def public(package: ModuleType) -> list[str]:
    names = [f"{package.__name__}.{name}" for name in package.__all__]
    return [name for name in names if name.removeprefix("transformer_lib.") not in SHOWN_ONCE]


@package
def test_every_public_name_is_listed_once(package: ModuleType) -> None:
    names = listed()
    assert {name: names.count(name) for name in public(package)} == dict.fromkeys(
        public(package), 1
    )


def test_the_page_is_what_the_exports_make_of_it() -> None:
    written = (ROOT / "chapters" / "api.md").read_text(encoding="utf-8")
    assert written == api.page(), "run: python -m book.api"


def test_the_examples_of_the_ten_names_give_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written = api.TEN_NAMES.read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(written, {}, "ten_names.md", None, None)
    said: list[str] = []
    failed, ran = doctest.DocTestRunner().run(test, out=said.append)
    assert not failed and ran == SETUP + 2 * 10, "".join(said)


def test_each_of_the_ten_names_leads_to_its_entry() -> None:
    written = api.TEN_NAMES.read_text(encoding="utf-8")
    found = re.findall(r"^\{py:(\w+)\}`[\w.]+ <([\w.]+)>`", written, re.MULTILINE)
    assert len({name for _, name in found}) == len(found) == 10
    entries = [name.rpartition(".")[0] if role == "meth" else name for role, name in found]
    assert set(entries) - set(listed()) == set()


def test_the_steps_of_a_formula_have_their_entry_too() -> None:
    assert {"transformer_lib.AttentionSteps", "transformer_lib.LayerNormSteps"} <= set(listed())
    assert "AttentionSteps" not in transformer_lib.__all__


@package
def test_every_public_name_has_a_docstring_of_its_own(package: ModuleType) -> None:
    for name in package.__all__:
        found = getattr(package, name)
        if callable(found):
            assert (found.__doc__ or "").strip(), name
            assert not found.__doc__.startswith(f"{name}("), name  # made up by dataclass


@pytest.fixture(scope="module")
def built() -> str:
    """The built page."""
    if not PAGE.exists():
        pytest.skip("there is no book: call make book first")
    return PAGE.read_text(encoding="utf-8")


@package
def test_the_built_page_shows_every_public_name(package: ModuleType, built: str) -> None:
    ids = set(re.findall(r'id="((?:transformer_lib|course)\.[\w.]+)"', built))
    assert set(public(package)) - ids == set()


def test_source_leads_from_each_function_to_its_lines(built: str) -> None:
    """The second of the two hops from a number on a page to the line that computes it."""
    links = set(re.findall(r'href="([^"]*_modules/[^"]*)"', built))
    found = [getattr(transformer_lib, name) for name in transformer_lib.__all__]
    functions = [each for each in found if isinstance(each, FunctionType)]
    assert len(functions) > 40
    for function in functions:
        path = f"../_modules/{function.__module__.replace('.', '/')}.html"
        assert f"{path}#{function.__name__}" in links
        assert f'id="{function.__name__}"' in (PAGE.parent / path).read_text(encoding="utf-8")
