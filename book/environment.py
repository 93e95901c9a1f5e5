"""The environment in which the book computes: the same whoever calls, and from whatever shell."""

import os

from book.paths import ROOT

THREADS = ["OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"]
INSTRUCTIONS = [
    "ATEN_CPU_CAPABILITY",
    "MKL_ENABLE_INSTRUCTIONS",
    "ONEDNN_MAX_CPU_ISA",
    "OPENBLAS_CORETYPE",
    "NPY_DISABLE_CPU_FEATURES",
    "NPY_ENABLE_CPU_FEATURES",
]
"""What torch, MKL, oneDNN, OpenBLAS and numpy read before they choose their instructions."""


def environment(threads: int = 1, instructions: dict[str, str] | None = None) -> dict[str, str]:
    """The shell's environment, with this folder's code, so many threads and these instructions.

    The last bits depend on both. One thread is no loss: small models train no faster on two, and
    far slower where another program wants a core.
    """
    kept = {name: value for name, value in os.environ.items() if name not in INSTRUCTIONS}
    fixed = {"PYTHONPATH": str(ROOT), **dict.fromkeys(THREADS, str(threads))}
    return {**kept, **fixed, **(instructions or {})}
