"""How a command starts that gets a signal, which processes run below it, and what to wait for."""

import signal
import subprocess
import time
from pathlib import Path


def interruptible(command, **options):
    """Start a command as a terminal does, so that SIGINT interrupts it.

    What a script starts with `&` ignores SIGINT, as does all that starts below: Python then raises
    no KeyboardInterrupt.
    """

    def heed():
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, preexec_fn=heed, **options)


def below(pid):
    """Return the processes that descend from one, the nearest first."""
    try:
        tasks = [*Path(f"/proc/{pid}/task").glob("*/children")]
        children = [
            int(word) for task in tasks for word in task.read_text(encoding="utf-8").split()
        ]
    except OSError:  # it ended while we looked, and what was below it is no longer below it
        return []
    return children + [each for child in children for each in below(child)]


def name_of(pid):
    """Return what a process is called, "" if it has ended, whether its parent has asked or not."""
    try:
        about = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")  # pid (name) state ...
    except OSError:
        return ""
    name, _, state = about.partition("(")[2].rpartition(") ")
    return "" if state[0] == "Z" else name


def until(process, is_true):
    """Wait until something is true that a process brings about, or fail when it has ended."""
    while not is_true():
        assert process.poll() is None, f"it ended with {process.poll()} before what was awaited"
        time.sleep(0.02)


def gone(pids, seconds=60):
    """Wait until none of these processes is left, or fail."""
    end = time.monotonic() + seconds
    while left := [pid for pid in pids if name_of(pid)]:
        assert time.monotonic() < end, f"these go on: {left}"
        time.sleep(0.02)
