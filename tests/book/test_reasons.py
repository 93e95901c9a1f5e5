"""Each reason of the chapters has its kind, and one without is named with the row to paste."""

from pathlib import Path
from typing import Any

import pytest

from book import reasons, toc
from book.text import prose


@pytest.mark.parametrize("path", toc.notebooks(), ids=lambda path: path.stem)
def test_each_reason_of_a_chapter_has_its_kind(path: Path) -> None:
    said = reasons.complaints(path.stem, prose.read(path), reasons.rows(path.stem))
    assert "\n\n".join(said) == ""


def page(text: str, code: str = "x = 1") -> dict[str, Any]:
    """A notebook of one text and one code cell."""
    return {
        "cells": [
            {"id": "c1", "cell_type": "markdown", "source": text},
            {"id": "c2", "cell_type": "code", "source": code},
        ]
    }


SUM = "The output stays inside, because the weights sum to 1. It may turn."
KEY = "because the weights sum to 1"


def test_a_new_reason_is_named_with_its_sentence_and_the_rows_to_paste() -> None:
    (said,) = reasons.complaints("04_attention", page(SUM), {})
    assert "04_attention, cell c1" in said
    assert "“The output stays inside, because the weights sum to 1.”" in said
    assert "under [04_attention]" in said
    assert f'  "{KEY}" = {{cell = "id of the cell that shows it"}}' in said.split("\n")


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"definition": ""}, None),
        ({"cell": "c2"}, None),
        ({"cell": "c1"}, "no code cell c1"),
        ({"cell": "05_multi_head_attention trained"}, None),
        ({"cell": "05_multi_head_attention c999"}, "no code cell 05_multi_head_attention c999"),
        ({"cell": "no_chapter c2"}, "no chapter no_chapter"),
        ({"holds": "average-dragons"}, None),
        ({"holds": "05_multi_head_attention default"}, None),
        ({"holds": "default"}, "no row default"),
        ({"source": "Vaswani et al. (2017)"}, None),
        ({"source": "book/reasons.py"}, None),
        ({"source": "Vaswani et al. (2016)"}, "no Author"),
        ({"may": ""}, "no “may”"),
        ({"guess": ""}, "guess is no kind"),
        ({"cell": "c2", "holds": "average-dragons"}, "one kind"),
    ],
)
def test_a_kind_holds_or_says_why_not(row: dict[str, str], complaint: str | None) -> None:
    said = reasons.complaints("04_attention", page(SUM), {KEY: row})
    assert len(said) == 0 if complaint is None else complaint in said[0]


@pytest.mark.parametrize(
    "text", ["One reason may be known, because $x$ is so.", "Perhaps because."]
)
def test_a_sentence_that_says_it_may_be_needs_no_more(text: str) -> None:
    found = reasons.reasons(page(text))
    assert reasons.complaints("04_attention", page(text), {r.key: {"may": ""} for r in found}) == []


def test_the_row_of_a_reason_that_is_gone_is_named() -> None:
    (said,) = reasons.complaints("04_attention", page("Text."), {KEY: {"definition": ""}})
    assert f"no reason begins with “{KEY}” now" in said


@pytest.mark.parametrize(
    "text",
    [
        "So far it fits, and so on. It did so many times, so-called.",
        "What does *so* get in *the chef so …*? They do so.",
        "It is. <!-- slide: 1 min. Because it is short. -->",
        "```python\nbecause = 1\n```",
    ],
)
def test_what_is_no_reason(text: str) -> None:
    assert reasons.reasons(page(text)) == []


def test_a_caption_is_read_too_and_reasons_that_begin_alike_have_keys_of_their_own() -> None:
    alike = "so a b c d e f g h i"
    notebook = page(f"It is, {alike} j. It is, {alike} k.", 'show(caption="So it is.")  # because')
    assert [r.key for r in reasons.reasons(notebook)] == [f"{alike} j", f"{alike} k", "So it is"]


@pytest.mark.parametrize(
    ("text", "says"), [("[no_chapter]", "of no chapter: ..no_chapter"), ("a = 1\na = 2", "be read")]
)
def test_a_file_of_rows_that_fits_no_chapter_is_refused(
    tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "reasons.toml").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=says):
        reasons.rows("04_attention", tmp_path / "reasons.toml")


def test_the_command_lists_the_kinds(capsys: pytest.CaptureFixture[str]) -> None:
    assert reasons.main(["gallery"]) == 0
    assert capsys.readouterr().out.startswith("gallery, g-heat-text, task: Maps that are")
