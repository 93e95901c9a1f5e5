"""The minutes that a chapter states are those that its words, code and questions take."""

import pytest

from book.text import minutes


def test_what_is_counted() -> None:
    def cell(kind: str, source: str, *tags: str) -> dict[str, object]:
        return {"cell_type": kind, "source": [source], "metadata": {"tags": list(tags)}}

    notebook = {
        "cells": [
            cell("markdown", "Three words [here](a_link.md), $x$ and `code`.\n\n"),
            cell("markdown", "**Time:** two sittings of 15 minutes."),
            cell("code", "a = 1\n\nb = 2"),
            cell("code", "questions.choose()\nquestions.number()", "remove-input"),
            cell("code", "questions.pose()\nwidgets.frames()", "hide-input"),
        ]
    }
    counts = {"words": 9, "lines": 2, "choices": 1, "numbers": 1, "slips": 1, "widgets": 1}
    assert minutes.contents(notebook) == counts
    assert minutes.minutes(notebook) == pytest.approx(9 / 150 + 2 / 12 + 1 + 2 + 3 + 2)
    assert minutes.stated(notebook) == 30
    assert minutes.stated({"cells": []}) is None


@pytest.mark.parametrize(
    ("words", "stated", "written"),
    [
        (3000, "20 minutes", "20 minutes"),
        (6000, "20 minutes, at most", "40 minutes, at most"),
        (6000, "two sittings of 10 minutes", "two sittings of 20 minutes"),
    ],
)
def test_minutes_far_from_what_is_counted_are_written_anew(
    words: int, stated: str, written: str
) -> None:
    text = f"**Time:** {stated}."
    cells = [
        {"cell_type": "markdown", "source": source, "metadata": {}}
        for source in ("word " * words, text)
    ]
    assert minutes.written(text, {"cells": cells}) == f"**Time:** {written}."
