"""A part that takes more than its budget is named with its dearest files, on any machine."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from book import measures, verify
from book.environment import environment
from book.testing import budget, lines, spent
from book.testing.command import Part

TEN = {"processor": {"one": 10.0, "two": 10.0}}
BURN = """
import subprocess, sys, time
import pytest

def burn(seconds):
    start = time.process_time()
    while time.process_time() - start < seconds:
        pass

def test_burn():
    burn(0.4)

@pytest.fixture(scope="session")
def program():
    yield subprocess.Popen([sys.executable, "-c", "while True: pass"])

def test_a_program_that_still_runs(program):
    burn(0.1)
    assert program.poll() is None
    program.terminate()
    program.wait()
"""


@pytest.fixture(autouse=True)
def ten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "budgets", lambda: TEN)


def test_every_part_has_a_budget_and_there_is_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert budget.budgets()["processor"].keys() == {part.name for part in verify.ALL}


def test_a_busy_machine_costs_nothing() -> None:
    """Twice the seconds for each unit are the same units."""
    for unit in (1.0, 2.0):
        parts = [
            Part("one", [], cpu=11.9 * unit, unit=unit),
            Part("two", [], cpu=12.1 * unit, unit=unit),
        ]
        assert [each.name for each in budget.overruns(parts)] == ["two"]


def test_what_is_over_its_budget_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    part = Part("one", [], status=0, cpu=30.0, unit=2.0, by_file={"a.py": 20.0, "b.py": 6.0})
    assert not verify.summarize([part], 60, budget.overruns([part]))
    said = capsys.readouterr().out
    assert "OVER ITS BUDGET: one took 15 units; 12 are allowed" in said
    assert said.splitlines()[-4:] == [
        "    10.0  a.py",
        "     3.0  b.py",
        "     2.0  of no file (see book/testing/spent.py)",
        "Took 1.0 minutes; NOT all is well: one.",
    ]


@pytest.mark.parametrize("workers", [[], ["-n", "2"]], ids=["one process", "two workers"])
def test_a_file_counts_with_the_programs_that_it_started(
    tmp_path: Path, workers: list[str]
) -> None:
    for name in ("test_one.py", "test_two.py"):
        (tmp_path / name).write_text(BURN, encoding="utf-8")
    plugin = ["-p", "book.testing.spent", f"--spent={tmp_path / 'spent.json'}"]
    command = [sys.executable, "-m", "pytest", "-q", *plugin, *workers, "--dist=loadfile"]
    subprocess.run(command, cwd=tmp_path, env=environment(), check=True, capture_output=True)
    spent = json.loads((tmp_path / "spent.json").read_text(encoding="utf-8"))
    assert {"test_one.py", "test_two.py"} < set(spent)
    # A tick is a hundredth of a second, and the program runs for at least as long as the test.
    assert min(spent["test_one.py"], spent["test_two.py"]) > 0.5
    assert list(spent.values()) == sorted(spent.values(), reverse=True)


def test_all_parts_together_have_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hundred minutes for two thousand lines are fifty for a thousand."""
    monkeypatch.setattr(budget, "lines_of", lambda folders: 2000)
    for allowed, name in ((50.0, ""), (49.9, "the time of all parts")):
        monkeypatch.setitem(TEN, "together", {"minutes for a thousand lines": allowed})
        parts = [Part("one", [], cpu=3000.0), Part("two", [], cpu=6000.0, unit=2.0)]
        whole = budget.whole(parts)
        assert whole.name == name
        assert whole.lines == [
            f"That is 50.00 minutes for a thousand lines of product; {allowed} are allowed."
        ]


CODE = '''
"""A docstring."""

# A comment.
def double(x):  # one line of code
    """Another
    docstring."""
    return """two
    lines""" * x
'''


def test_lines_are_those_of_code() -> None:
    assert lines.code_lines(CODE) == 3


def test_words_are_those_of_the_running_text(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    text = "<p>Two don't <math>x = 1</math>, 2.5!</p><div class='cell_input'>code</div>"
    page.write_text(f"<nav>no</nav><article><h1>One</h1>{text}</article>", encoding="utf-8")
    assert measures.words_of(page) == 4
    page.write_text("<p>nothing</p>", encoding="utf-8")
    with pytest.raises(ValueError, match="must be a built page"):
        measures.words_of(page)


def test_what_is_counted_has_a_budget_and_can_be_over_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(measures, "lines_of", lambda folders: 1)
    monkeypatch.setattr(measures, "counts", lambda: {"words": 11})
    monkeypatch.setitem(TEN, "counts", {"words": 11})
    assert measures.main([]) == 0
    monkeypatch.setitem(TEN, "counts", {"words": 10})
    assert measures.main([]) == 1
    assert "11 words, of 10  OVER ITS BUDGET" in capsys.readouterr().out
    monkeypatch.setitem(TEN, "counts", {"pages": 10})
    with pytest.raises(ValueError, match="must name what is counted"):
        measures.main([])


def test_what_a_program_used_counts_once_when_it_has_ended() -> None:
    """The parent of 2 has waited for it; that of 3 has not, and what 3 did last is not seen."""
    before = {
        1: spent.Used(5.0, 0.0, 0),
        2: spent.Used(2.0, 1.0, 1),
        3: spent.Used(4.0, 0.0, 9),
    }
    now = {1: spent.Used(6.0, 3.5, 0), 4: spent.Used(0.25, 0.0, 1)}
    assert spent.gained(before, now) == pytest.approx(1.0 + 0.5 + 0.25)
    assert spent.gained({}, before) == pytest.approx(12.0)
