"""What `make test` runs, when a part need not run, and what it says at its end."""

from pathlib import Path

import pytest

from book import verify
from book.paths import ROOT
from book.testing import command, inputs, parts as numeric, reference, tools
from book.testing.command import Part
from tests import long

INSTALL = "To run them, install what is missing: sudo apt-get install"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """`make test` with one test that passes, on a machine with no programs."""
    part = Part("lint", [], status=0, seconds=2.5)
    monkeypatch.setattr(verify, "test", lambda: [part])
    monkeypatch.setattr(verify, "check", lambda: [part])
    monkeypatch.setattr(verify, "REPORTS", tmp_path)
    monkeypatch.setattr(command, "REPORTS", tmp_path)
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
    named = [file for part in verify.ALL for file in files(part)]
    assert set(named) == set((ROOT / "tests").rglob("test_*.py"))
    # Only what is skipped where shapes are checked runs a second time.
    twice = {file for file in named if named.count(file) > 1}
    assert twice == {ROOT / verify.COMPILED}


@pytest.mark.parametrize("name", long.LONG)
def test_what_is_long_is_in_its_part(name: str) -> None:
    for beginning in long.LONG[name]:
        file, _, test = beginning.partition("[")[0].partition("::")  # a row may name some values
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f"def {test}" in text or f"class {test}:" in text or not test
        assert ROOT / file in files(verify.long_part(name))


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A repository in which `make test` has one part, which reads two kinds of files."""
    for module in (verify, command):
        monkeypatch.setattr(module, "REPORTS", tmp_path / "reports")
    (tmp_path / "reports").mkdir()
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(verify, "ALL", [Part("lint", ["-c", ""], reads=["*.py", "data/*"])])
    monkeypatch.setattr(reference, "unit", lambda copies: 1.0)
    monkeypatch.setattr(tools, "not_run", list)
    monkeypatch.delenv("CI", raising=False)
    (tmp_path / "data").mkdir()
    for name in [*READ, "notes.txt"]:
        (tmp_path / name).write_text("before", encoding="utf-8")
    return tmp_path


READ = ["code.py", "data/numbers"]
NOT_RUN = "Not run, because it passed here with the same files: lint."


def runs(capsys: pytest.CaptureFixture[str]) -> bool:
    """Call `make test`, and return whether its part ran."""
    assert verify.main(["test"]) == 0
    said = capsys.readouterr().out
    assert (NOT_RUN in said) is ("\n=== lint" not in said)
    return NOT_RUN not in said


def test_a_part_runs_until_it_passed_and_when_a_file_that_it_reads_changes(
    made: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert runs(capsys)
    assert not runs(capsys)
    for name in READ:
        (made / name).write_text("after", encoding="utf-8")
        assert runs(capsys), name
    (made / "notes.txt").write_text("after", encoding="utf-8")
    assert not runs(capsys)


def test_in_ci_all_parts_run(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", "true")
    assert runs(capsys) and runs(capsys)


def test_a_part_that_fails_or_is_over_its_budget_runs_again(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (part,) = verify.ALL
    part.arguments = ["-c", "raise SystemExit(1)"]
    assert [verify.main(["test"]), verify.main(["test"])] == [1, 1]
    assert NOT_RUN not in capsys.readouterr().out
    part.arguments = ["-c", ""]
    monkeypatch.setattr(reference, "unit", lambda copies: 1e-9)
    assert [verify.main(["test"]), verify.main(["test"])] == [1, 1]
    assert NOT_RUN not in capsys.readouterr().out


def test_what_is_long_runs_each_time(
    made: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(verify, "long_part", lambda name: Part(name, ["-c", name]))
    for _ in range(2):
        parts = verify.long(["raise SystemExit(1)", "1"])
        assert [part.passed for part in parts] == [False, True]


@pytest.mark.parametrize(
    "part", [part for part in verify.ALL if part is not verify.BOOK], ids=lambda part: part.name
)
def test_a_part_has_not_passed_after_a_change_of_any_pattern(part: Part, made: Path) -> None:
    assert part.reads
    for pattern in part.reads:
        file = made / next(inputs.files(ROOT, [pattern])).relative_to(ROOT)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("before", encoding="utf-8")
        part.digest = part.key()
        part.remember()
        assert part.has_passed()
        file.write_text("after", encoding="utf-8")
        assert not part.has_passed(), pattern


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
    made: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code = "import sys; print('out', flush=True); print('err', file=sys.stderr); sys.exit(3)"
    part = Part("two", ["-c", code])
    part.run(at_once=False)
    assert capfd.readouterr().out == "\n=== two\nout\nerr\n\n"
    assert part.status == 3 and not part.passed and part.seconds > 0


@pytest.mark.parametrize("status", [0, 1])
def test_what_passed_need_not_be_played_again(
    made: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    remembered = []
    monkeypatch.setattr(numeric.Part, "remember", lambda part, key: remembered.append(part.target))
    targets = ["tests/formulas", "tests/model"]
    Part("numbers", ["-c", f"raise SystemExit({status})"], proves=lambda: targets).run()
    assert remembered == ([] if status else targets)


def test_what_was_tried_again_is_named_and_a_part_that_failed_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "report.xml"
    late, good = (f'<testcase classname="a" name="{name}"/>' for name in ("late", "good"))
    report.write_text(f"<s>{late}{good}{late}</s>", encoding="utf-8")
    assert command.more_than_once(report) == ["a::late"]
    parts = [Part("one", [], status=0, cpu=90, unit=1.5, tried_again=["a::late"])]
    parts.append(Part("two", [], status=1))
    assert not verify.summarize(parts, 120)
    assert capsys.readouterr().out.splitlines()[2:] == [
        "     0.0 s   90.0 s   60.0  one",
        "     0.0 s    0.0 s    0.0  two  FAILED",
        "Together 1.5 minutes of processor, 1.0 of a quiet one.",
        "TRIED AGAIN a::late",
        "Took 2.0 minutes; NOT all is well: two.",
    ]
