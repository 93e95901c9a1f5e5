"""Run the checks (`python -m book.verify check`) or everything (`python -m book.verify test`)."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from book import parts as numeric, tools
from book.environment import environment
from book.junit import Case, read
from book.paths import ROOT

REPORTS = ROOT / "_build" / "reports"
PYTEST = ["-m", "pytest", "-q", "-p", "no:cacheprovider"]
# One worker a core; a file stays on one worker, because the cells of a notebook share a kernel.
# tests/conftest.py says what comes first.
SHARED = ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"]
# No test in a browser is about time, and on a busy machine one of thousands may run out of it.
TRIED_AGAIN = ["--reruns", "1", "--only-rerun", "TimeoutError"]
GRADER = "exercises/grader"
TYPED = ["transformer_lib", "course", "book", *([GRADER] if (ROOT / GRADER).is_dir() else [])]
DOCTESTS = ["--doctest-modules", "--doctest-glob=README.md"]
SHORT, LONG = ["-m", "not long"], ["-m", "long"]
UNIT = ["tests", "--ignore=tests/book", "--ignore=tests/browser"]
OTHER = ["tests/exercises", "tests/grader", "tests/book", *numeric.other_tests()]
"""What computes nothing with the library, so that its shapes need no look."""

# Runs cells of the chapters, some of which show a shape that does not fit.
CLAIMS = "tests/course/test_seeds.py"
# Compiles and exports models, which the checks of shapes would not let it.
COMPILED = "tests/nn/test_nn_modules_run.py"
# An int where a float is asked for is right, as type checkers have it.
BEARTYPE = "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))"
SHAPES = f"--jaxtyping-packages=transformer_lib,{BEARTYPE}"
# To count lines takes half as long again. A test that goes one way thousands of times is marked
# no_cover: quick ones go there, too.
COVERED = [
    "--cov=transformer_lib",
    "--cov=course",
    "--cov-report=term:skip-covered",
    "--cov-fail-under=95",
]


@dataclass
class Part:
    """One command; what pytest reports is counted test by test, any other command as one."""

    name: str
    arguments: list[str]
    is_pytest: bool = False
    proves: Callable[[], list[str]] = list
    """The notebooks or tests that `make portable` need not run once more as this machine would."""
    cases: list[Case] = field(default_factory=list)
    seconds: float = 0.0


BOOK = Part("book", ["-m", "book.build"])
ON_ONE_CORE = [
    Part("lint", ["-m", "ruff", "check", "."]),
    Part("format", ["-m", "ruff", "format", "--check", "."]),
    Part("types", ["-m", "mypy", *TYPED]),
    Part("scripts", ["-m", "book.javascript"]),
    Part("doctests", [*PYTEST, *DOCTESTS, "transformer_lib", "course", "README.md"], True),
]
UNIT_TESTS = Part("unit tests", [*PYTEST, *SHARED, "-m", "not slow and not long", *UNIT], True)
WITHOUT_BOOK = [
    Part(
        "numeric tests with shapes checked",
        [*PYTEST, *SHARED, SHAPES, *numeric.numeric_tests(), f"--ignore={CLAIMS}"],
        True,
        numeric.numeric_tests,
    ),
    Part("notebooks", [*PYTEST, *SHARED, "--nbval", "chapters"], True, numeric.notebooks),
]


def with_book(chosen: list[str]) -> list[Part]:
    """What looks at the built book, the judge and the clock: the short tests, or the long ones."""
    others = [*PYTEST, *SHARED, *chosen, *OTHER, CLAIMS, COMPILED]
    # tests/browser/conftest.py says which tests share a worker: those of a page.
    seen = [*PYTEST, "-n", "auto", *TRIED_AGAIN, *chosen, "tests/browser"]
    return [Part("all other tests", others, True), Part("tests in a browser", seen, True)]


def check() -> list[Part]:
    """Run the quick parts one after the other."""
    parts = [*ON_ONE_CORE, UNIT_TESTS]
    for part in parts:
        run(part)
    return parts


def test() -> list[Part]:
    """Run every part, whatever fails; the book is built beside those that do not need it."""
    with ThreadPoolExecutor(1) as beside:
        building = beside.submit(run, BOOK, at_once=False)
        for part in [*ON_ONE_CORE, *WITHOUT_BOOK]:
            run(part)
        building.result()
    for part in (rest := with_book(SHORT)):
        run(part)
    return [BOOK, *ON_ONE_CORE, *WITHOUT_BOOK, *rest]


def long() -> list[Part]:
    """Run what `make test` leaves out: the long tests, and which lines the numeric ones reach."""
    covered = [*PYTEST, *SHARED, *COVERED, *numeric.numeric_tests(), f"--ignore={CLAIMS}"]
    parts = [BOOK, Part("lines that are reached", covered, True), *with_book(LONG)]
    for part in parts:
        run(part)
    return parts


def run(part: Part, at_once: bool = True) -> None:
    """Run one part and keep its cases; show its output as it comes, or else when it is done."""
    if at_once:
        print(f"\n=== {part.name}", flush=True)
    report = REPORTS / f"{part.name.replace(' ', '-')}.xml"
    report.unlink(missing_ok=True)
    existing = [each for each in part.arguments if not missing_folder(each)]
    command = [sys.executable, *existing, *([f"--junitxml={report}"] if part.is_pytest else [])]
    keys = [(each, each.key) for each in map(numeric.native, part.proves())]
    start = time.perf_counter()
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=environment(),
        check=False,
        stdout=None if at_once else subprocess.PIPE,
        stderr=None if at_once else subprocess.STDOUT,
    )
    status, part.seconds = done.returncode, time.perf_counter() - start
    if not at_once:
        print(f"\n=== {part.name}\n{done.stdout.decode()}", flush=True)
    part.cases = read(report) if report.exists() else []
    failed = any(case.outcome == "failed" for case in part.cases)
    # What has no report, or fails outside of any test, counts as one.
    if not part.cases or (status != 0 and not failed):
        outcome = "failed" if status else "passed"
        part.cases.append(Case(part.name, part.seconds, outcome))
    if status == 0:
        for each, key in keys:
            each.remember(key)


def missing_folder(argument: str) -> bool:
    """Whether an argument names a folder of tests that this repository does not have."""
    return argument.startswith("tests/") and not (ROOT / argument).exists()


def summarize(parts: list[Part], seconds: float) -> bool:
    """Print the slowest cases, what was skipped and why, and the counts; True when all passed."""
    cases = [case for part in parts for case in part.cases]
    print("\nThe parts:")
    for part in parts:
        print(f"  {part.seconds:6.1f} s  {part.name}")
    print("The twenty slowest tests:")
    for case in sorted(cases, key=lambda case: -case.seconds)[:20]:
        print(f"  {case.seconds:6.1f} s  {case.name}")
    counts = {name: [c for c in cases if c.outcome == name] for name in ("failed", "skipped")}
    for case in (case for case in cases if case.tries > 1):
        print(f"TRIED AGAIN, as the browser was late: {case.name}")
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
    """Run what is asked for, then say in the last lines what came of it and what did not run."""
    reader = argparse.ArgumentParser(prog="python -m book.verify", description=__doc__)
    jobs = {"check": check, "test": test, "long": long}
    reader.add_argument("what", choices=jobs, help="a minute, ten, or the long tests alone")
    what = reader.parse_args(words).what
    REPORTS.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    parts = jobs[what]()
    all_is_well = summarize(parts, time.perf_counter() - start)
    return 0 if say_what_did_not_run(what != "check") and all_is_well else 1


def say_what_did_not_run(everything: bool) -> bool:
    """Print which tests want a program that is not here; True where that is no failure."""
    lines = tools.not_run() if everything else []
    for line in lines:
        print(line)
    return not lines or os.environ.get("CI") != "true"


if __name__ == "__main__":
    sys.exit(main())
