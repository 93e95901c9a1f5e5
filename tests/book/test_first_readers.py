"""The kit for the first readers: its answers, its minutes, its cards, and what it opens."""

import itertools
import re
from collections import Counter

import numpy as np
import pytest

import transformer_lib as tl
from book import toc
from book.paths import ROOT
from book.text import prose

DOCS = ROOT / "docs"
KIT = (DOCS / "first_readers.md").read_text("utf-8")
NOT_YET = re.compile(r"[Nn]ot\s+yet\s+tried\s+with\s+a\s+class")
ABOUT_PEOPLE = [
    *("README.md", "chapters/course.md", "exercises/CLASS.md", "docs/lecture.md"),
    *(f"docs/lectures/{name}.md" for name in ("half_hour", "05_and_06", "12")),
]
PROPOSED = [
    *("docs/first_readers.md", "docs/scoring.md", "exercises/CLASS.md", "chapters/course.md"),
    "chapters/own_experiment.ipynb",
    "chapters/you_and_the_model.ipynb",
]


def rows(start: str) -> list[list[str]]:
    """The cells of the rows of a table whose first cell matches a pattern."""
    found = [line.strip("| ").split(" | ") for line in KIT.splitlines() if line.startswith("|")]
    return [row for row in found if re.fullmatch(start, row[0])]


def numbers(cell: str) -> np.ndarray:
    """The numbers of a cell."""
    return np.array(cell.split(), dtype=float)


def changed(before: np.ndarray, after: np.ndarray) -> str:
    """Which words, from 1, have another weight."""
    return " ".join(map(str, np.flatnonzero(~np.isclose(before, after)) + 1)) or "none"


@pytest.mark.parametrize("form", rows(r"two, [AB]"), ids=lambda row: row[0])
def test_a_softmax_to_base_2(form: list[str]) -> None:
    scores, values, by, weights, output = map(numbers, form[1:6])
    made = 2**scores / (2**scores).sum()
    np.testing.assert_allclose(made, weights)
    np.testing.assert_allclose(tl.softmax(scores * np.log(2)), weights)
    np.testing.assert_allclose(weights @ values, output)
    assert changed(made, tl.softmax((scores + by) * np.log(2))) == form[6]


@pytest.mark.parametrize("form", rows(r"mask, [AB]"), ids=lambda row: row[0])
def test_a_mask_that_hides_every_second_word(form: list[str]) -> None:
    exponentials, values, grown, weights, output = map(numbers, form[1:6])
    made = half_hidden(np.log(exponentials))
    np.testing.assert_allclose(made, weights, atol=1e-12)
    np.testing.assert_allclose(weights @ values, output)
    word = int(grown.item())
    assert changed(made, half_hidden(np.log(exponentials) + (np.arange(5) == word - 1))) == form[6]


def half_hidden(scores: np.ndarray) -> np.ndarray:
    """The weights where words 2, 4 and so on are hidden."""
    return np.asarray(tl.softmax(np.where(np.arange(len(scores)) % 2, -np.inf, scores)))


def test_the_forms_are_parallel_and_differ() -> None:
    for a, b in (rows(r"two, [AB]"), rows(r"mask, [AB]")):
        assert [len(cell.split()) for cell in a[1:3]] == [len(cell.split()) for cell in b[1:3]]
        assert sorted(numbers(a[4]) > 0) == sorted(numbers(b[4]) > 0) and a[4] != b[4]
        assert a[5] != b[5]


def test_the_answers_of_the_other_questions() -> None:
    np.testing.assert_allclose(tl.softmax(np.log([6.0, 2.0])), [3 / 4, 1 / 4])
    np.testing.assert_allclose(tl.softmax(np.array([np.log(3), 0.0])), [3 / 4, 1 / 4])
    np.testing.assert_allclose(tl.softmax(np.array([-np.inf, 0.0])), [0, 1])
    assert "3/4 is on paper" in KIT and "Right: 3/4 and 1/4." in KIT and "Right: 1." in KIT
    asked = prose.read(ROOT / "chapters/attention.ipynb")
    code = "".join("".join(cell["source"]) for cell in asked["cells"])
    assert "Two words have the scores ln 6 and ln 2. What is the larger weight?" in code


def test_the_minutes_are_forty_and_the_problems_come_when_the_cards_say() -> None:
    parts = [row for row in rows(r"\d+") if len(row) == 3 and not row[1].startswith("two,")]
    begins = list(itertools.accumulate([int(row[0]) for row in parts], initial=0))
    named = {row[1]: minute for row, minute in zip(parts, begins, strict=False)}
    assert begins[-1] == 40 and "forty minutes" in KIT
    for time in ("first", "last"):
        (minute,) = re.findall(rf"\| (?:card \| )?.*?{time}, minute (\d+)", KIT)
        assert named[f"the two problems, {time} time"] == int(minute)
    assert sum(row[1][0].isdigit() for row in parts) == 6


def test_each_problem_has_each_form_and_the_page_once_and_first_for_half() -> None:
    cards = [row for row in rows(r"[1-4]") if row[1].startswith("two,")]
    first: Counter[str] = Counter()
    for card in cards:
        halves = [dict(re.findall(r"(two|mask), form (.*?)(?:;|$)", half)) for half in card[1:]]
        for problem in ("two", "mask"):
            forms, pages = zip(*(half[problem].split(", ") for half in halves), strict=True)
            assert set(forms) == {"A", "B"} and set(pages) == {"with", "without"}
            first.update([f"{problem} {forms[0]}", f"{problem} {pages[0]}"])
    assert len(cards) == 4 and len(first) == 8 and set(first.values()) == {2}


def test_no_chapter_defines_what_the_kit_asks() -> None:
    texts = [prose.read(path) for path in toc.notebooks()]
    text = " ".join("".join(cell["source"]) for each in texts for cell in each["cells"])
    assert not re.search(r"base[- ]2 softmax|softmax (?:to|of|with) base 2|every second word", text)


@pytest.mark.parametrize("page", ABOUT_PEOPLE)
def test_a_page_that_speaks_of_people_says_that_no_class_has_tried_it(page: str) -> None:
    assert len(NOT_YET.findall((ROOT / page).read_text("utf-8"))) == 1


@pytest.mark.parametrize("page", PROPOSED)
def test_a_study_with_people_leads_to_consent(page: str) -> None:
    (link,) = set(re.findall(r"[(<]([^(<]*consent\.md)[)>]", (ROOT / page).read_text("utf-8")))
    assert ((ROOT / page).parent / link).resolve() == DOCS / "consent.md"


@pytest.mark.parametrize("name", ["consent", "first_readers"])
def test_the_links_of_the_kit_lead_to_files(name: str) -> None:
    links = re.findall(r"\]\(([^)#]*)[^)]*\)", (DOCS / f"{name}.md").read_text("utf-8"))
    assert links and [link for link in links if not (DOCS / link).exists()] == []
