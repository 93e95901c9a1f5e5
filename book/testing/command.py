"""One command of `make test`: what it reads, how it ends, and what it takes."""

import hashlib
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from book.paths import ROOT
from book.testing import inputs, parts as numeric, processor_time, processors, tools
from course.published import fetch

REPORTS = ROOT / "_build" / "reports"


@dataclass
class Part:
    """One command: what it runs, how it ended and what that took."""

    name: str
    arguments: list[str]
    reads: Sequence[str] = ()
    """Patterns of all files that the outcome depends on; one that names none always runs."""
    proves: Callable[[], list[str]] = list
    """The notebooks or tests that `make portable` need not run once more as this machine would."""
    status: int | None = None
    seconds: float = 0.0
    cpu: float = 0.0
    """Seconds of processor, also of the programs that it started and that have ended."""
    unit: float = 1.0
    """Seconds of processor that the reference job took beside it."""
    digest: str = ""
    """A hash of what it read, taken before it ran."""
    tried_again: Sequence[str] = ()
    by_file: dict[str, float] = field(default_factory=dict)
    """Seconds of processor of each file of its tests, the dearest first."""

    @property
    def passed(self) -> bool:
        """Whether it has run and nothing in it has failed."""
        return self.status == 0

    @property
    def units(self) -> float:
        """What it took, in reference jobs."""
        return self.cpu / self.unit

    def report(self, suffix: str) -> Path:
        """The file in which it says something about itself."""
        return REPORTS / f"{self.name.replace(' ', '-')}.{suffix}"

    def key(self) -> str:
        """A hash of the command, of what it reads, and of the machine and its programs."""
        here = [processors.fingerprint(), tools.fingerprint(), fetch.is_there(), self.arguments]
        files = inputs.digest(ROOT, list(self.reads))
        return hashlib.sha256(f"{files} {here}".encode()).hexdigest()

    def has_passed(self) -> bool:
        """Whether it has passed here with these very inputs."""
        stamp = self.report("passed")
        return (
            bool(self.reads) and stamp.exists() and stamp.read_text(encoding="utf-8") == self.key()
        )

    def remember(self) -> None:
        """Record that it passed with what it read."""
        self.report("passed").write_text(self.digest, encoding="utf-8")

    def run(self, at_once: bool = True) -> None:
        """Run it; show its output as it comes, or else when it is done."""
        if at_once:
            print(f"\n=== {self.name}", flush=True)
        self.digest = self.key()
        proved = [(each, each.key) for each in map(numeric.native, self.proves())]
        start = time.perf_counter()
        with tempfile.TemporaryFile() as said:
            command = self.command()
            self.status, self.cpu = processor_time.run(command, None if at_once else said)
            self.seconds = time.perf_counter() - start
            if not at_once:
                said.seek(0)
                print(f"\n=== {self.name}\n{said.read().decode()}", flush=True)
        self.read_reports()
        for each, key in proved if self.passed else ():
            each.remember(key)

    def command(self) -> list[str]:
        """What is called: tests also write which were tried again, and what each file took."""
        for suffix in ("xml", "json"):
            self.report(suffix).unlink(missing_ok=True)
        words = [each for each in self.arguments if not missing_folder(each)]
        if "--reruns" in words:
            words.append(f"--junitxml={self.report('xml')}")
        if "pytest" in words:
            words += ["-p", "book.testing.spent", f"--spent={self.report('json')}"]
        return [sys.executable, *words]

    def read_reports(self) -> None:
        """Read what its tests wrote about themselves, where they wrote it."""
        self.tried_again = more_than_once(self.report("xml"))
        if self.report("json").exists():
            self.by_file = json.loads(self.report("json").read_text(encoding="utf-8"))


def more_than_once(report: Path) -> list[str]:
    """The tests that stand in a report of pytest more than once: those that were tried again."""
    cases = ElementTree.parse(report).iter("testcase") if report.exists() else ()
    names = Counter(f"{case.get('classname')}::{case.get('name')}" for case in cases)
    return [name for name, times in names.items() if times > 1]


def missing_folder(argument: str) -> bool:
    """Whether an argument names a folder of tests that this repository does not have."""
    return argument.startswith("tests/") and not (ROOT / argument).exists()
