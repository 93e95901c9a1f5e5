"""How code of strangers is run: processes, sandboxes, time."""
