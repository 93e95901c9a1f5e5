"""What a worker of a cluster does: it hands submissions to processes that hold sandboxes."""

import os
import socket
import subprocess
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

from exercises.grader import job
from exercises.grader.job import Turn
from exercises.grader.results import Result
from exercises.grader.sandboxed.limits import Limits


class Parcel(NamedTuple):
    """All that the submissions of one run share, in a form that another machine can read."""

    name: str
    notebook: str  # the source, with the files that it runs in their places
    digest: str
    limits: Limits
    seed: int
    version: str
    versions: frozenset[int] = frozenset()  # earlier ones of the assignment that are judged too


class Host:
    """A process that judges one submission at a time.

    Workers have threads, and a process with threads must not fork as the judge does.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        root = str(Path(__file__).resolve().parents[2])
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", "exercises.grader.host", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": root},
                start_new_session=True,
            )
        self.link = Connection(ours.detach())

    def ask(self, parcel: Parcel, turn: Turn | None) -> Result | Turn | None:
        """Return what became of a turn; without one, only see that a sandbox starts.

        Raises:
            RuntimeError: it could not be judged, which says nothing about the submission.
        """
        try:
            self.link.send((parcel, turn))
            outcome: Result | Turn | str | None = self.link.recv()
        except (EOFError, OSError) as error:
            raise RuntimeError(f"a host of sandboxes has ended ({error!r})") from error
        if isinstance(outcome, str):
            raise RuntimeError(outcome)
        return outcome

    def close(self) -> None:
        """End it and all that is in it."""
        self.link.close()
        self.process.kill()
        self.process.wait()


IDLE: list[Host] = []
"""The hosts of this worker that have nothing to do: in all, one a thread."""


def take(parcel: Parcel, turn: Turn | None = None) -> Result | Turn | None:
    """Judge a submission here; without one, see that it could be done.

    Raises:
        RuntimeError: as of `Host.ask`, or the judge here is another.
    """
    if parcel.version != job.version():
        raise RuntimeError("the judge here is another version: install the same on all machines")
    try:
        host = IDLE.pop()
    except IndexError:
        host = Host()
    try:
        outcome = host.ask(parcel, turn)
    except BaseException:
        host.close()
        raise
    IDLE.append(host)
    return outcome


def trouble(parcel: Parcel) -> str:
    """Return why nothing can be judged here, "" if all is well."""
    try:
        take(parcel)
    except Exception as error:
        return str(error)
    return ""
