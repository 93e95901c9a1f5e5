"""Inside bubblewrap: a process that has imported everything and forks a sandbox per submission.

Importing numpy takes a tenth of a second and torch more than one; a fork takes milliseconds. This
process never runs a line of a student. Each child gets namespaces of its own inside bubblewrap's,
so it sees neither this process nor any other child, and then locks itself up for good.
"""

import contextlib
import ctypes
import gc
import itertools
import json
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from exercises.grader.sandboxed import runner
from exercises.grader.sandboxed.messages import Order, Said

# Linux: numbers from sched.h, prctl.h, mount.h and capability.h.
NEW_NAMESPACES = 0x00020000 | 0x20000000 | 0x08000000 | 0x40000000  # mount, pid, ipc, net
SET_SECCOMP, FILTER, DROP_BOUNDING, NO_NEW_PRIVILEGES = 22, 2, 24, 38
NO_SUID_NO_DEVICES = 2 | 4
CAPABILITY_VERSION, CAPABILITIES = 0x20080522, 64
WHOLE_PROCESS = 2  # the clock of a process has the number (~pid << 3) | 2
KILLED = 9  # the exit code that says: the student's process ended by SIGKILL
LINGER = 1.0  # seconds that a process may take to end after it closed its pipes

libc = ctypes.CDLL(None, use_errno=True)
Settings = dict[str, Any]
Message = dict[str, Any]


class Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def must(name: str, result: int) -> None:
    """Raise OSError if a call of the C library failed."""
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def close_in(settings: Settings) -> None:
    """Give up every right and set every limit of this process, permanently."""
    if settings["isolated"]:
        options = f"mode=1777,size={settings['tmp']},nr_inodes=2000".encode()
        must("mount", libc.mount(b"tmpfs", b"/tmp", b"tmpfs", NO_SUID_NO_DEVICES, options))
        os.chdir("/tmp")
        for number in range(CAPABILITIES):
            libc.prctl(DROP_BOUNDING, number, 0, 0, 0)
        if settings["user"]:
            os.setgroups([])
            os.setresgid(*[settings["user"]] * 3)
            os.setresuid(*[settings["user"]] * 3)
        header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
        must("capset", libc.capset(header, (ctypes.c_uint32 * 6)()))
    for name, value in settings["limits"].items():
        kind = getattr(resource, f"RLIMIT_{name}")
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (value, value))
    if settings["isolated"]:
        must("prctl", libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    if steps := bytes.fromhex(settings["filter"]):
        program = Program(len(steps) // 8, steps)
        must("seccomp", libc.prctl(SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0))


def forked(work: Callable[[], None]) -> int:
    """Return the id of a new process that does `work` and ends."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    finally:
        os._exit(1)


def isolate(settings: Settings, pipes: list[int], sender: int) -> None:
    """Start the student's process as the first of a new pid namespace, and wait for its end."""

    def student() -> None:
        try:
            os.setsid()  # else a signal to process group 0 would reach the fork server
            kept = sorted([2, *pipes, sender, 4096])
            for low, high in itertools.pairwise(kept):
                os.closerange(low + 1, high)
            close_in(settings)
            ends = runner.Pipes(*pipes)
            os.close(sender)
        except OSError as error:
            os.write(sender, f" {error}".encode())
            raise
        runner.serve(ends)

    if settings["isolated"]:
        try:
            must("unshare", libc.unshare(NEW_NAMESPACES))
        except OSError as error:
            os.write(sender, f"0 {error}".encode())
            raise
    child = forked(student)
    os.write(sender, f"{child}".encode())
    os.close(sender)
    _, status = os.waitpid(child, 0)
    os._exit(KILLED if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL else 0)


class Child(NamedTuple):
    """A sandbox: the process that waits for its end, and the student's, 0 where it never began."""

    waiter: int
    student: int

    def spent(self) -> float:
        """Return the processor seconds of the student's process so far."""
        with contextlib.suppress(OSError):
            return time.clock_gettime((~self.student << 3) | WHOLE_PROCESS)
        return 0.0

    def reap(self, by_itself: bool) -> Message:
        """End the sandbox; return what it used, and whether it was killed from outside.

        No code can send SIGKILL to the first process of its own namespace: where that was the end
        of one that should have ended by itself, the kernel lacked memory, or a person did it.
        """
        end = time.monotonic() + LINGER * by_itself
        ended, status, used = os.wait4(self.waiter, os.WNOHANG)
        while not ended and time.monotonic() < end:
            time.sleep(0.001)
            ended, status, used = os.wait4(self.waiter, os.WNOHANG)
        outside = bool(ended) and os.waitstatus_to_exitcode(status) == KILLED
        if not ended:
            with contextlib.suppress(ProcessLookupError):
                if self.student:
                    os.kill(self.student, signal.SIGKILL)
            _, _, used = os.wait4(self.waiter, 0)
        spent = used.ru_utime + used.ru_stime
        return {"said": Said.GONE, "spent": spent, "outside": outside and by_itself}


def child_of(settings: Settings, pipes: list[int]) -> tuple[Child, Message]:
    """Fork a sandbox and return it with the answer for the judge."""
    receiver, sender = os.pipe()
    waiter = forked(lambda: isolate(settings, pipes, sender))
    for handle in (sender, *pipes):
        os.close(handle)
    with os.fdopen(receiver) as file:
        number, _, problem = file.read().partition(" ")
    answer = {"said": Said.FAILED, "why": problem} if problem else {"said": Said.FORKED}
    return Child(waiter, int(number or 0)), answer


def main() -> None:
    """Import the modules, report this, then start and end sandboxes as the judge orders."""
    settings: Settings = json.loads(sys.argv[1])
    for name in settings["imports"]:
        __import__(name)
    gc.freeze()
    judge = socket.socket(fileno=settings["socket"])
    judge.send(json.dumps({"said": Said.READY}).encode())
    child = Child(0, 0)
    while True:
        raw, pipes, _, _ = socket.recv_fds(judge, 100, 2)
        if not raw:  # the judge has gone
            os._exit(0)
        order = Order(raw.decode())
        if order is Order.FORK:
            child, answer = child_of(settings, pipes)
        elif order is Order.SPENT:
            answer = {"said": Said.SPENT, "spent": child.spent()}
        else:
            answer = child.reap(by_itself=order is Order.REAP)
        judge.send(json.dumps(answer).encode())
