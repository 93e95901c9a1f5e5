"""Settle whose a submission is: the id in its first cell is checked against file and roster.

The numbers of a task by hand are drawn from the id, so the id decides points. Where nothing else is
known, the judge trusts the cell. If the file or the roster gives an id, the numbers are drawn from
that one: a student can write any id into a cell, also that of a friend whose answers they have, and
spell their own in many ways until the numbers of that friend come up.
"""

from collections import Counter
from collections.abc import Sequence

from exercises.grader.identity import aliases
from exercises.grader.identity.aliases import Aliases
from exercises.grader.identity.roster import Person, Roster, plain_id
from exercises.grader.intake.collect import Found
from exercises.grader.intake.submissions import Submission, shown

FEW = 2  # so many may disagree in a small batch without a question
LONGEST = 60


def settle(
    found: Sequence[Found],
    roster: Roster | None = None,
    trust: bool = False,
    said: Aliases = aliases.NONE,
) -> list[Submission]:
    """Return the submissions, each with its student.

    Args:
        found: what was handed in, with the id in each first cell.
        roster: the students of the class.
        trust: trust the cells, also against the names of the files.
        said: what a person has listed of typed texts.

    Raises:
        ValueError: most cells disagree with the names of their files, or most are not on the
            roster.
    """
    width = _width([one.claimed for one in found])
    made = [_settle(one, roster, trust, width, said) for one in found]
    _check(found, made, roster, trust)
    known = Counter(plain_id(one.student) for one in made)
    return [_asked(one) if known[plain_id(one.student)] > 1 else one for one in made]


def _asked(one: Submission) -> Submission:
    said = f"another submission has the id {one.student!r} too"
    return one._replace(flags=(*one.flags, said), question=said)


def doubtful(found: Sequence[Submission]) -> list[str]:
    """Return the files that may belong to another student on the roster than they name."""
    return [one.original for one in found if one.question or not one.person.id]


def _width(claimed: Sequence[str]) -> int:
    """Return how many digits most ids have that are typed, 0 if they do not agree."""
    digits = Counter(len(each) for each in claimed if each.isdecimal())
    width, count = max(digits.items(), key=lambda pair: pair[1], default=(0, 0))
    return width if count > 1 and 2 * count > digits.total() else 0


def _settle(
    one: Found, roster: Roster | None, trust: bool, width: int, said: Aliases
) -> Submission:
    made, claimed = one.submission, one.claimed
    person = roster.find(made.handed) if roster else None
    flags = made.flags
    if person is None and roster is not None:
        person = roster.with_id(aliases.meant(said, claimed) or claimed)
        flags += ("the file name belongs to no student on the roster" + _only(claimed, person),)
    expected = person.id if person else _from_file(made, roster)
    if not expected or (trust and claimed and person is None):
        expected = claimed
    student = shown(expected or made.student)
    drawn_for = expected
    if roster and person:
        # A group may have worked on the notebook of any member.
        whose = next((o for o in roster.group(person) if o == roster.with_id(claimed)), person)
        expected, drawn_for = whose.id, roster.spelling(whose, claimed, width)
    is_said = aliases.is_of(said, claimed, student)
    # Where a spreadsheet has taken the zeros of a class, no student has done anything odd.
    is_same = claimed == expected or (claimed.isdecimal() and claimed == drawn_for)
    return made._replace(
        student=student,
        drawn_for=claimed if is_said else drawn_for or made.student,
        is_unnamed=student in said.unnamed,
        dispute="" if claimed and (is_same or is_said) else _dispute(claimed, student),
        flags=flags,
        person=person or Person(""),
    )


def _from_file(made: Submission, roster: Roster | None) -> str:
    """Return the id that the file is named after; an LMS names it after something else."""
    return made.student if made.handed.form == "plain" and roster is None else ""


def _only(claimed: str, person: Person | None) -> str:
    if person is not None:
        return f"; the id is taken from its first cell, {claimed[:LONGEST]!r}"
    return f", and neither does the id in its first cell ({claimed[:LONGEST]!r})" if claimed else ""


def _dispute(claimed: str, student: str) -> str:
    said = f"the student id {claimed[:LONGEST]!r}" if claimed else "no student id"
    return f"the first cell contains {said}, but the file belongs to {student!r}"


def _check(
    found: Sequence[Found], made: Sequence[Submission], roster: Roster | None, trust: bool
) -> None:
    """Stop where the names of the files are no ids, before points are lost by the dozen."""
    strangers = sum(not one.person.id for one in made) if roster and not trust else 0
    if (strangers > FEW and 2 * strangers > len(made)) or 1 < strangers == len(made):
        raise ValueError(
            f"{strangers} of {len(made)} submissions belong to no student on the roster. Is it the "
            "roster of another class? Nothing was graded. Give the right --roster, or add "
            "--trust-cells."
        )
    pairs = [(one, sub) for one, sub in zip(found, made, strict=True) if one.claimed]
    wrong = [(one, sub) for one, sub in pairs if plain_id(one.claimed) != plain_id(sub.drawn_for)]
    if len(wrong) <= FEW or 2 * len(wrong) <= len(pairs):
        return
    one, sub = wrong[0]
    instead = (
        "Check the columns of the roster."
        if roster
        else (
            "If the files are not named after the ids, give a --roster FILE.csv with the "
            "columns id, name and the name of each student in the system, or trust the ids in the "
            "notebooks with --trust-cells."
        )
    )
    where = "the roster" if roster else "the names of their files"
    raise ValueError(
        f"{len(wrong)} of {len(pairs)} notebooks contain another student id than {where}. For "
        f"example, the first cell of {sub.inside!r} contains {one.claimed[:LONGEST]!r}, but the id "
        f"should be {sub.student!r}. Because numbers are drawn from the id, many students would "
        f"lose points that they earned, so nothing was graded. {instead}"
    )
