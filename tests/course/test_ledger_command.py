"""The command `python -m course.ledger`, called in this process."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import jaxtyping
import pytest

from course import ledger
from course.ledger.__main__ import main

# The ledger asks formulas for shapes that do not fit, and expects their ValueError.
pytestmark = pytest.mark.usefixtures("unhooked")


@pytest.fixture(autouse=True)
def unhooked() -> Iterator[None]:
    """An entry whose shapes do not fit is judged by our own ValueError."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(ledger.PATH, tmp_path / "worked_numbers.toml"))


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["ledger", *map(str, arguments)])
    return main()


def test_check_tells_stored_numbers_from_stale_ones_and_write_mends_them(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--check", copy) == 0
    assert "is as recomputed" in capsys.readouterr().out
    good = copy.read_text(encoding="utf-8")
    stale = good.replace('\nverdict = "agrees"', '\nverdict = "disagrees"', 1)
    assert stale != good
    copy.write_text(stale, encoding="utf-8")
    assert run(monkeypatch, "--check", copy) == 1
    assert "verdict" in capsys.readouterr().out
    assert run(monkeypatch, "--write", copy) == 0
    assert f"stored in {copy}" in capsys.readouterr().out
    assert copy.read_text(encoding="utf-8") == good


@pytest.mark.parametrize("arguments", [[], ["--write", "--check"]])
def test_one_action_must_be_named(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, *arguments)
