"""nbval stands guard over the stored outputs: one wrong digit and it fails."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from book import toc
from book.paths import ROOT


def nbval(notebook: Path) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "--nbval", "-p", "no:cacheprovider"]
    options = [f"--rootdir={notebook.parent}", f"--confcutdir={notebook.parent}", "-c", os.devnull]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [*command, *options, str(notebook)], env=env, check=False, capture_output=True
    )
    return done.returncode


def change_one_digit(notebook: Path) -> bool:
    """Add one to the first decimal that is stored as text; False where there is none."""
    content = json.loads(notebook.read_text(encoding="utf-8"))
    for cell in content["cells"]:
        for output in cell.get("outputs", []):
            holder, key = (
                (output, "text") if "text" in output else (output.get("data", {}), "text/plain")
            )
            text = "".join(holder.get(key, []))
            changed = re.sub(
                r"(\.\d*)(\d)", lambda m: m[1] + str((int(m[2]) + 1) % 10), text, count=1
            )
            if changed != text:
                holder[key] = changed
                notebook.write_text(json.dumps(content), encoding="utf-8")
                return True
    return False


def test_nbval_fails_on_a_changed_digit(tmp_path: Path) -> None:
    smallest = min(toc.notebooks(), key=lambda path: path.stat().st_size)
    copy = tmp_path / smallest.name
    shutil.copy(smallest, copy)
    assert nbval(copy) == 0
    assert change_one_digit(copy), f"{smallest.name} stores no decimal"
    assert nbval(copy) == 1
