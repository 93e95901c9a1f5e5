"""Make texts safe for a cell of a table that a spreadsheet opens."""

import re

from exercises.grader.mark.results import Status

# A spreadsheet takes a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


# Where semicolons part a list, commas do not, and a quotation mark behind one protects no cell.
PARTS = re.compile(rf"([;\r\n][\s\"]*)(?=[{re.escape(''.join(FORMULA))}])")


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, even if it parts cells otherwise."""
    text = PARTS.sub(r"\1'", text)
    return f"'{text}" if text.startswith(FORMULA) else text


def number(value: float | None) -> float | str:
    """Return points as a table shows them."""
    if value is None:
        return Status.NOT_JUDGED
    return int(value) if value == int(value) else round(value, 6)
