"""The course page holds what the chapters, the assignments and the notes' sections say today."""

import itertools
import re
import tomllib
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
import torch

import transformer_lib as tl
from book import syllabus, toc
from book.html import floors
from book.paths import ROOT
from book.text import prose
from course.ledger.catalogue import NAMES

READ = [stem for week in syllabus.weeks() for stem in week.chapters]
ANSWERED = [name for week in syllabus.weeks() for name in week.assignments]
LINGUISTS = "linguists"  # the assignment of the four weeks, which belongs to no week of the core


@pytest.mark.parametrize("path", [syllabus.PAGE, syllabus.PICTURE], ids=lambda path: path.name)
def test_page_and_picture_are_those_of_today(path: Path) -> None:
    held = path.read_text(encoding="utf-8")
    assert held == syllabus.written()[path], "run: python -m book.syllabus"


def test_every_chapter_and_assignment_has_its_week() -> None:
    assert [one.stem for one in syllabus.chapters()] == [path.stem for path in toc.chapters()]
    named = [path.parent.name for path in toc.exercises()]
    assert sorted([*ANSWERED, LINGUISTS]) == sorted(named)
    begin = [(week.chapters or [f"{week.assignments[0]}_exercise"])[0] for week in syllabus.weeks()]
    named = (ROOT / "book" / "weeks.toml").read_text(encoding="utf-8")
    begins = tomllib.loads(named)
    assert sorted(begin) == sorted(begins["core"] + begins["electives"]), "all are in _toc.yml"


def test_a_chapter_needs_only_what_was_read_before() -> None:
    for one in syllabus.chapters():
        before = READ[: READ.index(one.stem)]
        assert one.needs <= set(before), one.stem
        assert one.minutes and len(one.objectives) >= 1


def test_minutes_and_points_are_those_of_the_tasks() -> None:
    text = syllabus.markdown(prose.read(syllabus.release("04_attention")))
    one = syllabus.assignment("04_attention")
    assert one.tasks == text.count("\n## Task") + text.startswith("## Task") == 7
    assert one.points == 20 and one.minutes == 15 + 15 + 15 + 8 + 5 + 12 + 8
    assert "| 4 | [4. Attention, further](04_attention.ipynb) | 25 |" in syllabus.weeks_table()


def test_every_section_of_the_notes_has_a_place() -> None:
    text = (ROOT / "chapters" / "sections.toml").read_text(encoding="utf-8")
    held = tomllib.loads(text)
    tables = syllabus.notes_tables()
    written = [s for s in held["sections"] if s["chapter"] not in held["planned"]]
    assert all(s["section"] in tables for s in written)
    assert tables.count("### ") == len(NAMES)


def test_what_the_page_says_of_two_layer_norms() -> None:
    """chapters/coming_from.md: deviation of n - 1 plus eps, beside variance of n plus eps."""
    page = (ROOT / "chapters" / "coming_from.md").read_text(encoding="utf-8")
    row = torch.tensor([1.0, 3.0])
    theirs = (row - row.mean()) / (row.std() + 1e-6)
    ours = tl.layer_norm(np.array([1.0, 3.0]))
    assert f"theirs gives about {theirs[1]:.2f}, this book's about {ours[1]:.0f}" in page


def test_boxes_stand_apart_and_arrows_go_down() -> None:
    below = {"a": "", "b": "a", "c": "a", "d": "a", "e": "bcd", "f": "b", "g": "fd", "h": "gc"}
    graph = {box: set(needs) for box, needs in below.items()}
    root = ET.fromstring(floors.svg(graph, dict.fromkeys(graph, "#fff")))
    boxes = [each for each in root if each.tag.endswith("rect") and each.get("x")]
    assert len(boxes) == len(graph)
    for one, other in itertools.combinations(boxes, 2):
        if one.get("y") == other.get("y"):
            gap = abs(float(one.get("x", 0)) - float(other.get("x", 0)))
            assert gap >= floors.WIDTH + floors.GAP - 1  # rounded to pixels
    curves = [each.get("d", "") for each in root if each.get("fill") == "none"]
    assert len(curves) == sum(len(floors.direct(box, graph)) for box in graph)
    for curve in curves:
        heights = [float(number) for number in re.findall(r"[\d.]+", curve)][1::2]
        assert heights == sorted(heights) and heights[0] < heights[-1]


@pytest.mark.parametrize("name", ["README.md", "intro.md", "chapters/coming_from.md"])
def test_a_page_that_counts_the_assignments_counts_them_all(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    said = re.findall(r"(?i)(\w+teen|twenty) assignments", text)
    assert {each.lower() for each in said} == {{20: "twenty"}[len(toc.exercises())]}


def four_weeks() -> tuple[str, list[str]]:
    """The section of the course page on four weeks, and what it says of each."""
    section = syllabus.between(syllabus.PAGE.read_text("utf-8"), "\n## Four weeks", "\n## ")
    before, *parts = re.split(r"\*\*Week (\d)\*\*", section.partition("**What to prepare**")[0])
    assert parts[::2] == ["1", "2", "3", "4"]
    return before, parts[1::2]


def test_four_weeks_for_linguists_need_no_other_page() -> None:
    read = set[str]()
    for week in four_weeks()[1]:
        time, pages = re.findall(r"\*Read before, (\d+) minutes:\* (.*)", week)[0]
        read |= set(re.findall(r"\]\((\w+)\.ipynb", pages))
        whole = [syllabus.chapter(stem) for stem in toc.named(pages)]
        assert set.union(set(), *(one.needs for one in whole)) <= read
        assert not whole or int(time) == sum(one.minutes or 0 for one in whole)


def test_the_assignment_of_the_four_weeks_is_what_the_course_page_says() -> None:
    before, weeks = four_weeks()
    one = syllabus.assignment(LINGUISTS)
    assert one.link in before and one.tasks == 5
    assert f"whose five tasks take {one.minutes} minutes and bring {one.points} points" in before
    after = [
        re.findall(r"\*After the session:\* tasks? ([^,]*), .*?\((\d+) min", week) for week in weeks
    ]
    found = [(tasks, int(time)) for ((tasks, time),) in after]
    assert [tasks for tasks, _ in found] == ["1", "2 and 3", "4", "5"], "each task has its week"
    assert sum(time for _, time in found) == one.minutes
    begin = toc.pages().index("chapters/course")
    assert toc.pages()[begin + 1] == f"exercises/release/{LINGUISTS}/{LINGUISTS}_exercise"
