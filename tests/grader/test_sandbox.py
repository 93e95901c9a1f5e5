"""What code in the sandbox cannot do, seen from inside; as root and as an ordinary user."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

import exercises
from exercises.grader.run import seccomp
from exercises.grader.run.selection import Code
from exercises.grader.run.session import Session
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course

pytestmark = course.SANDBOXED
PROBE = """
import ctypes, fcntl, mmap, os, socket, sys

libc = ctypes.CDLL(None, use_errno=True)


def tried(function, *arguments):
    try:
        return str(function(*arguments))
    except BaseException as error:
        return type(error).__name__


def called(number, *arguments):
    result = libc.syscall(number, *arguments)
    return os.strerror(ctypes.get_errno()) if result < 0 else "it worked"


def open_files():
    for handle in range(1000):
        try:
            os.fstat(handle)
        except OSError:
            continue
        yield handle


class Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class Sets(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable")]


handles = sorted(oct(os.fstat(handle).st_mode >> 12) for handle in open_files())
own = open(os.__file__, "rb")
sets = (Sets * 2)()
libc.syscall(125, ctypes.byref(Header(0x20080522, 0)), ctypes.byref(sets))
found = {
    "fork": tried(os.fork),
    "touch a device": tried(os.utime, "/dev/null"),
    "lock a file": tried(fcntl.flock, os.open("/dev/null", os.O_RDONLY), fcntl.LOCK_EX),
    "lock a part of a file": tried(fcntl.lockf, os.open("/dev/null", os.O_RDWR), fcntl.LOCK_EX),
    "lease a file": tried(fcntl.fcntl, os.open("/tmp", os.O_RDONLY), 1024, 0),
    "watch a folder": tried(fcntl.fcntl, os.open("/tmp", os.O_RDONLY), 1026, 2),
    "drop pages": tried(os.posix_fadvise, own.fileno(), 0, 0, os.POSIX_FADV_DONTNEED),
    "read without waiting": tried(os.preadv, own.fileno(), [bytearray(9)], 0, os.RWF_NOWAIT),
    "load pages": tried(mmap.mmap(own.fileno(), 0, prot=1).madvise, 3),
    "sync": tried(os.fsync, own.fileno()),
    "use memory as it wants": tried(mmap.mmap(-1, 4096).madvise, 4),
    "ask for flags": tried(fcntl.fcntl, own.fileno(), fcntl.F_GETFD),
    "socket": tried(socket.socket),
    "setuid": tried(os.setuid, 0),
    "write to the root": tried(open, "/x", "w"),
    "write to /dev": tried(open, "/dev/x", "w"),
    "write to the packages": tried(open, "/packages/numpy/x", "w"),
    "read /etc/passwd": tried(open, "/etc/passwd"),
    "write 17 MB": tried(lambda: open("/tmp/x", "wb").write(bytes(17 * 2**20))),
    "take 2 GB": tried(bytearray, 2**31),
    "mincore": called(27, 0, 0, 0),
    "inotify": called(294, 0),
    "sync all": called(306, 3),
    "filter of its own": called(317, 1, 0, 0),
    "strict mode": called(157, 22, 1, 0),
    "ptrace": called(101, 0, 0, 0, 0),
    "unshare": called(272, 0x10000000),
    "mount": called(165, b"x", b"/tmp", b"tmpfs", 0, None),
    "new user by clone": called(56, 0x10000000 | 17, 0, 0, 0, 0),
    "clone3": called(435, 0, 0),
    "io_uring": called(425, 8, 0),
    "shared memory": called(29, 0, 4096, 0o1600),
    "keyctl": called(250, 0, 0),
    "capabilities": [each.effective | each.permitted for each in sets],
    "no new privileges": libc.prctl(39, 0, 0, 0, 0),
    "filter": libc.prctl(21, 0, 0, 0, 0),
    "root user": 0 in (*os.getresuid(), *os.getresgid(), *os.getgroups()),
    "environment": sorted(os.environ),
    "the judge": [os.listdir("/judge" + f) for f in ("", "/exercises", "/exercises/grader")],
    "packages": sorted(os.listdir("/packages")),
    "beside": tried(os.listdir, sys.prefix + "/lib/python3.11/site-packages"),
    "processes": tried(os.listdir, "/proc"),
    "host": os.uname().nodename,
    "alone in its group": os.getpgrp() == os.getpid() == 1,
    "open files": handles,
    "3000 files": tried(lambda: [open(f"/tmp/{n}", "w").close() for n in range(3000)]),
}
"""
DATES = ["touch a device", "lock a file", "lock a part of a file", "lease a file", "watch a folder"]
PAGES = ["drop pages", "read without waiting", "load pages", "sync"]
REFUSED = {
    **dict.fromkeys(["fork", "socket", *DATES, *PAGES], "PermissionError"),
    **dict.fromkeys(["write to the root", "write to /dev", "write to the packages"], "OSError"),
    **dict.fromkeys(["read /etc/passwd", "processes"], "FileNotFoundError"),
    **{"alone in its group": True, "3000 files": "OSError"},
    **{"use memory as it wants": "None", "ask for flags": "1"},
    # Two pipes and /dev/null; no socket.
    "open files": ["0o1", "0o1", "0o2", "0o2", "0o2", "0o2"],
    **{"write 17 MB": "OSError", "take 2 GB": "MemoryError"},
    **{"no new privileges": 1, "filter": 2, "root user": False, "host": "sandbox"},
    **{"capabilities": [0, 0], "packages": ["numpy", "numpy.libs"]},
    **{
        "clone3": "Function not implemented",
        "the judge": [["exercises"], ["grader"], ["sandboxed"]],
    },
    "environment": [
        *("HOME", "LANG", "MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PWD")
    ],
}
CALLS = ["mincore", "inotify", "sync all", "filter of its own", "strict mode"]
CALLS += ["ptrace", "unshare", "mount", "new user by clone", "io_uring", "shared memory", "keyctl"]


@pytest.fixture(scope="module")
def found(fork_server):
    session = Session(fork_server, Limits(call=20), (Code("the probe", PROBE),))
    yield session.get("found")
    assert not session.errors
    session.close()


@pytest.mark.parametrize("what", REFUSED)
def test_it_cannot(found, what):
    assert found[what] == REFUSED[what]


@pytest.mark.skipif(not seccomp.available(), reason="the filter is for x86_64")
@pytest.mark.parametrize("what", CALLS)
def test_the_filter_refuses(found, what):
    assert found[what] == "Operation not permitted"


def test_no_package_of_the_machine_is_there(found):
    assert found["beside"] in ("[]", "FileNotFoundError")


def a_python_for_everybody():
    """Return a Python that an ordinary user may run, with numpy on its path, or None."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    home = next(path for path in sys.path if path.endswith("site-packages"))
    open_to_all = all(path.stat().st_mode & 0o005 == 0o005 for path in Path(home).parents)
    for folder in ("/usr/bin", "/usr/local/bin"):
        if open_to_all and os.path.exists(f"{folder}/{version}"):
            return f"{folder}/{version}", home
    return None


@pytest.fixture
def open_folder():
    """A folder beside pytest's own, which nobody else may enter."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can become another user")
@pytest.mark.skipif(a_python_for_everybody() is None, reason="no Python that others may run")
@pytest.mark.skipif(shutil.which("setpriv") is None, reason="setpriv is not installed")
def test_an_ordinary_user_can_grade(open_folder):
    tmp_path = open_folder
    python, packages = a_python_for_everybody()
    course.write_source(tmp_path / "source")
    kill = "import os\nfor pid in (0, -1):\n    os.kill(pid, 9)\nos._exit(1)"
    bad = course.submission("bad", {"softmax": kill})
    fork = course.submission("fork", {"softmax": "import os\nwhile True:\n    os.fork()"})
    for name, made in {"ann": course.submission("ann"), "bad": bad, "fork": fork}.items():
        course.write(tmp_path / "submissions", name, made)
    (tmp_path / "out").mkdir()
    for path in [tmp_path, *tmp_path.rglob("*")]:
        path.chmod(0o777)
    user = [f"--re{kind}id=12345" for kind in "ug"]
    command = ["setpriv", *user, "--clear-groups", python, "-B", "-m", "exercises.grader", "demo"]
    command += [str(tmp_path / "submissions"), "--out", str(tmp_path / "out")]
    root = Path(exercises.__file__).parents[1]
    path = {"PYTHONPATH": f"{root}:{packages}", "PATH": os.environ["PATH"]}
    command += ["--source", str(tmp_path / "source")]
    said = subprocess.run(command, env=path, capture_output=True, text=True, cwd="/", check=False)
    assert said.returncode == 0, said.stderr
    rows = course.scores(tmp_path)
    assert course.points(rows["ann"]) == (2, 3, 1)
    assert course.points(rows["bad"]) == course.points(rows["fork"]) == (2, 0, 1)
