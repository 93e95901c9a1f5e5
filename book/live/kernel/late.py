"""Files that a page fetches when a cell first opens them: most cells read no model."""

import os
import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

Fetch = Callable[[str], bytes]


def fill(folder: Path, names: Collection[str], fetch: Fetch) -> None:
    """Write each of these empty files when it is first opened, whoever opens it.

    Args:
        folder: where they lie.
        names: of the files.
        fetch: gives the content of the file of a name; may raise OSError.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as here:
    ...     empty = Path(here, "model")
    ...     empty.touch()
    ...     fill(Path(here), ["model"], lambda name: b"numbers of " + name.encode())
    ...     empty.read_text()
    'numbers of model'
    """
    waiting = {os.path.realpath(folder / name): name for name in names}

    def on_event(event: str, told: tuple[Any, ...]) -> None:
        if event != "open" or not waiting or not isinstance(told[0], str):
            return
        path = os.path.realpath(told[0])
        name = waiting.pop(path, None)
        if name is None:
            return
        try:
            Path(path).write_bytes(fetch(name))
        except BaseException:
            waiting[path] = name  # the next one who opens it asks again
            raise

    sys.addaudithook(on_event)
