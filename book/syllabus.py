"""Write the tables and the picture of the course page: `python -m book.syllabus`.

Titles, minutes, objectives and what a chapter needs are read from the chapters, tasks and points
from the released assignments, sections of the notes from chapters/sections.toml. With which page a
week begins, book/weeks.toml says. So the page repeats nothing that could come to differ.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from book import toc
from book.html import floors
from book.paths import ROOT
from book.text import minutes, prose
from course.ledger.catalogue import NAMES

PAGE, PICTURE = ROOT / "chapters" / "course.md", ROOT / "chapters" / "course.svg"
SOURCES = ROOT / "chapters" / "sources.md"
BLOCK = r"(?<=<!-- {0}: written by python -m book.syllabus -->\n).*?(?=<!-- end of {0} -->)"
COLOR = "#dbeafe"
PROMISE, PROMISED = re.escape(toc.PROMISE), r"\n\n\*\*|\n#"
FOR_PRACTICE = "count for nothing"  # what an assignment says of points that are no part of a grade
TASK = re.compile(r"^\*(\d+) points?, about (\d+) minutes", re.MULTILINE)


class Chapter(NamedTuple):
    """What the head of a chapter says; no minutes and no objectives on a page that looks back."""

    stem: str
    title: str
    minutes: int | None
    needs: set[str]
    objectives: list[str]

    @property
    def link(self) -> str:
        """The title as a link from another chapter."""
        return self.leads_to("")

    def leads_to(self, anchor: str) -> str:
        """The title as a link to a section, or to the chapter where no anchor is given."""
        return f"[{self.title}]({self.stem}.ipynb{'#' * bool(anchor)}{anchor})"


class Assignment(NamedTuple):
    """What the tasks of a released assignment add up to."""

    name: str
    title: str
    tasks: int
    minutes: int
    points: int

    @property
    def link(self) -> str:
        """The title as a link from a chapter."""
        return f"[{self.title}](../{release(self.name).relative_to(ROOT).as_posix()})"


class Week(NamedTuple):
    """The number of a week, or "elective", and what is read and handed in in it."""

    name: str
    chapters: list[str]
    assignments: list[str]


def weeks() -> list[Week]:
    """Each week's chapters and assignments: the pages as they are read, cut where a week begins."""
    text = (ROOT / "book" / "weeks.toml").read_text(encoding="utf-8")
    begins = tomllib.loads(text)
    begin = begins["core"] + begins["electives"]
    run = {path.stem for path in toc.notebooks() + toc.exercises()} | {PAGE.stem}
    stems = [stem for page in toc.reading() if (stem := Path(page).stem) in run]
    read = stems[stems.index(begin[0]) : stems.index(PAGE.stem)]
    alone = [one for one in begins["electives"] if one.endswith("_exercise")]
    found: list[Week] = []
    for stem in [one for one in read if one not in alone]:
        if stem in begin:
            name = "elective" if stem in begins["electives"] else str(len(found) + 1)
            found.append(Week(name, [], []))
        kind = found[-1].assignments if stem.endswith("_exercise") else found[-1].chapters
        kind.append(stem.removesuffix("_exercise"))
    return found + [Week("elective", [], [one.removesuffix("_exercise")]) for one in alone]


def chapter(stem: str) -> Chapter:
    """Read the head of a chapter."""
    notebook = prose.read(ROOT / "chapters" / f"{stem}.ipynb")
    text = markdown(notebook)
    needs = between(text, r"\*\*You need\*\*", r"\*\*Time")
    objectives = between(text, PROMISE, PROMISED)
    return Chapter(
        stem,
        re.findall(r"^# (.*)", text)[0],
        minutes.stated(notebook),
        set(toc.named(needs)),
        [line.strip(" -,.\n") for line in re.split(r"\n(?:-|\d+\.) ", objectives) if line.strip()],
    )


def assignment(name: str) -> Assignment:
    """Add up the tasks of a released assignment."""
    text = markdown(prose.read(release(name)))
    tasks = [(int(points), int(time)) for points, time in TASK.findall(text)]
    points, time = (sum(column) for column in zip(*tasks, strict=True))
    points *= FOR_PRACTICE not in text
    title = re.findall(r"^# Exercise[\d and]*: (.*)", text)[0]
    return Assignment(name, title, len(tasks), time, points)


def release(name: str) -> Path:
    """The notebook that students get."""
    return ROOT / "exercises" / "release" / name / f"{name}_exercise.ipynb"


def markdown(notebook: dict[str, Any]) -> str:
    """All text cells of a notebook, without the notes for who speaks."""
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells)
    return re.sub(r"<!-- slide:.*?-->\n*", "", text)


def between(text: str, start: str, end: str) -> str:
    """What stands between two patterns, or nothing."""
    found = re.search(f"{start}(.*?)(?:{end})", text, re.DOTALL)
    return found[1] if found else ""


def weeks_table() -> str:
    """One row per week: what is read and handed in, and how long both take."""
    lines = [
        "| week | read | reading, min | hand in | tasks, min | points |",
        "|---|---|---|---|---|---|",
    ]
    for week in weeks():
        read = [chapter(stem) for stem in week.chapters]
        made = [assignment(name) for name in week.assignments]
        lines.append(
            f"| {week.name} | {', '.join(one.link for one in read)} "
            f"| {total(one.minutes or 0 for one in read)} | {', '.join(one.link for one in made)} "
            f"| {total(one.minutes for one in made)} | {total(one.points for one in made)} |"
        )
    return "\n".join(lines)


def total(numbers: Iterable[int]) -> str:
    """The sum, or nothing where there is nothing to add."""
    return str(sum(numbers) or "")


def objectives_list() -> str:
    """What each chapter promises, in its own words."""
    return "\n".join(
        f"- {one.link}: {'; '.join(one.objectives)}." for one in chapters() if one.objectives
    )


def chapters() -> list[Chapter]:
    """The heads of the chapters; a page that looks back is none."""
    return [chapter(path.stem) for path in toc.chapters()]


def needs() -> dict[str, set[str]]:
    """Each chapter with those that its head says it needs, all by name."""
    every = {one.stem: one for one in chapters()}
    return {name(one): {name(every[stem]) for stem in one.needs} for one in every.values()}


def name(one: Chapter) -> str:
    """The number and title of a chapter, short enough for a box."""
    number, _, title = one.title.rpartition(". ")
    return f"{number} {title.removeprefix('The ').capitalize()}".strip().replace("&", "and")


def needs_picture() -> str:
    """The picture as Markdown, with its arrows in words."""
    arrows = [f"{box} needs {', '.join(sorted(below))}" for box, below in needs().items() if below]
    return f"![{'; '.join(arrows)}.](course.svg)"


def drawing() -> str:
    """The picture: a chapter stands above those that it needs."""
    graph = needs()
    return floors.svg(graph, dict.fromkeys(graph, COLOR))


def notes_tables() -> str:
    """For each set of notes: where each of its sections is taught."""
    text = (ROOT / "chapters" / "sections.toml").read_text(encoding="utf-8")
    sections = tomllib.loads(text)["sections"]
    every = {stem: chapter(stem) for stem in {s["chapter"] for s in sections}}
    parts = []
    for note, title in NAMES.items():
        rows = [f"### {title}", "", "| section of the notes | treated in |", "|---|---|"]
        rows += [
            f"| {s['section']} | {every[s['chapter']].leads_to(s.get('anchor', ''))} |"
            for s in sections
            if s["note"] == note
        ]
        parts.append("\n".join(rows))
    return "\n\n".join(parts)


PARTS: dict[str, tuple[Path, Callable[[], str]]] = {
    "weeks": (PAGE, weeks_table),
    "needs": (PAGE, needs_picture),
    "objectives": (PAGE, objectives_list),
    "notes": (SOURCES, notes_tables),
}


def written() -> dict[Path, str]:
    """What the two pages and the picture shall hold."""
    pages = {path: path.read_text(encoding="utf-8") for path in (PAGE, SOURCES)}
    for part, (path, made) in PARTS.items():
        block = re.compile(BLOCK.format(part), re.DOTALL)
        if len(block.findall(pages[path])) != 1:
            raise ValueError(f"{path.name} must have one block {part!r} between its two comments")
        pages[path] = block.sub(f"\n{made()}\n\n".replace("\\", r"\\"), pages[path])
    return {**pages, PICTURE: drawing()}


def main(words: Sequence[str] | None = None) -> int:
    """Write, and say what changed."""
    argparse.ArgumentParser(prog="python -m book.syllabus", description=__doc__).parse_args(words)
    for path, text in written().items():
        same = path.exists() and path.read_text(encoding="utf-8") == text
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"{path.relative_to(ROOT)}: {'as it was' if same else 'written anew'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
