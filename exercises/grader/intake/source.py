"""Read a source as it runs, with the files that notebooks share in their places."""

import json
import re
from pathlib import Path
from typing import Any

from exercises.grader.intake.percent import notebook_of

# In JupyterLab a line runs a file; a student's notebook holds the text of all of them instead.
RUN = r"(?:# )?%run -i \.\./(\w+\.py)"
SHARED = re.compile(rf"{RUN}(?:\n{RUN})*")


def path_of(folder: Path) -> Path:
    """Return the file of an assignment, FOLDER/NAME.py or FOLDER/NAME.ipynb.

    Raises:
        ValueError: there is none, or both.
    """
    paths = [folder / f"{folder.name}{ending}" for ending in (".py", ".ipynb")]
    found = [path for path in paths if path.is_file()]
    if not found:
        bank = folder.parent
        there = ", ".join(one.name for one in assignments(bank)) if bank.is_dir() else ""
        raise ValueError(
            f"there is no assignment {folder.name}: {folder} holds none; "
            + (f"there are {there}" if there else f"neither does another folder of {bank}")
        )
    if len(found) > 1:
        raise ValueError(
            f"{folder} contains both {paths[0].name} and {paths[1].name}: delete one of them"
        )
    return found[0]


def assignments(bank: Path) -> list[Path]:
    """Return the folder of each assignment in a bank, in the order of their names."""
    folders = sorted(path for path in bank.iterdir() if path.is_dir())
    files = [(path / f"{path.name}{ending}") for path in folders for ending in (".py", ".ipynb")]
    return list(dict.fromkeys(file.parent for file in files if file.is_file()))


def read(path: Path, shared: Path | None = None) -> dict[str, Any]:
    """Return the notebook; a cell that runs files of the folder above gets their text.

    Args:
        path: the notebook.
        shared: the folder of these files, if it is not the one above.

    Raises:
        ValueError: there is no such file, or the text describes no notebook.
    """
    text = path.read_text(encoding="utf-8")
    try:
        notebook: dict[str, Any] = notebook_of(text) if path.suffix == ".py" else json.loads(text)
        if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
            raise ValueError("it is not a notebook, because it has no cells")
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
        if SHARED.fullmatch(cell["source"]):
            folder = shared or path.parent.parent
            texts = [_shared(path, folder / name) for name in re.findall(RUN, cell["source"])]
            cell["source"] = "\n\n\n".join(texts)
    return notebook


def _shared(path: Path, file: Path) -> str:
    if not file.is_file():
        raise ValueError(f"{path.name} runs {file.name}, but {file} is missing")
    return file.read_text(encoding="utf-8").rstrip("\n")
