"""What may stand in a cell of a table that a spreadsheet opens."""

from exercises.grader.results import Status

# A spreadsheet takes a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "|", "%", "＝", "＋", "－", "＠")


def harmless(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def number(value: float | None) -> float | str:
    """Return points as a table shows them."""
    if value is None:
        return Status.NOT_JUDGED
    return int(value) if value == int(value) else round(value, 6)
