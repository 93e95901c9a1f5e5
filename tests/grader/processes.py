"""Which processes run below another."""

from pathlib import Path


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
    """Return what a process is called, "" if it has ended."""
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip()
    except OSError:
        return ""
