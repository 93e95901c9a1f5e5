"""Build the bubblewrap command: the files, rights and namespaces that the sandboxes get.

Inside are a Python, the packages of the assignment, one folder of the grader and nothing else
of this machine: no network, no other process, no repository, no submissions.
"""

import os
import shutil
import site
import sys
from pathlib import Path
from typing import NamedTuple

from exercises.grader.run import packages
from exercises.grader.sandboxed.limits import Limits

HERE = Path(__file__).resolve().parents[1]
THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class Kit(NamedTuple):
    """This is what all sandboxes of a batch share."""

    limits: Limits
    imports: tuple[str, ...] = ("numpy",)
    sandboxed: bool = True
    command: tuple[str, ...] = ()


def kit(limits: Limits, imports: tuple[str, ...], sandboxed: bool = True) -> Kit:
    """Find once all files that the sandboxes need.

    Raises:
        RuntimeError: bubblewrap is not installed.
    """
    bwrap = shutil.which("bwrap")
    if not sandboxed:
        return Kit(limits, imports, False, _bare())
    if bwrap is None:
        raise RuntimeError(
            "bubblewrap (the command bwrap) is not installed, and the code of students is never "
            "run without it: install it, or use --no-sandbox to grade only your own notebook"
        )
    python = (_executable(), *_flags(["/judge", "/packages"]))
    return Kit(limits, imports, True, (bwrap, *_namespaces(), *_files(imports), "--", *python))


def _bare() -> tuple[str, ...]:
    paths = [str(HERE.parents[1]), *(path for path in sys.path if "site-packages" in path)]
    return (sys.executable, *_flags(paths))


def _flags(paths: list[str]) -> tuple[str, ...]:
    start = f"import gc, sys; gc.disable(); sys.path += {paths}; "
    start += "from exercises.grader.sandboxed import fork_server; gc.enable(); fork_server.main()"
    return ("-I", "-S", "-B", "-c", start)


def _executable() -> str:
    return os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)


def _namespaces() -> list[str]:
    options = [f"--unshare-{space}" for space in ("pid", "net", "ipc", "uts", "cgroup-try")]
    options += ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"]
    if os.getuid() != 0:
        options += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    # The fork server needs these to isolate each child, which then gives them up, and to end it.
    rights = ("SYS_ADMIN", "SETUID", "SETGID", "SETPCAP", "KILL")
    options += [
        "--cap-drop",
        "ALL",
        *(w for right in rights for w in ("--cap-add", f"CAP_{right}")),
    ]
    settings = {"HOME": "/tmp", "LANG": "C.UTF-8", **dict.fromkeys(THREADS, "1")}
    return options + [part for pair in settings.items() for part in ("--setenv", *pair)]


def _files(imports: tuple[str, ...]) -> list[str]:
    shown = {path: path for path in _system()}
    shown["/judge/exercises/grader/sandboxed"] = str(HERE / "sandboxed")
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
    # Torch looks for a folder that it can write to; each child mounts a /tmp of its own over it.
    tmp = ["--size", "65536", "--perms", "1777", "--tmpfs", "/tmp"]
    return [*parts, *tmp, "--remount-ro", "/"]


def _system() -> list[str]:
    wanted = ["/usr/lib", "/usr/lib64", "/etc/ld.so.cache", f"{sys.base_prefix}/lib", _executable()]
    wanted += [path for path in ("/lib", "/lib64") if not os.path.islink(path)]
    present = sorted({path for path in wanted if os.path.exists(path)})
    return [path for path in present if path != "/usr/lib64" or not os.path.islink(path)]
