"""Run the checks (`python -m book.verify check`) or everything (`python -m book.verify test`)."""

import argparse
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from book import parts as numeric
from book.environment import environment
from book.junit import Case, read
from book.paths import ROOT

REPORTS = ROOT / "_build" / "reports"
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
# One worker a core; a file stays on one worker, because the cells of a notebook share a kernel.
TWO = ["-n", "2", "--dist", "loadfile"]
GRADER = "exercises/grader"
TYPED = ["transformer_lib", "book", *([GRADER] if (ROOT / GRADER).is_dir() else [])]
OTHER = ["book", "browser", "notebooks"]
"""The folders of tests/ that are not unit tests."""

UNIT = ["tests", *(f"--ignore=tests/{folder}" for folder in OTHER)]
EXERCISES = ["exercises", "grader"]
"""The folders of tests/ that never call the library, so that its shapes need no second look."""

LIBRARY = [*UNIT, *(f"--ignore=tests/{folder}" for folder in EXERCISES)]
IN_EXERCISES = [f"tests/{folder}" for folder in EXERCISES]
# An int where a float is asked for is right, as type checkers have it.
BEARTYPE = "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))"
SHAPES = f"--jaxtyping-packages=transformer_lib,{BEARTYPE}"
COVERED = ["--cov=transformer_lib", "--cov-report=term:skip-covered", "--cov-fail-under=95"]


@dataclass
class Part:
    """One command; what pytest reports is counted test by test, any other command as one."""

    name: str
    arguments: list[str]
    is_pytest: bool = False
    proves: Callable[[], list[str]] = list
    """The notebooks or tests that `make portable` need not run once more as this machine would."""
    cases: list[Case] = field(default_factory=list)


CHECK = [
    Part("lint", ["-m", "ruff", "check", "."]),
    Part("format", ["-m", "ruff", "format", "--check", "."]),
    Part("types", ["-m", "mypy", *TYPED]),
    Part("doctests", [*PYTEST, "--doctest-modules", "transformer_lib"], True),
    Part("unit tests", [*PYTEST, *TWO, "-m", "not slow", *UNIT], True),
]
TEST = [
    *CHECK,
    Part(
        "unit tests with shapes checked",
        [*PYTEST, *TWO, SHAPES, *COVERED, *LIBRARY],
        True,
        numeric.numeric_tests,
    ),
    Part("slow tests of the exercises", [*PYTEST, *TWO, "-m", "slow", *IN_EXERCISES], True),
    Part("notebooks", [*PYTEST, *TWO, "--nbval", "chapters"], True, numeric.notebooks),
    Part("book", ["-m", "book.build"]),
    Part("tests of the book", [*PYTEST, "tests/book", "tests/notebooks"], True),
    Part("tests in a browser", [*PYTEST, "tests/browser"], True),
]


def run(part: Part) -> None:
    """Run one part, its output shown as it comes, and keep its cases."""
    print(f"\n=== {part.name}", flush=True)
    report = REPORTS / f"{part.name.replace(' ', '-')}.xml"
    report.unlink(missing_ok=True)
    existing = [each for each in part.arguments if not missing_folder(each)]
    command = [sys.executable, *existing, *([f"--junitxml={report}"] if part.is_pytest else [])]
    keys = {each: each.key for each in map(numeric.native, part.proves())}
    start = time.perf_counter()
    status = subprocess.run(command, cwd=ROOT, env=environment(), check=False).returncode
    part.cases = read(report) if report.exists() else []
    failed = any(case.outcome == "failed" for case in part.cases)
    # What has no report, or fails outside of any test, counts as one.
    if not part.cases or (status != 0 and not failed):
        outcome = "failed" if status else "passed"
        part.cases.append(Case(part.name, time.perf_counter() - start, outcome))
    if status == 0:
        for each, key in keys.items():
            each.remember(key)


def missing_folder(argument: str) -> bool:
    """Whether an argument names a folder of tests that this repository does not have."""
    return argument.startswith("tests/") and not (ROOT / argument).exists()


def summarize(parts: list[Part], seconds: float) -> bool:
    """Print the slowest cases, what was skipped and why, and the counts; True when all passed."""
    cases = [case for part in parts for case in part.cases]
    print("\nThe ten slowest parts:")
    for case in sorted(cases, key=lambda case: -case.seconds)[:10]:
        print(f"  {case.seconds:6.1f} s  {case.name}")
    counts = {name: [c for c in cases if c.outcome == name] for name in ("failed", "skipped")}
    for case in counts["failed"]:
        print(f"FAILED {case.name}")
    for reason in sorted({case.reason for case in counts["skipped"]}):
        print(f"SKIPPED {reason}")
    failed, skipped = len(counts["failed"]), len(counts["skipped"])
    passed = len(cases) - failed - skipped
    print(f"Took {seconds / 60:.1f} minutes; {'all is well' if not failed else 'NOT all is well'}.")
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return failed == 0


def main(words: Sequence[str] | None = None) -> int:
    """Run the parts one after the other, and all of them whatever fails."""
    reader = argparse.ArgumentParser(prog="python -m book.verify", description=__doc__)
    reader.add_argument("what", choices=["check", "test"], help="a minute, or all that CI runs")
    parts = CHECK if reader.parse_args(words).what == "check" else TEST
    REPORTS.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    for part in parts:
        run(part)
    return 0 if summarize(parts, time.perf_counter() - start) else 1


if __name__ == "__main__":
    sys.exit(main())
