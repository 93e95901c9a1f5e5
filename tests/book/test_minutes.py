"""The minutes that a chapter states are those that its words, code and questions take."""

from pathlib import Path

import pytest

from book import minutes, prose, toc

CHAPTERS = toc.chapters()
NEAR = 5
"""Heads state multiples of five minutes."""


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_a_chapter_takes_the_minutes_that_it_states(path: Path) -> None:
    notebook = prose.read(path)
    stated, counted = minutes.stated(notebook), minutes.minutes(notebook)
    assert stated is not None and stated % 5 == 0
    assert abs(stated - counted) <= NEAR, (
        f"{path.stem} states {stated} minutes and takes {counted:.0f}: {minutes.contents(notebook)}"
    )


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
