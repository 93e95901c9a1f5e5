"""Whether each objective in the head of a chapter is asked."""

import re
from typing import Any

from book import syllabus


def complaints(notebook: dict[str, Any]) -> list[str]:
    """Where questions and exercises ask other objectives than the head numbers, if it does."""
    text = syllabus.markdown(notebook)
    head = syllabus.between(text, syllabus.PROMISE, syllabus.PROMISED)
    promised = set(re.findall(r"^(\d+)\. ", head, re.MULTILINE))
    if not promised:
        return []
    exercises = syllabus.between(text, r"\n## Exercises\n", r"\n## |\Z")
    named = re.findall(r"\bobjectives? (\d+(?:(?:, and |, | and )\d+)*)", exercises)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    posed = re.findall(r"\bobjective=(\d+)", "\n".join("".join(cell["source"]) for cell in code))
    asked = {*posed, *re.findall(r"\d+", " ".join(named))}
    return [
        *(f"no question and no exercise asks objective {n}" for n in sorted(promised - asked)),
        *(f"objective {n} is asked, and the head has none of it" for n in sorted(asked - promised)),
    ]
