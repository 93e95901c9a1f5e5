"""Tell code that waits for nobody from code that waits for a processor.

Both look the same on the clock. Linux counts for each thread how long it was ready to run while
others ran, as the second number of its `schedstat`.
"""

import contextlib
from pathlib import Path

NANO = 1e-9


def waited(process: int) -> float:
    """Return for how many seconds a process and all below it were ready to run and did not.

    A kernel that does not count this says 0.
    """
    total = 0.0
    with contextlib.suppress(OSError):
        for thread in Path(f"/proc/{process}/task").iterdir():
            total += _of(thread) + sum(map(waited, _children(thread)))
    return total


def _of(thread: Path) -> float:
    with contextlib.suppress(OSError, IndexError):
        return int((thread / "schedstat").read_text(encoding="ascii").split()[1]) * NANO
    return 0.0


def _children(thread: Path) -> list[int]:
    with contextlib.suppress(OSError):
        return [int(each) for each in (thread / "children").read_text(encoding="ascii").split()]
    return []
