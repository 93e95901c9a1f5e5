"""Train in processes that kill themselves at a moment of their own choice: when they touch a file.

`python -m tests.training.killed RUN.toml OUT` trains once, whole, into OUT/0. Then it prints,
moment by moment, how the process that was killed there ended and how the one that went on from its
files did.
"""

import os
import signal
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

from course.training import runs
from transformer_lib.training import __main__ as command

TOUCHES = {"open", "os.rename", "os.remove"}


def ended(run: Path, out: Path, at: int | None = None) -> int:
    """Train in a process of its own, which dies at the moment `at`; return how it ended.

    Moments are before each touch of a file in `out`, and when one to be written is still empty.
    """
    child = os.fork()
    if child == 0:
        sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")
        if at is not None:
            sys.addaudithook(_killing(str(out), at))
        os._exit(command.main([str(run), "--out", str(out), "--resume"]))
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _killing(folder: str, at: int) -> Any:
    moments = count(1)

    def watch(event: str, details: tuple[Any, ...]) -> None:
        if event not in TOUCHES or not str(details[0]).startswith(folder):
            return
        if next(moments) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        if event == "open" and "w" in str(details[1]) and next(moments) == at:
            os.open(details[0], os.O_CREAT | os.O_WRONLY | os.O_TRUNC)
            os.kill(os.getpid(), signal.SIGKILL)

    return watch


def story(run: Path, out: Path) -> Iterator[tuple[int, int]]:
    """Yield how both processes ended, moment by moment, until one is never killed."""
    for at in count(1):
        folder = out / str(at)
        killed = ended(run, folder, at)
        yield killed, ended(run, folder)
        if killed == 0:
            return


if __name__ == "__main__":
    runs.HELD_OUT = 20
    file, folder = Path(sys.argv[1]), Path(sys.argv[2])
    # In this process: whatever it imports on the way, the others need not import again.
    command.main([str(file), "--out", str(folder / "0")])
    for both in story(file, folder):
        print("ended", *both, flush=True)
