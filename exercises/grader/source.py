"""Read a source notebook as it runs, with the files that notebooks share in their places."""

import json
import re
from pathlib import Path
from typing import Any

# In JupyterLab the line runs the file; a student's notebook holds its text instead.
SHARED = re.compile(r"%run -i \.\./(\w+\.py)")


def read(path: Path) -> dict[str, Any]:
    """Return the notebook; a cell that runs a file of the folder above holds the file's text.

    Raises:
        ValueError: there is no such file.
    """
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
        if run := SHARED.fullmatch(cell["source"]):
            shared = path.parent.parent / run[1]
            if not shared.is_file():
                raise ValueError(f"{path.name} runs {run[1]}, and {shared} is missing")
            cell["source"] = shared.read_text(encoding="utf-8").rstrip("\n")
    return notebook
