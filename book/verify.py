"""Run the checks: `python -m book.verify check`, `test`, or `long` and the parts that are asked."""

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

from book.paths import ROOT
from book.testing import inputs, parts as numeric, processor_time, tools

REPORTS = ROOT / "_build" / "reports"
PYTEST = ["-m", "pytest", "-q", "-rfEs", "--durations=5", "-p", "no:cacheprovider"]
# One worker a core; a file stays on one worker, because the cells of a notebook share a kernel.
# tests/conftest.py says what comes first.
SHARED = ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"]
# A browser may be late on a busy machine: what is tried again is named at the end.
TRIED_AGAIN = ["-n", "auto", "--reruns", "1"]
GRADER = "exercises/grader"
TYPED = ["transformer_lib", "course", "book", *([GRADER] if (ROOT / GRADER).is_dir() else [])]
DOCTESTS = ["--doctest-modules", "--doctest-glob=README.md"]
SHORT = ["-m", "not long"]
BUDGET = 16
"""Minutes of processor that `make test` may take."""
UNIT = ["tests", "--ignore=tests/book", "--ignore=tests/browser"]
JUDGE = ["tests/exercises", "tests/grader"]
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
    """One command: what it runs, how it ended and what that took."""

    name: str
    arguments: list[str]
    proves: Callable[[], list[str]] = list
    """The notebooks or tests that `make portable` need not run once more as this machine would."""
    status: int | None = None
    seconds: float = 0.0
    cpu: float = 0.0
    """Seconds of processor, also of the programs that it started and that have ended."""
    tried_again: Sequence[str] = ()

    @property
    def passed(self) -> bool:
        """Whether it has run and nothing in it has failed."""
        return self.status == 0


BOOK = Part("book", ["-m", "book.build"])
ON_ONE_CORE = [
    Part("lint", ["-m", "ruff", "check", "."]),
    Part("format", ["-m", "ruff", "format", "--check", "."]),
    Part("types", ["-m", "mypy", *TYPED]),
    Part("imports", ["-c", "from importlinter import cli; cli.lint_imports_command()"]),
    Part("scripts", ["-m", "book.javascript"]),
    Part("doctests", [*PYTEST, *DOCTESTS, "transformer_lib", "course", "README.md"]),
]
UNIT_TESTS = Part("unit tests", [*PYTEST, *SHARED, "-m", "not slow and not long", *UNIT])
WITHOUT_BOOK = [
    Part(
        "numeric tests with shapes checked",
        [*PYTEST, *SHARED, *SHORT, SHAPES, *numeric.numeric_tests(), f"--ignore={CLAIMS}"],
        numeric.numeric_tests,
    ),
    Part("notebooks", [*PYTEST, *SHARED, "--nbval", "chapters"], numeric.notebooks),
]


WITH_BOOK = [
    Part(
        "tests of the book",
        [*PYTEST, *SHARED, *SHORT, "tests/book", *numeric.other_tests(), CLAIMS, COMPILED],
    ),
    Part("tests of the judge", [*PYTEST, *SHARED, *SHORT, *JUDGE]),
    # tests/browser/conftest.py says which tests share a worker: those of a page.
    Part("tests in a browser", [*PYTEST, *TRIED_AGAIN, *SHORT, "tests/browser"]),
]

BROWSER = {"pages", "lab", "engines"}
# The tests of tests/long.py, part by part. JupyterLab and the engines are one program each.
LONG = {
    "judge": JUDGE,
    "pages": [*TRIED_AGAIN, "tests/browser"],
    "lab": [*TRIED_AGAIN, "tests/browser"],
    "engines": [*TRIED_AGAIN, "tests/browser"],
    "training": [f"tests/{name}" for name in ("book", "course", "model", "nn", "training")],
    "tools": ["tests/book", *(f"tests/{path.name}" for path in ROOT.glob("tests/test_*.py"))],
    "numpy": ["tests/test_oldest_numpy.py"],
    "real": [
        "tests/exercises/test_published_model.py",
        "tests/families",
        "tests/text",
        "--nbval",
        *(f"chapters/{name}" for name in numeric.PUBLISHED),
    ],
}


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
    for part in WITH_BOOK:
        run(part)
    return [BOOK, *ON_ONE_CORE, *WITHOUT_BOOK, *WITH_BOOK]


def long(names: Sequence[str]) -> list[Part]:
    """Run these parts of what `make test` leaves out, but not what has passed with these files."""
    parts = [part for part in map(long_part, names) if not has_passed(part)]
    if BROWSER & {part.name for part in parts}:
        parts.insert(0, BOOK)
    for part in parts:
        files = state()  # a file may change while the part runs
        run(part)
        if part.passed and part is not BOOK:
            stamp(part).write_text(files, encoding="utf-8")
    return parts


def long_part(name: str) -> Part:
    """One part of `make test-all`."""
    if name == "portable":
        return Part(name, ["-m", "book.portable"])
    if name == "lines":
        covered = [*COVERED, *SHORT, *numeric.numeric_tests(), f"--ignore={CLAIMS}"]
        return Part(name, [*PYTEST, *SHARED, *covered])
    shared = [] if name in BROWSER else SHARED
    return Part(name, [*PYTEST, *shared, "-m", f"long(part='{name}')", *LONG[name]])


PARTS = [*LONG, "lines", "portable"]


def has_passed(part: Part) -> bool:
    """Whether a part has passed with the files as they are; says so."""
    record = stamp(part)
    passed = record.exists() and record.read_text(encoding="utf-8") == state()
    if passed:
        print(f"{part.name} has passed with these files; to run it again, delete {record}.")
    return passed


def stamp(part: Part) -> Path:
    """The file that says with which files a part passed."""
    return REPORTS / f"{part.name}.passed"


def state() -> str:
    """A hash of all that a test may read."""
    folders = ["assets", "benchmarks", "book", "chapters", "course", "exercises", "requirements"]
    folders += ["tests", "transformer_lib"]
    return inputs.digest(ROOT, [*(f"{folder}/**/*" for folder in folders), "*", ".github/**/*"])


def run(part: Part, at_once: bool = True) -> None:
    """Run one part; show its output as it comes, or else when it is done."""
    if at_once:
        print(f"\n=== {part.name}", flush=True)
    command = [sys.executable, *(each for each in part.arguments if not missing_folder(each))]
    report = REPORTS / f"{part.name.replace(' ', '-')}.xml"
    report.unlink(missing_ok=True)
    if "--reruns" in command:
        command.append(f"--junitxml={report}")
    keys = [(each, each.key) for each in map(numeric.native, part.proves())]
    start = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        part.status, part.cpu = processor_time.run(command, None if at_once else said)
        part.seconds = time.perf_counter() - start
        if not at_once:
            said.seek(0)
            print(f"\n=== {part.name}\n{said.read().decode()}", flush=True)
    part.tried_again = more_than_once(report)
    for each, key in keys if part.passed else ():
        each.remember(key)


def more_than_once(report: Path) -> list[str]:
    """The tests that stand in a report of pytest more than once: those that were tried again."""
    cases = ElementTree.parse(report).iter("testcase") if report.exists() else ()
    names = Counter(f"{case.get('classname')}::{case.get('name')}" for case in cases)
    return [name for name, times in names.items() if times > 1]


def missing_folder(argument: str) -> bool:
    """Whether an argument names a folder of tests that this repository does not have."""
    return argument.startswith("tests/") and not (ROOT / argument).exists()


def summarize(what: str, parts: list[Part], seconds: float) -> bool:
    """Print what each part took, what was tried again and what failed; True when all passed."""
    print("\nThe parts, by the clock and in seconds of processor:")
    for part in parts:
        failed = "" if part.passed else "  FAILED"
        print(f"  {part.seconds:6.1f} s {part.cpu:6.1f} s  {part.name}{failed}")
    cpu = sum(part.cpu for part in parts) / 60
    budget = f"; the budget is {BUDGET}" if what == "test" else ""
    print(f"Together {cpu:.1f} minutes of processor{budget}.")
    for name in (name for part in parts for name in part.tried_again):
        print(f"TRIED AGAIN {name}")
    missed = [part.name for part in parts if not part.passed]
    verdict = f"NOT all is well: {', '.join(missed)}" if missed else "all is well"
    print(f"Took {seconds / 60:.1f} minutes; {verdict}.")
    return not missed


def main(words: Sequence[str] | None = None) -> int:
    """Run what is asked for, then say in the last lines what came of it and what did not run."""
    reader = argparse.ArgumentParser(prog="python -m book.verify", description=__doc__)
    reader.add_argument("what", choices=["check", "test", "long"], help="two minutes, ten, an hour")
    reader.add_argument("only", nargs="*", help=f"of long: {', '.join(PARTS)}; else all of them")
    asked = reader.parse_args(words)
    if unknown := [name for name in asked.only if asked.what != "long" or name not in PARTS]:
        reader.error(f"{' '.join(unknown)} must be of {', '.join(PARTS)}, and long before it")
    REPORTS.mkdir(parents=True, exist_ok=True)
    start = time.perf_counter()
    jobs: dict[str, Callable[[], list[Part]]] = {
        "check": check,
        "test": test,
        "long": partial(long, asked.only or PARTS),
    }
    parts = jobs[asked.what]()
    all_is_well = summarize(asked.what, parts, time.perf_counter() - start)
    return 0 if say_what_did_not_run(asked.what != "check") and all_is_well else 1


def say_what_did_not_run(everything: bool) -> bool:
    """Print which tests want a program that is not here; True where that is no failure."""
    lines = tools.not_run() if everything else []
    for line in lines:
        print(line)
    return not lines or os.environ.get("CI") != "true"


if __name__ == "__main__":
    sys.exit(main())
