"""What `make test` says at its end, and that no folder of tests is left out."""

from pathlib import Path

import pytest

from book import verify
from book.paths import ROOT
from book.testing import parts as numeric, tools
from book.verify import Part
from tests import long

INSTALL = "To run them, install what is missing: sudo apt-get install"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`make test` with one test that passes, on a machine with no programs."""
    part = Part("one", [], status=0, seconds=2.5)
    monkeypatch.setattr(verify, "test", lambda: [part])
    monkeypatch.setattr(verify, "check", lambda: [part])
    monkeypatch.setattr(verify, "REPORTS", tmp_path)
    for name in ("CHROMIUM", "BWRAP", "CI"):
        monkeypatch.delenv(name, raising=False)
    for tool in OTHERS:
        program(tmp_path, tool.program)
    monkeypatch.setenv("PATH", str(tmp_path))


OTHERS = set(tools.ALL) - {tools.CHROMIUM, tools.BWRAP}


def program(folder: Path, name: str) -> None:
    (folder / name).touch(mode=0o755)


def last_lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    lines = capsys.readouterr().out.splitlines()
    return lines[lines.index("Took 0.0 minutes; all is well.") + 1 :]


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
    named = [file for part in verify.WITHOUT_BOOK + verify.WITH_BOOK for file in files(part)]
    assert set(named) == set((ROOT / "tests").rglob("test_*.py"))
    # Only what is skipped where shapes are checked runs a second time.
    twice = {file for file in named if named.count(file) > 1}
    assert twice == {ROOT / verify.COMPILED}


@pytest.mark.parametrize("name", long.LONG)
def test_what_is_long_is_in_its_part(name: str) -> None:
    for beginning in long.LONG[name]:
        file, _, test = beginning.partition("::")
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {test}" in text or f"class {test}:" in text or not test
        assert ROOT / file in files(verify.long_part(name))


def test_what_has_passed_is_not_run_again_until_a_file_changes(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify, "REPORTS", tmp_path)
    monkeypatch.setattr(verify, "state", lambda: "these files")
    monkeypatch.setattr(verify, "long_part", lambda name: Part(name, ["-c", name]))
    assert [part.passed for part in verify.long(["raise SystemExit(1)", "1"])] == [False, True]
    assert [part.passed for part in verify.long(["raise SystemExit(1)", "1"])] == [False]
    assert "1 has passed with these files" in capsys.readouterr().out
    monkeypatch.setattr(verify, "state", lambda: "other files")
    assert [part.passed for part in verify.long(["1"])] == [True]


def files(part: Part) -> set[Path]:
    """The files of tests of a part, whose long tests run apart."""
    left_out = {ROOT / a.partition("=")[2] for a in part.arguments if a.startswith("--ignore=")}
    named = [
        ROOT / argument
        for argument in part.arguments
        if argument.startswith(("tests/", "chapters/"))
    ]
    found = {
        file for path in named for file in ([path] if path.suffix else path.rglob("test_*.py"))
    }
    return found - left_out


def test_a_part_beside_others_shows_its_output_when_it_is_done(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify, "REPORTS", tmp_path)
    code = "import sys; print('out', flush=True); print('err', file=sys.stderr); sys.exit(3)"
    part = Part("two", ["-c", code])
    verify.run(part, at_once=False)
    assert capfd.readouterr().out == "\n=== two\nout\nerr\n\n"
    assert part.status == 3 and not part.passed and part.seconds > 0


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


def test_what_was_tried_again_is_named_and_a_part_that_failed_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.xml"
    late, good = (f'<testcase classname="a" name="{name}"/>' for name in ("late", "good"))
    report.write_text(f"<s>{late}{good}{late}</s>", encoding="utf-8")
    assert verify.more_than_once(report) == ["a::late"]
    parts = [Part("one", [], status=0, cpu=90, tried_again=["a::late"]), Part("two", [], status=1)]
    assert not verify.summarize("test", parts, 120)
    assert capsys.readouterr().out.splitlines()[3:] == [
        "     0.0 s    0.0 s  two  FAILED",
        "Together 1.5 minutes of processor; the budget is 16.",
        "TRIED AGAIN a::late",
        "Took 2.0 minutes; NOT all is well: two.",
    ]
