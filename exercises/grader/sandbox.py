"""One sandbox: the bubblewrap command, its start and its end.

Inside there is a Python, the packages of the assignment, four files of the grader and nothing else
of this machine: no network, no other process, no repository, no submissions.
"""

import json
import os
import select
import shutil
import signal
import site
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

from exercises.grader import packages, seccomp
from exercises.grader.channel import Broken, Channel
from exercises.grader.limits import MEBIBYTE, Limits

HERE = Path(__file__).resolve().parent
SHOWN = ("__init__", "limits", "encoding", "decoding", "runner")
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
    start += "from exercises.grader import runner; gc.enable(); runner.main()"
    return ("-I", "-S", "-B", "-c", start)


def _python() -> tuple[str, ...]:
    return (_executable(), *_flags(["/judge", "/packages"]))


def _executable() -> str:
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def _walls() -> list[str]:
    walls = [f"--unshare-{space}" for space in ("pid", "net", "ipc", "uts", "cgroup-try")]
    walls += ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"]
    if os.getuid() == 0:
        # The runner needs these two to become another user, and loses them by it.
        walls += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        walls += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
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
    return parts


def _system() -> list[str]:
    wanted = ["/usr/lib", "/usr/lib64", "/etc/ld.so.cache", f"{sys.base_prefix}/lib", _executable()]
    wanted += [path for path in ("/lib", "/lib64") if not os.path.islink(path)]
    present = sorted({path for path in wanted if os.path.exists(path)})
    return [path for path in present if path != "/usr/lib64" or not os.path.islink(path)]


class Sandbox:
    """A running sandbox; `channel` speaks to it, `kill` ends everything in it."""

    def __init__(self, kit: Kit, slot: int = 0) -> None:
        to_read, write_to = os.pipe()
        read_from, to_write = os.pipe()
        given = [to_read, to_write]
        self.channel = Channel(write_to, read_from)
        self.first: int | None = None
        command = [*kit.command, json.dumps(_settings(kit, slot))]
        if kit.sandboxed:
            command, given = self._with_doors(command, given, kit)
        self.process = subprocess.Popen(
            command,
            stdin=to_read,
            stdout=to_write,
            stderr=subprocess.PIPE,
            pass_fds=given[2:],
            env={name: "1" for name in THREADS},
            start_new_session=True,
        )
        for pipe in given:
            os.close(pipe)
        self._await_start()

    def _with_doors(
        self, command: list[str], given: list[int], kit: Kit
    ) -> tuple[list[str], list[int]]:
        told, tell = os.pipe()
        self.told = told
        doors = ["--info-fd", str(tell)]
        given = [*given, tell]
        if seccomp.available():
            rules, write_rules = os.pipe()
            os.write(write_rules, seccomp.program())
            os.close(write_rules)
            doors += ["--seccomp", str(rules)]
            given.append(rules)
        # Each sandbox gets a small /tmp of its own; everything else is read-only.
        size = str(kit.limits.file_mb * MEBIBYTE)
        doors += ["--perms", "1777", "--size", size, "--tmpfs", "/tmp", "--chdir", "/tmp"]
        doors += ["--remount-ro", "/"]
        place = command.index("--")
        return [*command[:place], *doors, *command[place:]], given

    def _await_start(self) -> None:
        deadline = time.monotonic() + START_SECONDS
        try:
            ready = self.channel.receive(deadline) == {"ready": True}
        except Broken:
            ready = False
        if hasattr(self, "told"):
            self._find_first()
        if not ready:
            said = self.kill().decode("utf-8", "replace").strip().splitlines()
            raise RuntimeError(f"the sandbox did not start: {said[-1] if said else 'no reason'}")

    def _find_first(self) -> None:
        said = os.read(self.told, 4096) if select.select([self.told], [], [], 1)[0] else b""
        os.close(self.told)
        if said:
            self.first = os.pidfd_open(json.loads(said)["child-pid"])

    def kill(self) -> bytes:
        """End every process of the sandbox, wait until they are gone, return what was on stderr."""
        if self.first is None:
            self.process.kill()
        else:
            # The end of a pid namespace's first process is the end of all in it. Its parent,
            # bubblewrap outside, buries it and ends.
            _end(self.first)
        try:
            _, said = self.process.communicate(timeout=START_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()
            _, said = self.process.communicate()
        self.channel.close()
        return bytes(said)


def _end(first: int) -> None:
    try:
        signal.pidfd_send_signal(first, signal.SIGKILL)
    except ProcessLookupError:
        pass
    select.select([first], [], [], START_SECONDS)
    os.close(first)


def _settings(kit: Kit, slot: int) -> dict[str, Any]:
    caps = kit.limits
    limits = {"AS": caps.memory_mb * MEBIBYTE, "FSIZE": caps.file_mb * MEBIBYTE, "CORE": 0}
    limits |= {"NOFILE": caps.open_files, "NPROC": caps.processes, "CPU": int(caps.total) + 10}
    limits |= {"MEMLOCK": 0, "MSGQUEUE": 0, "SIGPENDING": 64}
    user = FIRST_USER + slot if kit.sandboxed and os.getuid() == 0 else 0
    if not kit.sandboxed:
        limits = {name: limits[name] for name in ("AS", "CORE", "CPU")}
    return {"user": user, "limits": limits, "imports": list(kit.imports)}
