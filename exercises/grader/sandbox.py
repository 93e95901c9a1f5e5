"""Bubblewrap around a nursery, and the sandboxes that are born in it, one a submission.

Inside there is a Python, the packages of the assignment, a few files of the grader and nothing else
of this machine: no network, no other process, no repository, no submissions.
"""

import json
import os
import shutil
import site
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from exercises.grader import packages, seccomp
from exercises.grader.channel import Channel
from exercises.grader.limits import MEBIBYTE, Limits

HERE = Path(__file__).resolve().parent
SHOWN = ("__init__", "limits", "encoding", "decoding", "runner", "nursery")
FIRST_USER = 65_000  # as root, the sandbox of worker n runs as user 65000 + n
START_SECONDS = 30.0
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class Kit(NamedTuple):
    """What all sandboxes of a batch share."""

    limits: Limits
    imports: tuple[str, ...] = ("numpy",)
    sandboxed: bool = True
    command: tuple[str, ...] = ()


def kit(limits: Limits, imports: tuple[str, ...], sandboxed: bool = True) -> Kit:
    """Look up once where everything lies.

    Raises:
        RuntimeError: bubblewrap is not installed.
    """
    bwrap = shutil.which("bwrap")
    if not sandboxed:
        return Kit(limits, imports, False, _bare())
    if bwrap is None:
        raise RuntimeError(
            "bubblewrap (the command bwrap) is not installed, and student code is not run without "
            "it: install it, or use --no-sandbox to grade only yourself"
        )
    return Kit(limits, imports, True, (bwrap, *_walls(), *_files(imports), "--", *_python()))


def _bare() -> tuple[str, ...]:
    paths = [str(HERE.parents[1]), *(path for path in sys.path if "site-packages" in path)]
    return (sys.executable, *_flags(paths))


def _flags(paths: list[str]) -> tuple[str, ...]:
    start = f"import gc, sys; gc.disable(); sys.path += {paths}; "
    start += "from exercises.grader import nursery; gc.enable(); nursery.main()"
    return ("-I", "-S", "-B", "-c", start)


def _python() -> tuple[str, ...]:
    return (_executable(), *_flags(["/judge", "/packages"]))


def _executable() -> str:
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def _walls() -> list[str]:
    walls = [f"--unshare-{space}" for space in ("pid", "net", "ipc", "uts", "cgroup-try")]
    walls += ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"]
    if os.getuid() != 0:
        walls += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    # The nursery needs these to wall off each child, which then gives them up, and to end it.
    rights = ("SYS_ADMIN", "SETUID", "SETGID", "SETPCAP", "KILL")
    walls += ["--cap-drop", "ALL", *(w for right in rights for w in ("--cap-add", f"CAP_{right}"))]
    settings = {"HOME": "/tmp", "LANG": "C.UTF-8", **dict.fromkeys(THREADS, "1")}
    return walls + [part for pair in settings.items() for part in ("--setenv", *pair)]


def _files(imports: tuple[str, ...]) -> list[str]:
    shown = {path: path for path in _system()}
    judge = "/judge/exercises"
    shown |= {f"{judge}/grader/{name}.py": str(HERE / f"{name}.py") for name in SHOWN}
    shown |= {f"{judge}/__init__.py": str(HERE.parent / "__init__.py")}
    found = packages.files_of(list(imports))
    shown |= {f"/packages/{name}": str(path) for name, path in found.items()}
    devices = ("/dev/null", "/dev/zero", "/dev/urandom")
    parents = {
        str(parent) for path in (*shown, *devices) for parent in Path(path).parents if parent.name
    }
    parts = [word for path in sorted(parents) for word in ("--perms", "0755", "--dir", path)]
    for target, origin in shown.items():
        parts += ["--ro-bind", origin, target]
    for folder in (*site.getsitepackages([sys.base_prefix]), "/usr/lib/python3/dist-packages"):
        if os.path.isdir(folder) and any(folder.startswith(f"{path}/") for path in shown):
            parts += ["--size", "4096", "--tmpfs", folder, "--remount-ro", folder]
    for link in ("/lib", "/lib64"):
        if os.path.islink(link):
            parts += ["--symlink", os.readlink(link), link]
    for device in devices:
        parts += ["--dev-bind", device, device]
    # Here each child mounts a small /tmp of its own.
    return [*parts, "--perms", "0755", "--dir", "/tmp", "--remount-ro", "/"]


def _system() -> list[str]:
    wanted = ["/usr/lib", "/usr/lib64", "/etc/ld.so.cache", f"{sys.base_prefix}/lib", _executable()]
    wanted += [path for path in ("/lib", "/lib64") if not os.path.islink(path)]
    present = sorted({path for path in wanted if os.path.exists(path)})
    return [path for path in present if path != "/usr/lib64" or not os.path.islink(path)]


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

    def order(self, word: bytes, pipes: Sequence[int] = ()) -> str:
        """Send an order and return the answer."""
        socket.send_fds(self.judge, [word], pipes)
        return self._heard()

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
