"""The form of an option tells nothing: not its length, its hedges, its absolutes or its place."""

import html
import json
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from book.paths import ROOT

RATIO = 1.2
"""How many times as long as the next an option may be."""

HEDGES = """about|almost|appears?|approximately|around|as a rule|can|could|generally|hardly|
in general|in most cases|largely|likely|may|maybe|might|mostly|nearly|normally|often|partly|perhaps|
possibl[ey]|probably|rarely|roughly|seems?|some|sometimes|somewhat|tends?|typically|usually"""
ABSOLUTES = """absolutely|all|always|any|anything|cannot|certainly|completely|each|entirely|every|
everything|exactly|impossible|just|must|never|no|nobody|none|nothing|only|simply|totally|wholly"""

FIELDSET = re.compile(r'<fieldset class="tl-question" id="([^"]+)">(.*?)</fieldset>', re.DOTALL)
CHOICE = re.compile(r'data-verdict="(\w+)"><label[^>]*>(.*?)</label>', re.DOTALL)
ANSWER = re.compile(r"(Yes|No)\b[,:.]?\s*")
AMOUNT = re.compile(r"[-−]?\d+(\.\d+)?\b|(none|one|two|three|four|five|half)\b")
YES = re.compile(r"Yes\b|(It|He|She|They) (is|are|can be) right|They do\b")


class Asked(NamedTuple):
    """A question as a page shows it: its options from top to bottom, and whether each is right."""

    id: str
    labels: list[str]
    right: list[bool]


def plain(label: str) -> str:
    """The text of a label without its tags."""
    return html.unescape(re.sub(r"<[^>]+>", "", label)).strip()


def stored(path: Path) -> Iterator[Asked]:
    """The questions among the stored outputs of a notebook."""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", []):
            page = "".join(output.get("data", {}).get("text/html", ""))
            for id, body in FIELDSET.findall(page):
                if found := CHOICE.findall(body):
                    labels = [plain(label) for _, label in found]
                    yield Asked(id, labels, [verdict == "right" for verdict, _ in found])


def every(root: Path = ROOT) -> list[Asked]:
    """Each question of the chapters once, although some pages ask it again."""
    pages = sorted(root.glob("chapters/*.ipynb"))
    return list({asked.id: asked for page in pages for asked in stored(page)}.values())


QUESTIONS = every()


def is_short(asked: Asked) -> bool:
    """Whether all options are some characters, or numbers and formulas, where no length shows."""
    words = (re.findall(r"[a-z]{3,}", label.lower()) for label in asked.labels)
    return max(map(len, asked.labels)) <= 12 or all(set(found) <= {"and"} for found in words)


def stands_out(asked: Asked) -> bool:
    """Whether the longest option is much longer than the next, or the shortest much shorter."""
    lengths = sorted(map(len, asked.labels))
    return lengths[-1] > RATIO * lengths[-2] or lengths[1] > RATIO * lengths[0]


def longest(labels: list[str]) -> list[bool]:
    """Which options are as long as the longest."""
    return [len(label) == max(map(len, labels)) for label in labels]


def shortest(labels: list[str]) -> list[bool]:
    """Which options are as short as the shortest."""
    return [len(label) == min(map(len, labels)) for label in labels]


def says(words: str, labels: list[str]) -> list[bool]:
    """Which options say one of these words after their yes or no."""
    listed = words.replace("\n", "")
    pattern = re.compile(rf"\b({listed})\b", re.IGNORECASE)
    return [bool(pattern.search(ANSWER.sub("", label, count=1))) for label in labels]


def hedged(labels: list[str]) -> list[bool]:
    """Which options have a hedge."""
    return says(HEDGES, labels)


def absolute(labels: list[str]) -> list[bool]:
    """Which options have an absolute word."""
    return says(ABSOLUTES, labels)


def hits(
    marks: Callable[[list[str]], list[bool]], questions: list[Asked]
) -> Iterator[tuple[float, float]]:
    """How often a guess among the marked options is right, and by chance, for each question.

    A question counts where some of its options are marked and others are not.
    """
    for asked in questions:
        marked = marks(asked.labels)
        if any(marked) and not all(marked):
            chosen = [
                right for right, is_marked in zip(asked.right, marked, strict=True) if is_marked
            ]
            yield sum(chosen), len(chosen) * sum(asked.right) / len(asked.right)


def deviation(found: list[tuple[float, float]]) -> float:
    """How many standard deviations a count lies from what chance gives."""
    excess = sum(hit - chance for hit, chance in found)
    return excess / math.sqrt(sum(chance * (1 - chance) for _, chance in found))


def has_fixed_order(asked: Asked) -> bool:
    """Whether the meaning orders the options: a yes comes first, and numbers ascend."""
    return any(map(YES.match, asked.labels)) or all(map(AMOUNT.match, asked.labels))


def places(count: int, place: int, questions: list[Asked]) -> list[tuple[float, float]]:
    """Whether the option at a place is right, and the chance of it, in questions of this size."""
    asked = [each for each in questions if len(each.labels) == count]
    return [(each.right[place], sum(each.right) / count) for each in asked]


def test_the_questions_are_found() -> None:
    assert len(QUESTIONS) > 230
    assert all(any(each.right) and not all(each.right) for each in QUESTIONS)


@pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.id)
def test_no_option_is_much_longer_or_shorter_than_the_next(asked: Asked) -> None:
    assert is_short(asked) or not stands_out(asked), sorted(asked.labels, key=len)


@pytest.mark.parametrize("marks", [longest, shortest, hedged, absolute])
def test_no_form_of_an_option_is_right_more_often_than_its_share(
    marks: Callable[[list[str]], list[bool]],
) -> None:
    for questions in (QUESTIONS, [each for each in QUESTIONS if not is_short(each)]):
        found = list(hits(marks, questions))
        assert abs(deviation(found)) < 2, (len(found), *map(sum, zip(*found, strict=True)))


@pytest.mark.parametrize(("count", "place"), [(n, i) for n in (2, 3, 4) for i in range(n)])
@pytest.mark.parametrize("is_fixed", [False, True], ids=["drawn", "fixed"])
def test_no_place_is_right_more_often_than_its_share(
    is_fixed: bool, count: int, place: int
) -> None:
    questions = [each for each in QUESTIONS if has_fixed_order(each) == is_fixed]
    found = places(count, place, questions)
    assert abs(deviation(found)) < 2, (len(found), sum(hit for hit, _ in found))


def test_a_yes_comes_first() -> None:
    affirmed = [each for each in QUESTIONS if any(map(YES.match, each.labels))]
    assert len(affirmed) > 40 and all(YES.match(each.labels[0]) for each in affirmed)


def test_what_stands_out_and_what_is_marked() -> None:
    assert stands_out(Asked("a", ["a" * 10, "b" * 13], [True, False]))
    assert not stands_out(Asked("a", ["a" * 10, "b" * 12], [True, False]))
    assert is_short(Asked("a", ["(2, 3) and (4, 5)", "1"], [True, False]))
    assert hedged(["No, it may grow.", "It grows."]) == [True, False]
    assert absolute(["No, it grows.", "It never grows."]) == [False, True]
    assert list(hits(longest, [Asked("a", ["a", "bb", "cc"], [False, True, False])])) == [
        (1, 2 / 3)
    ]
