"""`python -m exercises.grader.host HANDLE`: a process of a worker that holds sandboxes.

Parcels and turns come over the socket HANDLE. When its other end is closed, because the worker has
ended, say, this process and all that is in it end too.
"""

import argparse
import importlib
import socket
import tempfile
from multiprocessing.connection import Connection
from pathlib import Path

from exercises.grader import assignment, job, walls
from exercises.grader.job import Batch, Turn
from exercises.grader.results import Result
from exercises.grader.sandbox import Nurseries
from exercises.grader.worker import Parcel

FIRST_SLOT = 100  # `grade --workers N` on the same machine has those from 0 on
SLOTS = 400


def main() -> None:
    """Judge what comes until nothing can come any more."""
    reader = argparse.ArgumentParser(prog="python -m exercises.grader.host", description=__doc__)
    reader.add_argument("handle", metavar="HANDLE", type=int, help="an open socket")
    link = Connection(reader.parse_args().handle)
    mark, slot = claim()
    with mark, tempfile.TemporaryDirectory() as room:
        bench = Bench(Path(room), slot)
        try:
            while True:
                link.send(answer(bench, link))
        except (EOFError, BrokenPipeError, ConnectionResetError):
            pass
        finally:
            bench.close()


def answer(bench: "Bench", link: Connection) -> Result | Turn | str | None:
    """Return what became of the next turn, or in words why it could not be judged."""
    parcel, turn = link.recv()
    try:
        bench.lay(parcel)
        return bench.judged(turn, link)
    except (RuntimeError, ValueError, OSError) as error:
        return str(error) or repr(error)


def claim() -> tuple[socket.socket, int]:
    """Return a slot that no other host on this machine has, and what marks it as taken.

    As root, sandboxes of different slots run as different users.
    """
    for slot in range(FIRST_SLOT, FIRST_SLOT + SLOTS):
        mark = socket.socket(socket.AF_UNIX)
        try:
            mark.bind(f"\0worked-transformer-judge-{slot}")  # the kernel frees it when we end
        except OSError:
            mark.close()
        else:
            return mark, slot
    raise RuntimeError(f"{SLOTS} hosts of sandboxes run on this machine already")


class Bench:
    """What is needed to judge the submissions of one parcel, one at a time."""

    def __init__(self, room: Path, slot: int) -> None:
        self.room, self.slot = room, slot
        self.parcel: Parcel | None = None
        self.batch: Batch
        self.nurseries: Nurseries | None = None

    def lay(self, parcel: Parcel) -> None:
        """Make all ready for this parcel, if it is another than before."""
        if parcel == self.parcel:
            return
        self.close()
        folder = self.room / parcel.name
        (self.room / "results").mkdir(exist_ok=True)
        folder.mkdir(exist_ok=True)
        (folder / f"{parcel.name}.ipynb").write_text(parcel.notebook, encoding="utf-8")
        made = assignment.load(folder)
        if made.digest != parcel.digest:
            raise RuntimeError("the assignment changed on its way")
        for name in made.imports:
            importlib.import_module(name)  # once, before the processes part
        kit = walls.kit(parcel.limits, made.imports)
        self.batch = Batch(made, kit, self.room, self.room, parcel.seed, parcel.versions)
        self.nurseries, self.parcel = Nurseries(kit), parcel

    def judged(self, turn: Turn | None, link: Connection) -> Result | Turn | None:
        """Return what became of a turn.

        Raises:
            EOFError: nobody waits for it any more.
        """
        assert self.nurseries is not None
        nursery = self.nurseries.of(self.slot)
        if turn is None:
            return None
        running = job.start(self.batch, turn, nursery, self.slot)
        try:
            while not job.is_over(running):
                if job.await_one([running], link.fileno()):
                    raise EOFError
        finally:
            running.process.kill()
            running.process.join()
        outcome = job.collect(self.batch, running)
        if running.process.exitcode != 0:
            self.nurseries.close(self.slot)
        return outcome

    def close(self) -> None:
        """End its sandboxes."""
        if self.nurseries is not None:
            self.nurseries.close(self.slot)
        self.nurseries = self.parcel = None


if __name__ == "__main__":
    main()
