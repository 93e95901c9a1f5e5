"""The wheels of the page's Python: from a folder or over the network, and never another file."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from book.live import wheels
from book.serve import served

FILES = {"numpy": b"numbers", "matplotlib": b"charts", "six": b"six", "pygments": b"colors"}
DEPENDS = {"matplotlib": ["numpy", "six"]}


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYODIDE_DIST", raising=False)
    monkeypatch.setattr(wheels, "DISTRIBUTION", "http://127.0.0.1:9/{version}/")


@pytest.fixture
def into(tmp_path: Path) -> Path:
    """The core with its lock."""
    core = tmp_path / "checkout" / "core"
    core.mkdir(parents=True)
    packages = {
        name: {
            "file_name": f"{name}.whl",
            "sha256": hashlib.sha256(data).hexdigest(),
            "depends": DEPENDS.get(name, []),
        }
        for name, data in FILES.items()
    }
    packages["scipy"] = {"file_name": "scipy.whl", "sha256": "", "depends": []}
    lock = {"info": {"version": "1"}, "packages": packages}
    (core / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")
    return core


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of wheels that PYODIDE_DIST names."""
    made = tmp_path / "wheels"
    made.mkdir()
    monkeypatch.setenv("PYODIDE_DIST", str(made))
    for name, data in FILES.items():
        (made / f"{name}.whl").write_bytes(data)
    return made


def names(core: Path) -> list[str]:
    return sorted(path.name for path in core.glob("*.whl*"))


ALL = ["matplotlib.whl", "numpy.whl", "pygments.whl", "six.whl"]


def test_a_folder_is_named(into: Path, folder: Path) -> None:
    assert wheels.ensure(into) == ""
    assert names(into) == ALL


def test_another_file_fails_the_build(into: Path, folder: Path) -> None:
    (folder / "six.whl").write_bytes(b"seven")
    with pytest.raises(SystemExit, match=r"six.whl of .* is not the file of Pyodide's lock"):
        wheels.ensure(into)
    assert "six.whl" not in names(into) and "six.whl.part" not in names(into)


def test_a_file_that_was_changed_later_is_taken_anew(into: Path, folder: Path) -> None:
    wheels.ensure(into)
    (into / "numpy.whl").write_bytes(b"other")
    wheels.ensure(into)
    assert (into / "numpy.whl").read_bytes() == FILES["numpy"]


def test_a_named_folder_must_hold_all(into: Path, folder: Path) -> None:
    (folder / "six.whl").unlink()
    with pytest.raises(SystemExit, match=r"holds no six\.whl"):
        wheels.ensure(into)


def test_with_neither_folder_nor_network_the_reason_is_said(into: Path) -> None:
    reason = wheels.ensure(into)
    assert reason.startswith(tuple(f"{name} could not be fetched" for name in ALL))
    assert "PYODIDE_DIST" in reason


@pytest.fixture
def distribution(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The same files on a server, and no folder."""
    moved = folder.rename(folder.with_name("served"))
    monkeypatch.delenv("PYODIDE_DIST")
    with served(folder=moved) as address:
        monkeypatch.setattr(wheels, "DISTRIBUTION", f"{address}/")
        yield moved


def test_a_reader_gets_them_from_the_distribution(into: Path, distribution: Path) -> None:
    assert wheels.ensure(into) == ""
    assert names(into) == ALL


def test_what_the_network_changed_is_refused(into: Path, distribution: Path) -> None:
    (distribution / "numpy.whl").write_bytes(b"other numbers")
    with pytest.raises(SystemExit, match="is not the file of Pyodide's lock"):
        wheels.ensure(into)
