"""Run notebooks and numeric tests as other processors would: `python -m book.portable [NAMES]`.

Names such as `04 nn test_bad_input` mean these chapters, folders and files of tests alone. A part
that passed runs again when its inputs have changed. So a run that was stopped goes on where it was,
and what `make test` has just proved for this processor is not run a second time.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from book.environment import environment
from book.paths import ROOT
from book.testing import parts
from book.testing.parts import Part
from book.testing.processors import playable

PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]


def run(part: Part) -> tuple[bool, str, float]:
    """Run one part: whether it passed, what it said and how many seconds it took."""
    key, start = part.key, time.perf_counter()
    nbval = ["--nbval"] if part.target.endswith(".ipynb") else []
    done = subprocess.run(
        [*PYTEST, *nbval, part.target],
        cwd=ROOT,
        env=environment(part.setting.threads, part.setting.instructions),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        part.remember(key)
    return done.returncode == 0, done.stdout + done.stderr, time.perf_counter() - start


def run_all(asked: Sequence[Part]) -> Iterator[tuple[Part, bool, str, float]]:
    """Run the parts, as many at a time as there are cores for their threads; each as it ends."""
    for threads in sorted({part.setting.threads for part in asked}):
        with ThreadPoolExecutor(max(1, cores() // threads)) as pool:
            pending = {pool.submit(run, p): p for p in asked if p.setting.threads == threads}
            try:
                for future in as_completed(pending):
                    yield pending[future], *future.result()
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def chosen(targets: list[str], names: Sequence[str]) -> list[str]:
    """The notebooks, folders and files that these names mean, all where there are none.

    Raises:
        SystemExit: a name means nothing.

    >>> chosen(["chapters/04_attention.ipynb", "tests/nn"], ["04"])
    ['chapters/04_attention.ipynb']
    """
    stems = {target: Path(target).stem for target in targets}
    meant = {
        name: [each for each in targets if name in (each, stems[each], stems[each][:2])]
        for name in names
    }
    if unknown := [name for name, found in meant.items() if not found]:
        raise SystemExit(f"{' '.join(unknown)} must be of {', '.join(stems.values())}")
    wanted = set().union(*meant.values()) if names else set(targets)
    return [target for target in targets if target in wanted]


def play(asked: Sequence[Part]) -> list[str]:
    """Run the parts, with a line for each and what a failed one said; those that failed."""
    failed = []
    for done, (part, passed, said, seconds) in enumerate(run_all(asked), start=1):
        name = f"{part.setting.name}: {part.target}"
        verdict = "passed" if passed else "FAILED"
        print(f"[{done}/{len(asked)}] {name} {verdict}, {seconds:.0f} s", flush=True)
        if not passed:
            failed.append(name)
            print(said, flush=True)
    return failed


def main(words: Sequence[str] | None = None) -> int:
    """Run what has not passed yet and say in a plain line what came of it."""
    reader = argparse.ArgumentParser(prog="python -m book.portable", description=__doc__)
    reader.add_argument("names", nargs="*", help="of chapters, folders or files; all unless given")
    names = reader.parse_args(words).names
    start = time.perf_counter()
    settings, not_played = playable()
    targets = chosen([*parts.notebooks(), *parts.numeric_tests()], names)
    everything = [Part(setting, target) for setting in settings for target in targets]
    asked = [part for part in everything if not part.has_passed()]
    under = ", ".join(setting.name for setting in settings)
    print(f"{len(everything)} parts under {under}; {len(everything) - len(asked)} passed before.")
    missed = play(asked)
    for line in [*(f"FAILED {name}" for name in missed), *not_played]:
        print(line)
    minutes = (time.perf_counter() - start) / 60
    failed, passed = len(missed), len(everything) - len(missed)
    verdict = f"{failed} FAILED, {passed} passed before or now" if failed else "every part passed"
    print(f"Portable, under {under}: {verdict}. Took {minutes:.1f} minutes.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
