"""Compute how late a submission is, and what share of its points is taken off."""

import datetime
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from exercises.grader.identity.roster import number_at_end
from exercises.grader.intake import tables
from exercises.grader.intake.submissions import Submission

FORM = "'10% per day, grace 30 minutes, floor 50%'"
PER = re.compile(r"(\d+(?:\.\d+)?) ?% per (hour|day|week)")
GRACE = re.compile(r"grace (\d+) (minute|hour|day)s?")
FLOOR = re.compile(r"floor (\d+(?:\.\d+)?) ?%")
UNKNOWN = "The time at which it was handed in is not known."
NOTHING = datetime.timedelta(0)


class Rule(NamedTuple):
    """This is the share taken off for each unit begun, the grace period, and the floor."""

    share: float = 0.0
    unit: datetime.timedelta = datetime.timedelta(days=1)
    grace: datetime.timedelta = NOTHING
    floor: float = 0.0

    def taken(self, late: datetime.timedelta) -> float:
        """Return the share that is taken off."""
        if late <= max(self.grace, NOTHING):
            return 0.0
        return min(math.ceil(late / self.unit) * self.share, 1.0 - self.floor)


class Extension(NamedTuple):
    """This is a later deadline for one student."""

    end: datetime.datetime
    why: str


class Lateness(NamedTuple):
    """This is the share of points that lateness costs one submission, with a sentence about it."""

    share: float = 0.0
    said: str = ""

    def counted(self, points: float | None) -> float | None:
        """Return the points that remain, None if the submission has none."""
        return None if points is None else round(points * (1 - self.share), 2)


IN_TIME = Lateness()


class Terms(NamedTuple):
    """These are the deadline, its rule, the extensions, and the time of each submission."""

    end: datetime.datetime
    rule: Rule
    extensions: Mapping[str, Extension]
    times: Mapping[str, datetime.datetime]

    def of(self, submission: Submission) -> Lateness:
        """Return how late a submission is, with a remark if its time is unknown."""
        given = self.extensions.get(submission.student)
        end = given.end if given else self.end
        known = self.times.get(submission.student) or self.times.get(submission.by)
        deadline = f" The deadline was {end:%Y-%m-%d %H:%M}: {given.why}." if given else ""
        if known is None:
            return Lateness(0.0, _unknown(submission) + deadline)
        late = known - end
        if late <= NOTHING:
            return Lateness(0.0, f"In time.{deadline}" if deadline else "")
        share = self.rule.taken(late)
        cost = f"{100 * share:g} % of the points taken off" if share else "nothing taken off"
        grace = ", within the grace period" if NOTHING < late <= self.rule.grace else ""
        return Lateness(share, f"{_long(late)} late{grace}: {cost}.{deadline}")


def rule(text: str) -> Rule:
    """Read a rule such as '10% per day, grace 30 minutes, floor 50%'.

    Raises:
        ValueError: a part of it is not understood or occurs twice, or the share is missing.
    """
    made: dict[str, object] = {}
    for part in text.split(","):
        words = " ".join(part.lower().split())
        if match := PER.fullmatch(words):
            new = {"share": float(match[1]) / 100, "unit": _span("1", match[2])}
        elif match := GRACE.fullmatch(words):
            new = {"grace": _span(match[1], match[2])}
        elif match := FLOOR.fullmatch(words):
            new = {"floor": float(match[1]) / 100}
        else:
            raise ValueError(f"--late must be like {FORM}; {words!r} is not understood")
        if made.keys() & new.keys():
            raise ValueError(
                f"--late must contain each part only once, but {words!r} is a second one"
            )
        made |= new
    found = Rule(**made)  # type: ignore[arg-type]
    if "share" not in made or max(found.share, found.floor) > 1:
        raise ValueError(f"--late must take off 0 to 100 % per hour, day or week, got {text!r}")
    return found


def extensions(
    path: Path, found: Sequence[Submission], end: datetime.datetime
) -> dict[str, Extension]:
    """Read a table with the columns student, deadline and why.

    Raises:
        ValueError: a line names no student or no time, or a time before the `end` for the class.
    """
    students = {submission.student for submission in found}
    made: dict[str, Extension] = {}
    for row in tables.read(path, ("student", "deadline", "why")):
        if (student := row.get("student")) not in students:
            raise ValueError(f"{row.place}: no student in this class has the id {student!r}")
        if student in made:
            raise ValueError(f"{row.place}: {student!r} has two deadlines")
        later = tables.moment(row.get("deadline"), row.place)
        if later < end:
            said = f"the deadline of {student!r} must not be before that of the class"
            raise ValueError(
                f"{row.place}: {said}, {end:%Y-%m-%dT%H:%M}, got {later:%Y-%m-%dT%H:%M}"
            )
        made[student] = Extension(later, row.get("why"))
    return made


def times(path: Path, found: Sequence[Submission]) -> dict[str, datetime.datetime]:
    """Read when each student handed in: columns student and submitted, or Moodle's worksheet.

    Raises:
        ValueError: a line names no student or no time, or the columns are missing.
    """
    of_moodle = any(row.get("identifier") for row in tables.read(path, ()))
    who, when = "student", "submitted"
    names = {submission.student: submission.student for submission in found}
    if of_moodle:
        who, when = "identifier", "last modified (submission)"
        names = {submission.number("moodle"): submission.student for submission in found}
    made = {}
    for row in tables.read(path, (who, when)):
        text = row.get(who)
        name = names.get((of_moodle and number_at_end(text)) or text)
        if name is None and not of_moodle:
            raise ValueError(f"{row.place}: no student in this class has the id {text!r}")
        if name is not None and row.get(when) not in ("", "-"):
            made[name] = tables.moment(row.get(when), row.place, is_deadline=False)
    return made


def _unknown(submission: Submission) -> str:
    if submission.handed.late:
        return "The system marked it as late, but not by how much, so no points were taken off."
    if submission.handed.form in ("canvas", "ilias"):
        return ""  # these systems mark what is late
    return UNKNOWN


def _span(number: str, unit: str) -> datetime.timedelta:
    try:
        return datetime.timedelta(**{f"{unit}s": int(number)})
    except (OverflowError, ValueError) as error:
        raise ValueError(
            f"--late must be like {FORM}; a grace of {number:.20} {unit}s is too long"
        ) from error


def _long(late: datetime.timedelta) -> str:
    """Return a time in its two largest units; what is begun counts, as a rule counts it."""
    minutes = math.ceil(late / datetime.timedelta(minutes=1))
    parts = {"day": minutes // 1440, "hour": minutes // 60 % 24, "minute": minutes % 60}
    said = [f"{n} {unit}{'' if n == 1 else 's'}" for unit, n in parts.items() if n]
    return " ".join(said[:2])
