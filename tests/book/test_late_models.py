"""A model reaches a page when a cell opens its file, once, however it is opened."""

import json
import os
from pathlib import Path

import pytest

from book import course_zip
from book.kernel import late
from book.paths import ROOT

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
    models = tmp_path / "models"
    files = {path.relative_to(models).as_posix(): path for path in models.rglob("*.*")}
    beside = {name: path.read_bytes() for name, path in files.items()}
    found = course_zip.contents(ROOT)
    assert set(json.loads(found["late.json"])) == set(beside)
    assert {
        "translation.safetensors",
        "experiments/prompts.safetensors",
        "real_text.units.json",
    } <= set(beside)
    for name, data in beside.items():
        assert found[f"chapters/models/{name}"] == b""
        assert data == (ROOT / "chapters/models" / name).read_bytes() != b""
