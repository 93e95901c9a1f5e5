"""Inside bubblewrap: a process that has imported everything and bears a sandbox a submission.

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
from collections.abc import Callable
from typing import Any

from exercises.grader import runner

# Linux: numbers from sched.h, prctl.h, mount.h and capability.h.
NEW_NAMESPACES = 0x00020000 | 0x20000000 | 0x08000000 | 0x40000000  # mount, pid, ipc, net
SET_SECCOMP, FILTER, DROP_BOUNDING, NO_NEW_PRIVILEGES = 22, 2, 24, 38
NO_SUID_NO_DEVICES = 2 | 4
CAPABILITY_VERSION, CAPABILITIES = 0x20080522, 64

libc = ctypes.CDLL(None, use_errno=True)
Settings = dict[str, Any]


class Program(ctypes.Structure):
    """`struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def must(name: str, result: int) -> None:
    """Raise OSError if a call of the C library failed."""
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def close_in(settings: Settings) -> None:
    """Give up every right and set every limit of this process, for good."""
    if settings["walls"]:
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
    if settings["walls"]:
        must("prctl", libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    if steps := bytes.fromhex(settings["filter"]):
        program = Program(len(steps) // 8, steps)
        must("seccomp", libc.prctl(SET_SECCOMP, FILTER, ctypes.byref(program), 0, 0))


def forked(work: Callable[[], None]) -> int:
    """Return the number of a new process that does `work` and ends."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    finally:
        os._exit(1)


def bear(settings: Settings, pipes: list[int], tell: int) -> None:
    """Start the student's process as the first of a new pid namespace, and wait for its end."""

    def student() -> None:
        try:
            os.setsid()  # else a signal to process group 0 would reach the nursery
            kept = sorted([2, *pipes, tell, 4096])
            for low, high in itertools.pairwise(kept):
                os.closerange(low + 1, high)
            close_in(settings)
            ends = runner.Pipes(*pipes)
            os.close(tell)
        except OSError as error:
            os.write(tell, f" {error}".encode())
            raise
        runner.serve(ends)

    if settings["walls"]:
        try:
            must("unshare", libc.unshare(NEW_NAMESPACES))
        except OSError as error:
            os.write(tell, f"0 {error}".encode())
            raise
    child = forked(student)
    os.write(tell, f"{child}".encode())
    os.close(tell)
    os.waitpid(child, 0)


def main() -> None:
    """Import, say that all is ready, then bear and bury as the judge asks."""
    settings: Settings = json.loads(sys.argv[1])
    for name in settings["imports"]:
        __import__(name)
    gc.freeze()
    judge = socket.socket(fileno=settings["socket"])
    judge.send(b"ready")
    between = student = 0
    while True:
        order, pipes, _, _ = socket.recv_fds(judge, 100, 2)
        if order == b"bear":
            told, tell = os.pipe()
            between = forked(lambda pipes=pipes, tell=tell: bear(settings, pipes, tell))  # type: ignore[misc]
            for handle in (tell, *pipes):
                os.close(handle)
            said = os.fdopen(told).read()
            number, _, problem = said.partition(" ")
            student = int(number or 0)
            judge.send(problem.encode() or b"born")
        elif order == b"kill":
            with contextlib.suppress(ProcessLookupError):
                if student:
                    os.kill(student, signal.SIGKILL)
            os.waitpid(between, 0)
            judge.send(b"gone")
        else:
            os._exit(0)
