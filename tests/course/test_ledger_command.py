"""The command `python -m course.ledger`, called in this process."""

import shutil
import sys
from pathlib import Path

import pytest

from course import ledger
from course.ledger.__main__ import main

# The ledger asks formulas for shapes that do not fit, and expects their ValueError.
pytestmark = pytest.mark.usefixtures("unhooked")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copy(ledger.PATH, tmp_path / "worked_numbers.toml"))


def run(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr(sys, "argv", ["ledger", *map(str, arguments)])
    return main()


def test_write_mends_what_check_finds(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "--check", copy) == 0
    assert "is as recomputed" in capsys.readouterr().out
    good = copy.read_text(encoding="utf-8")
    stale = good.replace('\nverdict = "agrees"', '\nverdict = "disagrees"', 1)
    assert stale != good
    copy.write_text(stale, encoding="utf-8")
    assert run(monkeypatch, "--check", copy) == 1
    assert "verdict is 'disagrees' in the file, 'agrees' recomputed" in capsys.readouterr().out
    assert run(monkeypatch, "--write", copy) == 0
    assert f"stored in {copy}" in capsys.readouterr().out
    assert copy.read_text(encoding="utf-8") == good


def test_check_names_the_entry_that_was_changed(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = copy.read_text(encoding="utf-8")
    step = repr(ledger.load().numbers["002.4a.softmax"].step[0][0])
    copy.write_text(text.replace(step, "0.5999", 1), encoding="utf-8")
    assert run(monkeypatch, "--check", copy) == 1
    assert "002.4a.softmax: step is" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [[], ["--write", "--check"]])
def test_one_action_must_be_named(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit):
        run(monkeypatch, *arguments)
