"""Give the test's own arguments the changes that the student made to their copies."""

from typing import Any

import numpy as np


def restore(old: Any, new: Any) -> Any:
    """Change an argument of the test as the student changed their copy, also deep inside.

    Args:
        old: the argument of the test.
        new: the plain data that arrived.

    Returns:
        What replaces `old` now: `old` itself if it could be changed.
    """
    if isinstance(old, np.ndarray) and isinstance(new, np.ndarray):
        if old.shape != new.shape or old.dtype != new.dtype:
            return new
        np.copyto(old, new)
    elif isinstance(old, list) and isinstance(new, list):
        kept = [restore(*pair) for pair in zip(old, new, strict=False)]
        old[:] = kept + new[len(kept) :]
    elif isinstance(old, dict) and isinstance(new, dict):
        kept_items = {key: restore(old[key], new[key]) if key in old else new[key] for key in new}
        old.clear()
        old.update(kept_items)
    elif isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        for pair in zip(old, new, strict=True):
            restore(*pair)
    elif _is_tensor(old) and type(old) is type(new) and old.shape == new.shape:
        old.detach().copy_(new.detach())
    else:
        return new
    return old


def _is_tensor(value: Any) -> bool:
    return type(value).__module__ == "torch"
