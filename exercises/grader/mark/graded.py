"""Compute the points that count from the judge's, a person's, and the lateness."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from exercises.grader.intake.submissions import Submission
from exercises.grader.mark import overrides
from exercises.grader.mark.lateness import IN_TIME, UNKNOWN, Lateness
from exercises.grader.mark.overrides import Override
from exercises.grader.mark.results import Result, Status
from exercises.grader.report.cells import harmless, number


class Graded(NamedTuple):
    """This is a submission with the result of the judge and all later changes."""

    submission: Submission
    judged: Result
    overrides: Mapping[str, Override] = {}  # by task
    late: Lateness = IN_TIME

    @property
    def result(self) -> Result:
        """The result with the overrides of a person, before points are taken off for lateness."""
        return overrides.apply(self.judged, self.overrides)

    @property
    def earned(self) -> float | None:
        """The points that count, None if they were not judged."""
        return self.late.counted(self.result.earned)

    @property
    def points(self) -> float | str:
        """The points that count, for a table."""
        return self._shown(self.earned)

    @property
    def before(self) -> float | str:
        """The points before lateness, for a table."""
        return self._shown(self.result.earned)

    @property
    def by_judge(self) -> float | str:
        """The points that the judge gave, for a table."""
        return "" if self.judged.is_absent else number(self.judged.earned)

    def _shown(self, points: float | None) -> float | str:
        return "" if self.result.is_absent else number(points)

    @property
    def remarks(self) -> list[str]:
        """One sentence for each change that a person or the deadline made to the points."""
        said = [
            f"{task.title}: {overrides.remark(task, self.overrides[task.name])}"
            for task in self.judged.tasks
            if task.name in self.overrides
        ]
        return [*said, self.late.said] if self.late.said else said

    @property
    def for_student(self) -> list[str]:
        """The remarks for the student; a remark on an unknown time is only for the instructor."""
        return [said for said in self.remarks if said != UNKNOWN]

    @property
    def set_by_hand(self) -> dict[str, Override]:
        """The overrides that set points, by task."""
        return {name: one for name, one in self.overrides.items() if one.points is not None}

    @property
    def is_unread(self) -> bool:
        """Whether the file could not be graded and no person gave points."""
        return bool(self.result.problem and self.submission.inside and not self.set_by_hand)

    @property
    def is_waiting(self) -> bool:
        """Whether a person has to do something before the student has points."""
        return self.is_unread or bool(self.result.not_judged or self.submission.question)

    @property
    def look_at(self) -> list[str]:
        """The flags that a person should look at."""
        odd = (Status.BROKEN, Status.TIMED_OUT, Status.NOT_JUDGED)
        tasks = [] if self.result.problem else self.result.tasks
        said = [f"{task.status} in {task.title!r}" for task in tasks if task.status in odd]
        return list(dict.fromkeys([*self.result.flags, *said]))

    @property
    def name(self) -> str:
        """The student's name, from the roster if there is one."""
        return harmless(self.submission.person.name or self.submission.handed.name)

    def column(self, *names: str) -> str:
        """Return the first of these columns of the roster that is not empty."""
        columns = self.submission.person.columns
        return harmless(next((columns[name] for name in names if columns.get(name)), ""))


def judged(graded: Sequence[Graded]) -> list[Graded]:
    """Return the submissions that have points; a file that cannot be read has none."""
    return [one for one in graded if one.earned is not None and not one.is_unread]


def possible(graded: Sequence[Graded]) -> float:
    """Return the points of a perfect submission: fewer if all are of a version with fewer tasks."""
    known = judged(graded) or graded
    return max((one.result.possible for one in known), default=0.0)


def mean(graded: Sequence[Graded]) -> float:
    """Return the average points of the submissions that were judged."""
    points = [one.earned for one in judged(graded) if one.earned is not None]
    return sum(points) / max(len(points), 1)
