"""Kernels that begin as forks of a program which has imported, once, what every kernel imports.

To import the kernel itself, numpy and torch takes seconds of processor, more than most chapters
compute. A fork has them at once, and of the chapters before it nothing: no name, no module of ours.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from book.paths import ROOT

EVERY = ("ipykernel.kernelapp", "ipykernel.ipkernel", "ipykernel.zmqshell", "numpy")
"""What every kernel imports, whatever its cells are."""

AVAILABLE = sys.platform == "linux"
"""Whether a program may be forked that has loaded torch; macOS is against it, Windows cannot."""

_SERVE = "import sys; from book.testing.forked_kernels import serve; serve(sys.argv[1:])"


class Forks:
    """A program that has imported some modules, and the kernels that it forks."""

    def __init__(self, *modules: str) -> None:
        """Start it; it ends with this program or with `close`, and its kernels with it."""
        # It begins in the root to find this module, and says with `-c` so: no kernel sees that.
        self.program = subprocess.Popen(
            [sys.executable, "-c", _SERVE, *EVERY, *modules],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, **question: Any) -> Any:
        """What the program answers to a question."""
        assert self.program.stdin and self.program.stdout
        print(json.dumps(question), file=self.program.stdin, flush=True)
        return json.loads(self.program.stdout.readline())

    def launch(self, command: Sequence[str], env: dict[str, str], cwd: str, **_: Any) -> "Forked":
        """Do as `jupyter_client.launcher.launch_kernel` does, for a kernel of IPython."""
        after = list(command)[list(command).index("ipykernel_launcher") + 1 :]
        return Forked(self.ask, self.ask(start=after, env=env, cwd=cwd))

    def close(self) -> None:
        """End the program and its kernels, and wait for them."""
        assert self.program.stdin and self.program.stdout
        self.program.stdin.close()
        self.program.wait()
        self.program.stdout.close()


class Forked:
    """A kernel, as far as Jupyter looks at a program that it has started."""

    stdin = stdout = stderr = None

    def __init__(self, ask: Callable[..., Any], pid: int) -> None:
        """Take what asks its parent, and the number of its process."""
        self.ask, self.pid = ask, pid
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Its exit status, None while it runs."""
        if self.returncode is None:
            self.returncode = self.ask(poll=self.pid)
        return self.returncode

    def wait(self) -> int:
        """Its exit status, when it has ended."""
        while (status := self.poll()) is None:
            time.sleep(0.01)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)


def serve(modules: Sequence[str]) -> None:
    """Import modules, then fork a kernel for each line of the input that asks for one."""
    sys.path.remove("")  # a kernel puts its own folder there
    sys.modules.pop("rfc3987_syntax", None)  # that it is missing is ours: book/__init__.py
    os.environ["JPY_PARENT_PID"] = str(os.getpid())  # with which a kernel ends; read on import
    for module in modules:
        import_module(module)
    running: set[int] = set()
    for line in sys.stdin:
        asked = json.loads(line)
        answer = status(asked["poll"], running) if "poll" in asked else start(asked, running)
        print(json.dumps(answer), flush=True)
    for pid in running:
        os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def status(pid: int, running: set[int]) -> int | None:
    """The exit status of a kernel, None while it runs."""
    ended, how = os.waitpid(pid, os.WNOHANG)
    running -= {ended}
    return os.waitstatus_to_exitcode(how) if ended else None


def start(asked: dict[str, Any], running: set[int]) -> int:
    """Fork a kernel in a group of its own, by which Jupyter ends it; its number."""
    pid = os.fork()
    if pid == 0:
        become_kernel(asked)
    os.setpgid(pid, pid)  # before anyone can ask for the group
    running.add(pid)
    return pid


def become_kernel(asked: dict[str, Any]) -> NoReturn:
    """Run a kernel in this process, as `python -m ipykernel_launcher` does, and end."""
    try:
        os.setpgid(0, 0)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):  # the input and the output are those of the program
            os.dup2(nothing, stream)
        os.chdir(Path(asked["cwd"]))
        os.environ.update(asked["env"] | {"JPY_PARENT_PID": os.environ["JPY_PARENT_PID"]})
        import_module("ipykernel.kernelapp").launch_new_instance(asked["start"])
    finally:
        os._exit(0)
