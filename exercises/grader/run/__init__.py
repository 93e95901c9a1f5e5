"""Run code of strangers: processes, sandboxes, time."""
