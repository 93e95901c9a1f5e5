"""The minutes that a chapter states are those that its words, code and questions take."""

import re
from pathlib import Path

import pytest

from book import toc
from book.text import minutes, prose


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


CORE = [path for path in toc.chapters() if re.match(r"(0\d|1[0-3])_|attention", path.stem)]


@pytest.mark.parametrize("path", CORE, ids=lambda path: path.stem)
def test_the_core_of_a_chapter_takes_at_most_35_minutes(path: Path) -> None:
    notebook = prose.read(path)
    assert (minutes.stated(notebook) or 0) <= 35
    assert minutes.minutes(notebook) < 37.5  # what rounds to 35


def test_a_section_that_may_be_left_out_is_counted_apart() -> None:
    sources = ["# Title\n\none two", "## Optional: three\n\nfour", "five", "## Six\n\nseven"]
    cells = [{"cell_type": "markdown", "source": each, "metadata": {}} for each in sources]
    core, more = (minutes.contents({"cells": cells}, apart)["words"] for apart in (False, True))
    assert (core, more) == (5, 4)


@pytest.mark.parametrize(
    ("words", "stated", "written"),
    [
        (3000, "20 minutes", "20 minutes"),
        (6000, "20 minutes, at most", "40 minutes, at most"),
        (1500, "10 minutes (optional sections: 30 more)", "10 minutes"),
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
