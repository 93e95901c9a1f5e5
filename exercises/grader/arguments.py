"""Give the test's own arguments the changes that the student made to their copies."""

from typing import Any

import numpy as np


def restore(old: Any, new: Any) -> None:
    """Change an argument of the test as the student changed their copy of it."""
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
        if old.shape == new.shape and old.dtype == new.dtype:
            np.copyto(old, new)
    elif isinstance(old, list) and isinstance(new, list):
        old[:] = new
    elif isinstance(old, dict) and isinstance(new, dict):
        old.clear()
        old.update(new)
    elif type(old).__module__ == "torch" and type(old) is type(new) and old.shape == new.shape:
        old.detach().copy_(new.detach())
