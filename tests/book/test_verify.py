"""What `make test` says at its end, and that no folder of tests is left out."""

from pathlib import Path

import pytest

from book import parts as numeric, tools, verify
from book.junit import Case
from book.paths import ROOT
from book.verify import Part

INSTALL = "To run them, install what is missing: sudo apt-get install"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`make test` with one test that passes, on a machine with no programs."""
    part = Part("one", [], cases=[Case("it", 0.5, "passed")], seconds=2.5)
    monkeypatch.setattr(verify, "test", lambda: [part])
    monkeypatch.setattr(verify, "check", lambda: [part])
    monkeypatch.setattr(verify, "REPORTS", tmp_path)
    for name in ("CHROMIUM", "BWRAP", "CI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))


def program(folder: Path, name: str) -> None:
    (folder / name).touch(mode=0o755)


def last_lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    lines = capsys.readouterr().out.splitlines()
    return lines[lines.index("1 passed, 0 failed") + 1 :]


@pytest.mark.usefixtures("short")
def test_the_last_lines_say_what_did_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert verify.main(["test"]) == 0
    assert last_lines(capsys) == [
        "NOT RUN: the tests in a browser, because there is no chromium.",
        "NOT RUN: the tests of the judge in its sandbox, because there is no bubblewrap.",
        f"{INSTALL} chromium bubblewrap",
    ]


@pytest.mark.usefixtures("short")
def test_only_what_is_missing_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program(tmp_path, "chromium")
    assert verify.main(["test"]) == 0
    assert last_lines(capsys)[-1] == f"{INSTALL} bubblewrap"
    program(tmp_path, "bwrap")
    assert verify.main(["test"]) == 0
    assert last_lines(capsys) == []


@pytest.mark.usefixtures("short")
def test_in_ci_it_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", "true")
    program(tmp_path, "chromium")
    assert verify.main(["test"]) == 1
    assert last_lines(capsys)[-1] == f"{INSTALL} bubblewrap"
    assert verify.main(["check"]) == 0
    program(tmp_path, "bwrap")
    assert verify.main(["test"]) == 0


def test_chromium_may_lie_elsewhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CHROMIUM", "/opt/chromium")
    assert tools.CHROMIUM.path() == "/opt/chromium"


def test_every_test_is_in_a_part() -> None:
    """Collect what the parts name, and compare it with all that there is."""
    named: set[Path] = set()
    for part in verify.ON_TWO_CORES:
        left_out = {a.partition("=")[2] for a in part.arguments if a.startswith("--ignore=")}
        for argument in part.arguments:
            if argument.split("/")[0] == "tests" and "not slow" not in part.arguments:
                found = (ROOT / argument).rglob("test_*.py")
                named |= {path for path in found if not within(path, left_out)}
    assert named == set((ROOT / "tests").rglob("test_*.py"))


def within(path: Path, folders: set[str]) -> bool:
    return any(ROOT / folder in path.parents for folder in folders)


def test_a_part_beside_others_shows_its_output_when_it_is_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify, "REPORTS", tmp_path)
    code = "import sys; print('out', flush=True); print('err', file=sys.stderr); sys.exit(3)"
    part = Part("two", ["-c", code])
    verify.run(part, at_once=False)
    assert capfd.readouterr().out == "\n=== two\nout\nerr\n\n"
    assert [case.outcome for case in part.cases] == ["failed"] and part.seconds > 0


@pytest.mark.parametrize("status", [0, 1])
def test_what_passed_need_not_be_played_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: int
) -> None:
    remembered = []
    monkeypatch.setattr(verify, "REPORTS", tmp_path)
    monkeypatch.setattr(numeric.Part, "remember", lambda part, key: remembered.append(part.target))
    targets = ["tests/formulas", "tests/model"]
    verify.run(Part("numbers", ["-c", f"raise SystemExit({status})"], proves=lambda: targets))
    assert remembered == ([] if status else targets)
