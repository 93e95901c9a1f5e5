"""Let one file count for all members of a group, which is a column of the roster."""

from collections.abc import Sequence
from pathlib import Path

from exercises.grader.identity.roster import Roster
from exercises.grader.intake.forms import Handed
from exercises.grader.intake.submissions import Submission
from exercises.grader.mark.results import Result


def members(
    absent: Sequence[Submission], found: Sequence[Submission], roster: Roster | None
) -> list[Submission]:
    """Return a submission for each absent student whose group handed in exactly one file."""
    pairs = [(one, files(one, found, roster)) for one in absent]
    return [_shared(one, theirs[0]) for one, theirs in pairs if len(theirs) == 1]


def files(one: Submission, found: Sequence[Submission], roster: Roster | None) -> list[Submission]:
    """Return the submissions that the group of a student handed in."""
    group = {mate.id for mate in roster.group(one.person)} if roster else set()
    return [each for each in found if each.person.id in group]


def _shared(one: Submission, file: Submission) -> Submission:
    handed = Handed(label=file.original, file=Path(file.original).name)
    return file._replace(
        student=one.student, person=one.person, handed=handed, by=file.student, earlier=()
    )


def result(one: Submission, found: Sequence[Submission], judged: Sequence[Result]) -> Result:
    """Return the result of the file for a member, with the numbers of the one who handed it in."""
    pairs = zip(found, judged, strict=True)
    given = next(result for file, result in pairs if file.student == one.by)
    note = (
        f"This is the notebook of your group. It was handed in by {one.by}, so its numbers depend "
        f"on the id of {one.by}."
    )
    return given._replace(student=one.student, notes=(note, *given.notes))
