"""Start a fork server inside bubblewrap, and the sandboxes in it, one at a time."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from exercises.grader.run import seccomp
from exercises.grader.run.channel import Broken, Channel
from exercises.grader.run.clock import undisturbed
from exercises.grader.run.errors import Trouble
from exercises.grader.run.isolation import THREADS, Kit
from exercises.grader.sandboxed.limits import MEBIBYTE, Limits
from exercises.grader.sandboxed.messages import Kind, Order, Said

FIRST_USER = 65_000  # as root, the sandboxes of worker n run as user 65000 + n
START_SECONDS = 30.0
ANSWER_SECONDS = 5.0  # for an order that takes no time
END_SECONDS = 0.5


class ForkServer:
    """A bubblewrap in which sandboxes are forked, one at a time."""

    def __init__(self, kit: Kit, slot: int = 0) -> None:
        self.processor_seconds = processor_seconds(kit.limits)
        self.judge, inside = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.judge.settimeout(START_SECONDS)
        with inside:
            self.process = subprocess.Popen(
                [*kit.command, json.dumps(_settings(kit, slot, inside.fileno()))],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=[inside.fileno()],
                env={name: "1" for name in THREADS},
                start_new_session=True,
            )
        try:
            self._heard(Said.READY)
        except Trouble as trouble:
            lines = self.close().decode("utf-8", "replace").strip().splitlines()
            why = lines[-1] if lines else str(trouble)
            raise RuntimeError(f"the sandbox did not start: {why}") from trouble
        try:
            Sandbox(self).end()  # better a refusal now than a batch that nobody can judge
        except Trouble as trouble:
            self.close()
            raise RuntimeError(f"the sandbox did not start: {trouble}") from trouble

    def order(self, order: Order, answer: Said, pipes: Sequence[int] = ()) -> dict[str, Any]:
        """Send an order and return the answer; the alarm of a task must not come in between.

        Raises:
            Trouble: the fork server does not answer correctly, perhaps because it was killed.
        """
        with undisturbed():
            try:
                socket.send_fds(self.judge, [order.encode()], pipes)
            except OSError as error:
                raise Trouble(f"the process that starts the sandboxes is gone ({error})") from error
            return self._heard(answer)

    def _heard(self, wanted: Said) -> dict[str, Any]:
        try:
            raw = self.judge.recv(1000)
        except OSError as error:
            raise Trouble(
                f"the process that starts the sandboxes does not respond ({error})"
            ) from error
        answer: dict[str, Any] = json.loads(raw) if raw else {"why": "it has ended"}
        if answer.get("said") != wanted:
            raise Trouble(f"the process that starts the sandboxes failed: {answer.get('why')}")
        return answer

    def is_alive(self) -> bool:
        """Return whether the process of the fork server still runs."""
        return self.process.poll() is None

    def answers(self) -> bool:
        """Return whether the fork server still obeys after a judge that used it was killed."""
        try:
            self.judge.settimeout(0)
            with contextlib.suppress(BlockingIOError):
                while self.judge.recv(1000):
                    """What the judge that was killed has not read."""
            self.judge.settimeout(ANSWER_SECONDS)
            return bool(self.order(Order.SPENT, Said.SPENT))
        except (Trouble, OSError):
            return False

    def close(self) -> bytes:
        """End every process in the fork server and return its stderr."""
        self.judge.close()
        # At the end of the socket the fork server leaves; all that is in its namespace ends too.
        for _ in range(2):
            try:
                return bytes(self.process.communicate(timeout=END_SECONDS)[1])
            except subprocess.TimeoutExpired:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.process.pid, signal.SIGKILL)
        return b""


class ForkServers:
    """One fork server per worker, started when it is first needed or the last one has died."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self.open: dict[int, ForkServer] = {}
        self.proven = False  # whether one has ever started

    def of(self, slot: int) -> ForkServer:
        """Return the fork server of a worker."""
        if slot in self.open and not self.open[slot].is_alive():
            self.close(slot)
        if slot not in self.open:
            self.open[slot] = ForkServer(self.kit, slot)
            self.proven = True
        return self.open[slot]

    def close(self, slot: int) -> None:
        """End a fork server and all processes in it; the next submission gets a new one."""
        if slot in self.open:
            self.open.pop(slot).close()


class Sandbox:
    """A running sandbox; `channel` speaks to it, `end` ends everything in it.

    Raises:
        Trouble: it could not be made; no code of a student has run in it.
    """

    def __init__(self, fork_server: ForkServer) -> None:
        self.fork_server = fork_server
        to_read, write_to = os.pipe()
        read_from, to_write = os.pipe()
        self.channel = Channel(write_to, read_from)
        try:
            fork_server.order(Order.FORK, Said.FORKED, [to_read, to_write])
        finally:
            os.close(to_read)
            os.close(to_write)
        try:
            ready = self.channel.receive(time.monotonic() + START_SECONDS)
        except Broken as error:
            raise Trouble(f"a sandbox did not start: {error}") from error
        if ready.get("kind") != Kind.READY:
            raise Trouble("a sandbox did not start")

    def spent(self) -> float:
        """Return the processor seconds of the student's process so far."""
        return float(self.fork_server.order(Order.SPENT, Said.SPENT)["spent"])

    def end(self, by_itself: bool = False) -> float:
        """End the sandbox with every process in it, and return its processor seconds.

        Args:
            by_itself: whether the sandbox seems to have ended already.

        Raises:
            Trouble: the fork server is gone too, or the sandbox was killed from outside.
        """
        self.channel.close()
        order = Order.REAP if by_itself else Order.KILL
        gone = self.fork_server.order(order, Said.GONE)
        if gone["outside"] and gone["spent"] < self.fork_server.processor_seconds:
            raise Trouble(
                "a sandbox was killed from outside, perhaps because there was not enough memory"
            )
        return float(gone["spent"])


def processor_seconds(caps: Limits) -> int:
    """Return after how many processor seconds the kernel ends a sandbox."""
    return int(caps.total) + 10


def _settings(kit: Kit, slot: int, handle: int) -> dict[str, Any]:
    caps = kit.limits
    limits = {"AS": caps.memory_mb * MEBIBYTE, "FSIZE": caps.file_mb * MEBIBYTE, "CORE": 0}
    limits |= {"NOFILE": caps.open_files, "NPROC": caps.processes, "CPU": processor_seconds(caps)}
    limits |= {"MEMLOCK": 0, "MSGQUEUE": 0, "SIGPENDING": 64}
    user = FIRST_USER + slot if kit.sandboxed and os.getuid() == 0 else 0
    if not kit.sandboxed:
        limits = {name: limits[name] for name in ("AS", "CORE", "CPU")}
    rules = seccomp.program() if kit.sandboxed and seccomp.available() else b""
    return {
        "user": user,
        "limits": limits,
        "imports": list(kit.imports),
        "isolated": kit.sandboxed,
        "filter": rules.hex(),
        "tmp": caps.file_mb * MEBIBYTE,
        "socket": handle,
    }
