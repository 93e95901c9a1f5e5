"""An alarm that ends a test, and moments in which it must not ring."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType


class OutOfTime(BaseException):
    """The test of one task takes too long, for any reason."""


@contextlib.contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise OutOfTime here after some seconds."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Delay an alarm that rings now until the end of this block."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
