"""Empty the cache of executed notebooks when the code they call has changed."""

import shutil
from pathlib import Path

from book import inputs

FOLDER = "_build/.jupyter_cache"


def drop_if_stale(root: Path) -> bool:
    """Remove the cache unless it was made with the present library, ledger and pins.

    jupyter-cache compares the notebooks alone, so without this a changed formula leaves the old
    numbers in the pages.
    """
    folder = root / FOLDER
    stamp = folder.with_suffix(".key")
    key = inputs.digest(root, inputs.CODE)
    if stamp.exists() and stamp.read_text(encoding="utf-8") == key:
        return False
    existed = folder.exists()
    shutil.rmtree(folder, ignore_errors=True)
    stamp.parent.mkdir(parents=True, exist_ok=True)
    stamp.write_text(key, encoding="utf-8")
    return existed
