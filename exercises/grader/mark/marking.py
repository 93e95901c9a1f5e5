"""Apply what follows the judge: overrides, deadlines, and students who handed in nothing.

The results of the judge do not change. Every run reads the tables again, so the decisions survive
regrading. The options of a run are recorded, so that you need not repeat them in the next one.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from exercises.grader.identity.roster import Roster, fold
from exercises.grader.intake import tables
from exercises.grader.intake.assignment import Assignment
from exercises.grader.intake.submissions import Submission
from exercises.grader.mark import judge, lateness, overrides, results
from exercises.grader.mark.graded import Graded
from exercises.grader.mark.lateness import Terms
from exercises.grader.mark.overrides import Override
from exercises.grader.mark.results import Result, Status

OPTIONS = {  # what each one is given, and what it says; a CSV may be an Excel table too
    "roster": ("CSV", "columns id, name, group, and names in the system"),
    "aliases": ("CSV", "ids that students typed in another way: typed, student"),
    "overrides": ("CSV", "points and comments of yours: student, task, points, why"),
    "deadline": ("TIME", "such as 2026-03-02T23:59; a bare day means its end"),
    "version": ("N", "judge notebooks of these earlier versions too, such as 5 or 5,6"),
    "late": ("RULE", f"what lateness costs, such as {lateness.FORM}"),
    "extensions": ("CSV", "later deadlines: student, deadline, why"),
    "times": ("CSV", "student, submitted; or the grading worksheet of Moodle"),
}
ABSENT = "nothing was handed in"


class Marking(NamedTuple):
    """This is what changes the points of a class after the judge."""

    overrides: Mapping[str, Mapping[str, Override]]  # by student, by task
    terms: Terms | None = None

    def of(self, submission: Submission, judged: Result) -> Graded:
        """Return a submission with the points that count."""
        of_group = self.overrides.get(submission.by, {})
        own = self.overrides.get(submission.student, {})
        made = Graded(submission, judged, {**of_group, **own})
        if self.terms and not judged.is_absent:
            return made._replace(late=self.terms.of(submission))
        return made


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options; a missing one keeps the value of the previous run, and '' drops it."""
    for name, (metavar, words) in OPTIONS.items():
        parser.add_argument(f"--{name}", metavar=metavar, help=words.replace("%", "%%"))


def read(
    options: Mapping[str, str], assignment: Assignment, everybody: Sequence[Submission], out: Path
) -> Marking:
    """Read all files and options in `options`, and record them in `out` for the next run.

    Raises:
        ValueError: a file or a word is wrong, or an option that another one needs is missing.
    """
    if (options["late"] or options["extensions"] or options["times"]) and not options["deadline"]:
        raise ValueError("--late, --extensions and --times need a --deadline")
    chosen: dict[str, dict[str, Override]] = {}
    path = options["overrides"]
    for one in overrides.read(Path(path), assignment, everybody) if path else ():
        chosen.setdefault(one.student, {})[one.task] = one
    if alone := sum(one.points is None for by_task in chosen.values() for one in by_task.values()):
        print(f"--overrides: rows without points, which are comments: {alone}", file=sys.stderr)
    made = Marking(chosen, _terms(options, everybody) if options["deadline"] else None)
    results.write(out / "marking.json", json.dumps(options, indent=1))
    return made


def versions(chosen: str, assignment: Assignment) -> frozenset[int]:
    """Return the earlier versions of an assignment that are judged.

    Raises:
        ValueError: one of them is none of which the assignment keeps the cells.
    """
    numbers = [number.strip() for number in chosen.split(",")] if chosen else []
    known = {str(version) for version in (*assignment.earlier, assignment.version)}
    if wrong := [number for number in numbers if number not in known]:
        there = ", ".join(sorted(map(str, assignment.earlier))) or "none"
        raise ValueError(
            f"--version must name earlier versions of {assignment.name} (it has {there}), got "
            f"{wrong[0]!r}"
        )
    return frozenset(map(int, numbers))


def _terms(options: Mapping[str, str], everybody: Sequence[Submission]) -> Terms:
    later, when = options["extensions"], options["times"]
    end = tables.moment(options["deadline"], "--deadline")
    return Terms(
        end=end,
        rule=lateness.rule(options["late"]) if options["late"] else lateness.Rule(),
        extensions=lateness.extensions(Path(later), everybody, end) if later else {},
        times=lateness.times(Path(when), everybody) if when else {},
    )


def options(given: argparse.Namespace) -> dict[str, str]:
    """Return the value of each option: the given one, or else that of the previous run.

    Raises:
        ValueError: the record of the previous run cannot be read.
    """
    path = given.out / "marking.json"
    before = results.stored(path) if path.exists() else {}
    options = {}
    for name, (metavar, _) in OPTIONS.items():
        value = getattr(given, name)
        if value and metavar == "CSV":
            value = str(Path(value).absolute())
        options[name] = old = before.get(name, "") if value is None else value
        if not isinstance(old, str):
            raise ValueError(f"{results.SPOILED.format(path)} {name} is {old!r:.80}")
        if value is None and options[name]:
            print(f"as before: --{name} {options[name]!r}", file=sys.stderr)
    return options


def absent(people: Roster | None, found: Sequence[Submission]) -> list[Submission]:
    """Return one row for each student of the roster who handed in nothing."""
    there = {fold(submission.student) for submission in found}
    return [
        Submission(person.id, "", ABSENT, person=person)
        for person in (people.people if people else ())
        if fold(person.id) not in there
    ]


def result_of_nothing(
    assignment: Assignment, submission: Submission, perhaps: Sequence[str] = ()
) -> Result:
    """Return a result without points, not with zero; `perhaps` are files that may be theirs."""
    if perhaps:
        said = f"{len(perhaps)} of the files may be theirs, for example {perhaps[0]!r}"
        return judge.rest(assignment, submission.student, Status.NOT_JUDGED, said)
    return judge.rest(assignment, submission.student, Status.ABSENT, ABSENT)


def said_of(lost: Sequence[str]) -> str:
    """Return a sentence about files that do not name their student."""
    return f"{len(lost)} of the files name no student and were not read, for example {lost[0]!r}"
