"""A crew on other machines: submissions are tasks of a dask.distributed cluster.

The command keeps the order of turns and writes every result. A task whose worker dies is given to
another one by dask; only the first outcome of a turn is ever seen here.
"""

import importlib
import json
import logging
import os
import re
import signal
from concurrent.futures import CancelledError
from multiprocessing import resource_tracker
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from exercises.grader import job, results, source, worker
from exercises.grader.job import Batch, Turn
from exercises.grader.results import Result
from exercises.grader.turns import Turns
from exercises.grader.worker import Parcel

LOCAL = re.compile(r"local:([1-9][0-9]*)")
START_SECONDS = 60.0  # until the first worker is there
PATIENCE = 120.0  # without any worker, until the command gives up; it can go on later
AHEAD = 2  # tasks a thread: one that runs and one that waits at its worker
GONE = "the cluster is gone; the same command goes on from here"
MISSING = (
    "--dask needs dask.distributed: pip install './exercises[cluster]', or pip install distributed"
)


class Cluster:
    """Workers of a cluster, each with as many hosts of sandboxes as it has threads."""

    def __init__(self, batch: Batch, bank: Path, where: str) -> None:
        self.batch, self.parcel = batch, parcel_of(batch, bank)
        self.pending: dict[Any, Turn] = {}
        self.local, self.client = connect(where)
        self.told, self.tell = os.pipe()
        try:
            self._check(where)
        except BaseException:
            self.close()
            raise

    def _check(self, where: str) -> None:
        try:
            self.client.wait_for_workers(1, timeout=START_SECONDS)
        except TimeoutError as error:
            raise RuntimeError(f"{where} has no worker: start some with `dask worker`") from error
        said = self.client.run(worker.trouble, self.parcel, on_error="return")
        for address, trouble in said.items():
            if trouble:
                raise RuntimeError(f"the worker {address}: {trouble}")

    def take(self, turns: Turns) -> bool:
        """Hand out turns while workers have room; True if any is being taken."""
        room = AHEAD * max(1, self._threads())
        while len(self.pending) < room and (turn := turns.next(quiet=not self.pending)) is not None:
            future = self.client.submit(worker.take, self.parcel, turn, pure=False)
            self.pending[future] = turn
            future.add_done_callback(lambda done: os.write(self.tell, b"!"))
        return bool(self.pending)

    def await_one(self, stop: int) -> bool:
        """Wait until a turn may be over; True if the command is to stop instead.

        Raises:
            RuntimeError: there is no worker any more.
        """
        ready = wait([self.told, stop], PATIENCE)
        if not ready and not self._threads():
            raise RuntimeError("the cluster has no worker left; the same command goes on from here")
        return stop in ready

    def _threads(self) -> int:
        try:
            return sum(self.client.nthreads().values())
        except OSError as error:
            raise RuntimeError(GONE) from error

    def collect(self, turns: Turns) -> None:
        """Keep what became of the turns that are over."""
        if wait([self.told], 0):
            os.read(self.told, 4096)
        for future in [each for each in self.pending if each.done()]:
            turn = self.pending.pop(future)
            turns.settle(turn, self._outcome(future, turn))

    def _outcome(self, future: Any, turn: Turn) -> Result | Turn:
        if future.status == "error":
            return job.after_trouble(self.batch, turn, str(future.exception()))
        if future.status != "finished":
            raise RuntimeError(GONE)
        try:
            outcome: Result | Turn = future.result()
        except (OSError, CancelledError) as error:
            raise RuntimeError(GONE) from error
        if isinstance(outcome, Result):
            results.save(outcome, job.path_of(self.batch, turn.submission))
        return outcome

    def close(self) -> None:
        """Let go of the cluster, and end it if it is one of our own."""
        self.client.close()
        if self.local is not None:
            self.local.close()


def parcel_of(batch: Batch, bank: Path) -> Parcel:
    """Return what a worker needs to know."""
    name = batch.assignment.name
    text = json.dumps(source.read(source.path_of(bank / name)))
    digest, caps = batch.assignment.digest, batch.kit.limits
    return Parcel(name, text, digest, caps, batch.seed, job.version(), batch.versions)


def connect(where: str) -> tuple[Any, Any]:
    """Return a cluster of our own, if `where` asks for one, and a client.

    Raises:
        RuntimeError: dask.distributed is not installed.
        ValueError: `where` is neither local:N nor an address.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError as error:
        raise RuntimeError(MISSING) from error
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # the command says itself what it lacks
    if where.startswith("local"):
        if (found := LOCAL.fullmatch(where)) is None:
            raise ValueError(f"--dask must be local:N, with N workers, or an address: {where!r}")
        # Ctrl-C reaches every process of the terminal, and a worker would print where it was; one
        # that inherits this mask leaves the end to the command, which waits for it until all run.
        resource_tracker.ensure_running()  # it would lift the mask
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            local = distributed.LocalCluster(
                n_workers=int(found[1]),
                threads_per_worker=1,
                memory_limit=None,  # the sandboxes have limits of their own
                dashboard_address=None,
                silence_logs=logging.ERROR,
            )
            return local, distributed.Client(local)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
    return None, distributed.Client(where, timeout=START_SECONDS)
