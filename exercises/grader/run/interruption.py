"""Signals that end a command, collected so that they end it at a point of its own choice."""

import contextlib
import os
import signal
from collections.abc import Iterator

KINDS = (signal.SIGINT, signal.SIGTERM)


@contextlib.contextmanager
def held_back() -> Iterator[int]:
    """Collect these signals; the pipe that is yielded can be read once one has come.

    The exception that Python raises in their place could get lost: in the midst of a fork, for one,
    what its own hooks raise is printed and forgotten.
    """
    receiver, sender = os.pipe()
    before = [signal.signal(kind, lambda number, frame: os.write(sender, b"!")) for kind in KINDS]
    try:
        yield receiver
    finally:
        for kind, handler in zip(KINDS, before, strict=True):
            signal.signal(kind, handler)
        os.close(receiver)
        os.close(sender)


def let_through() -> None:
    """Let these signals end this process, one that was forked meanwhile."""
    for kind in KINDS:
        signal.signal(kind, signal.SIG_DFL)
