"""Where the files are that chapters read: beside this package, or inside it in its wheel."""

from pathlib import Path

HERE = Path(__file__).resolve().parent
INSIDE = HERE / "files"
"""What course/pyproject.toml makes of the checkout's root; a checkout has no such folder."""

ROOT = INSIDE if INSIDE.is_dir() else HERE.parent
FOLDER = ROOT / "chapters"
"""The folder in which a notebook runs, so that `../chapters/models` leads to the models."""
