"""A nursery inside bubblewrap, and the sandboxes that are born in it, one a submission."""

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from typing import Any

from exercises.grader import seccomp
from exercises.grader.channel import Channel
from exercises.grader.limits import MEBIBYTE
from exercises.grader.walls import THREADS, Kit

FIRST_USER = 65_000  # as root, the sandboxes of worker n run as user 65000 + n
START_SECONDS = 30.0


class Nursery:
    """A bubblewrap in which sandboxes are born, one at a time."""

    def __init__(self, kit: Kit, slot: int = 0) -> None:
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
        if self._heard() != "ready":
            lines = self.close().decode("utf-8", "replace").strip().splitlines()
            raise RuntimeError(f"the sandbox did not start: {lines[-1] if lines else 'no reason'}")
        Sandbox(self).kill()  # better a refusal now than a batch of zeros

    def order(self, word: bytes, pipes: Sequence[int] = ()) -> str:
        """Send an order and return the answer; the alarm of a task must not come in between."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        try:
            socket.send_fds(self.judge, [word], pipes)
            return self._heard()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _heard(self) -> str:
        try:
            return self.judge.recv(1000).decode("utf-8", "replace")
        except OSError as error:
            return f"no answer ({error})"

    def close(self) -> bytes:
        """End every process in it and return what was on stderr."""
        self.judge.close()
        try:
            # At the end of the socket the nursery leaves; all that is in its namespace ends too.
            _, said = self.process.communicate(timeout=0.5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, said = self.process.communicate()
        return bytes(said)


class Nurseries:
    """One nursery a worker, started when it is first needed."""

    def __init__(self, kit: Kit) -> None:
        self.kit = kit
        self.open: dict[int, Nursery] = {}

    def of(self, slot: int) -> Nursery:
        """Return the nursery of a worker."""
        if slot not in self.open:
            self.open[slot] = Nursery(self.kit, slot)
        return self.open[slot]

    def close(self, slot: int) -> None:
        """End a nursery and all that is in it; the next submission gets a new one."""
        if slot in self.open:
            self.open.pop(slot).close()


class Sandbox:
    """A running sandbox; `channel` speaks to it, `kill` ends everything in it."""

    def __init__(self, nursery: Nursery) -> None:
        self.nursery = nursery
        to_read, write_to = os.pipe()
        read_from, to_write = os.pipe()
        said = nursery.order(b"bear", [to_read, to_write])
        os.close(to_read)
        os.close(to_write)
        self.channel = Channel(write_to, read_from)
        if said != "born":
            raise RuntimeError(f"the sandbox did not start: {said}")
        ready = self.channel.receive(time.monotonic() + START_SECONDS)
        if ready != {"ready": True}:
            raise RuntimeError("the sandbox did not start")

    def kill(self) -> None:
        """End it; every process in it is gone when this returns."""
        self.channel.close()
        if self.nursery.order(b"kill") != "gone":
            raise RuntimeError("the sandbox did not end")


def _settings(kit: Kit, slot: int, handle: int) -> dict[str, Any]:
    caps = kit.limits
    limits = {"AS": caps.memory_mb * MEBIBYTE, "FSIZE": caps.file_mb * MEBIBYTE, "CORE": 0}
    limits |= {"NOFILE": caps.open_files, "NPROC": caps.processes, "CPU": int(caps.total) + 10}
    limits |= {"MEMLOCK": 0, "MSGQUEUE": 0, "SIGPENDING": 64}
    user = FIRST_USER + slot if kit.sandboxed and os.getuid() == 0 else 0
    if not kit.sandboxed:
        limits = {name: limits[name] for name in ("AS", "CORE", "CPU")}
    rules = seccomp.program() if kit.sandboxed and seccomp.available() else b""
    return {
        "user": user,
        "limits": limits,
        "imports": list(kit.imports),
        "walls": kit.sandboxed,
        "filter": rules.hex(),
        "tmp": caps.file_mb * MEBIBYTE,
        "socket": handle,
    }
