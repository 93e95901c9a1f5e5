"""Open JupyterLab on copies of the chapters and exercises: `python -m book.lab`."""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from book.paths import ROOT


def copy_missing(root: Path = ROOT) -> list[Path]:
    """Copy into `my/` what is not there yet, and overwrite nothing; the copies made."""
    made = []
    for source, target in copies(root):
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            made.append(target)
    return made


def copies(root: Path) -> list[tuple[Path, Path]]:
    """Each file that a learner works on, and where the learner's copy of it lies."""
    chapters = [(path, root / "my" / path.name) for path in sorted(root.glob("chapters/*.ipynb"))]
    release = root / "exercises" / "release"
    exercises = [
        (path, root / "my" / "exercises" / path.relative_to(release))
        for path in sorted(release.rglob("*"))
        if path.is_file() and ".ipynb_checkpoints" not in path.parts
    ]
    return chapters + exercises


def main(words: Sequence[str] | None = None) -> int:
    """Copy, say so, and open JupyterLab."""
    argparse.ArgumentParser(prog="python -m book.lab", description=__doc__).parse_args(words)
    made = copy_missing()
    kept = len(copies(ROOT)) - len(made)
    print(f"my/ holds your copies: {len(made)} new, {kept} kept as you left them.", flush=True)
    program = Path(sys.executable).with_name("jupyter")
    # The kernels import the library of this folder.
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    # In a container one often is root, and JupyterLab then refuses to start without the option.
    root = ["--allow-root"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [str(program), "lab", *root]
    try:
        return subprocess.run(command, cwd=ROOT / "my", env=env, check=False).returncode
    except KeyboardInterrupt:
        print("JupyterLab is closed; your copies stay in my/.")
        return 0


if __name__ == "__main__":
    sys.exit(main())
