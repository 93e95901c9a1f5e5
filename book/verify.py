"""Run the checks: `python -m book.verify check`, `test`, or `long` and the parts that are asked."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import attrgetter

from book.paths import ROOT
from book.testing import budget, inputs, parts as numeric, reference, tools
from book.testing.budget import Overrun
from book.testing.command import REPORTS, Part

# Two plugins that few parts need take two seconds in each process.
PYTEST = ["-m", "pytest", "-q", "-rfEs", "--durations=5", "-p", "no:cacheprovider"]
PYTEST += ["-p", "no:nbval", "-p", "no:anyio"]
# book says, before nbval imports it, what Jupyter can do without.
NBVAL = ["-p", "book", "-p", "nbval", "--nbval"]
# One worker a core; a file stays on one worker, because the cells of a notebook share a kernel.
# tests/conftest.py says what comes first.
SHARED = ["-n", "auto", "--dist", "loadfile", "--no-loadscope-reorder"]
# A browser may be late on a busy machine: what is tried again is named at the end.
TRIED_AGAIN = ["-n", "auto", "--reruns", "1"]
GRADER = "exercises/grader"
TYPED = ["transformer_lib", "course", "book", *([GRADER] if (ROOT / GRADER).is_dir() else [])]
DOCTESTS = ["--doctest-modules", "--doctest-glob=README.md"]
SHORT = ["-m", "not long"]
CORES = os.cpu_count() or 1
"""How many workers `-n auto` starts."""
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


# It always runs, because it knows itself whether the pages that are there are those of the sources.
BOOK = Part("book", ["-m", "book.build"])
ON_ONE_CORE = [
    Part("lint", ["-m", "ruff", "check", "."], reads=inputs.EVERYTHING),
    Part("format", ["-m", "ruff", "format", "--check", "."], reads=inputs.EVERYTHING),
    Part("types", ["-m", "mypy", *TYPED], reads=inputs.PYTHON),
    Part(
        "imports",
        ["-c", "from importlinter import cli; cli.lint_imports_command()"],
        reads=inputs.PYTHON,
    ),
    Part("scripts", ["-m", "book.javascript"], reads=inputs.SCRIPTS),
    Part(
        "doctests",
        [*PYTEST, *DOCTESTS, "transformer_lib", "course", "README.md"],
        reads=inputs.NUMERIC,
    ),
]
UNIT_TESTS = Part("unit tests", [*PYTEST, *SHARED, "-m", "not slow and not long", *UNIT])
WITHOUT_BOOK = [
    Part(
        "numeric tests with shapes checked",
        [*PYTEST, *SHARED, *SHORT, SHAPES, *numeric.numeric_tests(), f"--ignore={CLAIMS}"],
        reads=[*inputs.NUMERIC, *numeric.numeric_files()],
        proves=numeric.numeric_tests,
    ),
    Part(
        "notebooks",
        [*PYTEST, *SHARED, *NBVAL, "chapters"],
        reads=inputs.NOTEBOOKS,
        proves=numeric.notebooks,
    ),
]
WITH_BOOK = [
    Part(
        "tests of the book",
        [*PYTEST, *SHARED, *SHORT, "tests/book", *numeric.other_tests(), CLAIMS, COMPILED],
        reads=inputs.EVERYTHING,
    ),
    Part("tests of the judge", [*PYTEST, *SHARED, *SHORT, *JUDGE], reads=inputs.JUDGE),
    # tests/browser/conftest.py says which tests share a worker: those of a page.
    Part(
        "tests in a browser",
        [*PYTEST, *TRIED_AGAIN, *SHORT, "tests/browser"],
        reads=inputs.BROWSER,
    ),
    Part("measures", ["-m", "book.measures"], reads=inputs.EVERYTHING),
]
ALL = [BOOK, *ON_ONE_CORE, *WITHOUT_BOOK, *WITH_BOOK]

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
        "tests/course/published",
        "tests/exercises/test_published_model.py",
        "tests/families",
        "tests/text",
        *NBVAL,
        *(f"chapters/{name}" for name in numeric.PUBLISHED),
    ],
}


def check() -> list[Part]:
    """Run the quick parts one after the other."""
    parts = [*ON_ONE_CORE, UNIT_TESTS]
    for part in parts:
        part.run()
    return parts


def test() -> list[Part]:
    """Run every part, whatever fails, but none that is known to pass; return those that ran."""
    parts = [part for part in ALL if not is_known(part)]
    waves = [[part for part in parts if (part in WITH_BOOK) is late] for late in (False, True)]
    before = reference.unit(CORES)
    for wave in waves:
        beside_the_book(wave)
        after = reference.unit(CORES)
        for part in wave:
            part.unit = (before + after) / 2
        before = after
    return parts


def is_known(part: Part) -> bool:
    """Whether a part has passed here with what it reads as it is; says so."""
    if os.environ.get("CI") == "true" or not part.has_passed():
        return False
    print(f"Not run, because it passed here with the same files: {part.name}.")
    return True


def beside_the_book(parts: Sequence[Part]) -> None:
    """Run parts, and build the book beside those that do not need it."""
    with ThreadPoolExecutor(1) as beside:
        building = beside.submit(BOOK.run, at_once=False) if BOOK in parts else None
        for part in parts:
            if part is not BOOK:
                part.run()
        if building:
            building.result()


def long(names: Sequence[str]) -> list[Part]:
    """Run these parts of what `make test` leaves out."""
    parts = [long_part(name) for name in names]
    if BROWSER & {part.name for part in parts}:
        parts.insert(0, BOOK)
    for part in parts:
        part.run()
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


def summarize(parts: list[Part], seconds: float, over: Sequence[Overrun] = ()) -> bool:
    """Print what each part took, what was tried again and what failed; True when all is well."""
    print("\nThe parts, by the clock, in seconds of processor, and in units of the reference job:")
    for part in parts:
        failed = "" if part.passed else "  FAILED"
        print(f"  {part.seconds:6.1f} s {part.cpu:6.1f} s {part.units:6.1f}  {part.name}{failed}")
    cpu, units = (sum(map(attrgetter(name), parts)) / 60 for name in ("cpu", "units"))
    print(f"Together {cpu:.1f} minutes of processor, {units:.1f} of a quiet one.")
    for line in (line for each in over for line in each.lines):
        print(line)
    for name in (name for part in parts for name in part.tried_again):
        print(f"TRIED AGAIN {name}")
    missed = [part.name for part in parts if not part.passed]
    missed += [each.name for each in over if each.name and each.name not in missed]
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
    over = settle(parts) if asked.what == "test" else []
    all_is_well = summarize(parts, time.perf_counter() - start, over)
    return 0 if say_what_did_not_run(asked.what != "check") and all_is_well else 1


def settle(parts: Sequence[Part]) -> list[Overrun]:
    """Record which parts passed within their budgets, and return what took more than it may."""
    over = budget.overruns(parts)
    for part in parts:
        if part.passed and part.name not in {each.name for each in over}:
            part.remember()
    return over + ([budget.whole(parts)] if list(parts) == ALL else [])


def say_what_did_not_run(everything: bool) -> bool:
    """Print which tests want a program that is not here; True where that is no failure."""
    lines = tools.not_run() if everything else []
    for line in lines:
        print(line)
    return not lines or os.environ.get("CI") != "true"


if __name__ == "__main__":
    sys.exit(main())
