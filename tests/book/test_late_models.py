"""A model or the corpus reaches a page when a cell opens its file, once, however it is opened."""

import functools
import json
import os
import zipfile
from pathlib import Path

import pytest

from book import corpus
from book.live import course_zip
from book.live.kernel import docstrings as in_a_page, late
from book.paths import ROOT
from transformer_lib import text
from transformer_lib.text import package_docstrings

NAMES = ["one.safetensors", "two.safetensors"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in NAMES:
        (tmp_path / name).touch()
    return tmp_path


def test_a_file_is_fetched_when_it_is_opened_and_once(folder, monkeypatch):
    asked = []
    late.fill(folder, NAMES, lambda name: asked.append(name) or name.encode())
    assert asked == []
    monkeypatch.chdir(folder)
    assert Path("one.safetensors").read_bytes() == b"one.safetensors"
    with open(os.fspath(folder / "one.safetensors"), "rb") as again:
        assert again.read() == b"one.safetensors"
    assert asked == ["one.safetensors"]
    assert (folder / "two.safetensors").stat().st_size == 0


def test_another_file_is_left_alone(folder):
    late.fill(folder, NAMES, lambda name: pytest.fail(f"{name} was fetched"))
    (folder / "other").write_text("own", encoding="utf-8")
    assert (folder / "other").read_text(encoding="utf-8") == "own"


def test_who_has_no_network_hears_so_and_may_ask_again(folder):
    answers = [OSError("no network"), b"numbers"]

    def fetch(name: str) -> bytes:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer

    late.fill(folder, NAMES, fetch)
    with pytest.raises(OSError, match="no network"):
        (folder / "two.safetensors").read_bytes()
    assert (folder / "two.safetensors").read_bytes() == b"numbers"


def test_the_archive_has_the_models_empty_and_beside_it_they_are_whole(tmp_path):
    course_zip.write(tmp_path, ROOT)
    files = {path.relative_to(tmp_path).as_posix(): path for path in tmp_path.rglob("*.*")}
    del files[course_zip.NAME]
    beside = {name: path.read_bytes() for name, path in files.items()}
    found = course_zip.contents(ROOT)
    assert set(json.loads(found["late.json"])) == {*beside, "corpus/docstrings.zip"}
    assert {
        "models/translation.safetensors",
        "models/experiments/prompts.safetensors",
        "models/real_text.units.json",
        "passages.txt",
    } <= set(beside)
    for name, data in beside.items():
        assert found[f"chapters/{name}"] == b""
        assert data == (ROOT / "chapters" / name).read_bytes() != b""


SOME = ("numpy", "traitlets")
"""Packages that are quickly read."""


@pytest.fixture(scope="module", autouse=True)
def _each_file_is_read_once():
    of_file = package_docstrings._of_file
    once = functools.cache(lambda path: list(of_file(path)))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(package_docstrings, "_of_file", once)
        yield


@pytest.fixture(scope="module")
def vendor(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("vendor")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(corpus, "PACKAGES", SOME)
        corpus.ensure(folder)
    return folder


@pytest.fixture
def of_the_page(vendor, monkeypatch) -> Path:
    """The corpus as a page has it."""
    monkeypatch.setattr(corpus, "PACKAGES", SOME)
    monkeypatch.setattr(in_a_page, "FILE", vendor / corpus.NAME)
    return vendor / corpus.NAME


@pytest.mark.parametrize("packages", [["numpy"], ["traitlets", "numpy"], ["absent", "traitlets"]])
def test_a_page_has_the_docstrings_of_the_packages(of_the_page, packages):
    assert in_a_page.docstrings(packages) == text.docstrings(packages) != []
    with pytest.raises(ValueError, match="at least one"):
        in_a_page.docstrings(["absent"])


def test_the_corpus_comes_with_its_licenses_and_is_made_once(of_the_page, monkeypatch):
    terms = of_the_page.with_name("licenses.txt").read_text(encoding="utf-8")
    assert "NumPy Developers" in terms and "IPython Development Team" in terms
    with zipfile.ZipFile(of_the_page) as archive:
        assert archive.read("licenses.txt").decode() == terms
    monkeypatch.setattr(corpus, "docstrings", lambda _: pytest.fail("it was read again"))
    corpus.ensure(of_the_page.parents[1])
    monkeypatch.setattr(corpus, "versions", lambda: "numpy 9")
    with pytest.raises(pytest.fail.Exception):
        corpus.ensure(of_the_page.parents[1])
