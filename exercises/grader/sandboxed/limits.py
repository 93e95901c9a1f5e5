"""Limit what a submission may use; both sides of the protocol read these numbers."""

from typing import NamedTuple

# What one frame, one value and one number may hold on the way from the sandbox to the judge.
FRAME_BYTES = 8 * 2**20
ITEMS = 200_000
DEPTH = 32
DICT_ITEMS = 10_000
INTEGER_BITS = 256
AXES = 16
SIDE = 2**24
MESSAGE_LETTERS = 2_000
CALLBACKS = 20_000
# After this many cells that break a sandbox, only those with a task's id run.
BREAKING_CELLS = 2

# What a submission may hold. Most of a large file are pictures, which nobody reads.
FILE_BYTES = 64 * 2**20
NOTEBOOK_LETTERS = 10 * 2**20
CELLS = 1_000
CELL_LETTERS = 200_000

MEBIBYTE = 2**20


class Limits(NamedTuple):
    """Seconds on the clock and what the sandbox may use; the defaults suit short tasks."""

    call: float = 5.0
    task: float = 12.0
    total: float = 60.0
    memory_mb: int = 1024
    processes: int = 32
    file_mb: int = 16
    open_files: int = 64
