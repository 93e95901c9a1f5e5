"""Judge earlier attempts of a student if the newest one has less than full points.

A browser numbers a file that it saves under a name that is taken, so `s0 (9).ipynb` may be newer
than `s0.ipynb` or an old download. Of such copies the better one counts, until a person decides.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from exercises.grader.intake.collect import Left
from exercises.grader.intake.submissions import Submission, shown
from exercises.grader.mark.results import Result

MOST = 5  # so many earlier attempts of a student are judged


class Compared(NamedTuple):
    """This is what counts of each student, and the files that do not count instead of others."""

    found: list[Submission]
    judged: list[Result]
    instead: dict[str, Left]  # by the name of the file that counts now

    def left(self, before: Sequence[Left]) -> list[Left]:
        """Return the files that do not count, of those that the order of attempts left."""
        return sorted(self.instead.get(one.name, one) for one in before)


def compared(
    found: Sequence[Submission],
    judged: Sequence[Result],
    run: Callable[[Sequence[Submission]], list[Result]],
) -> Compared:
    """Flag each result with fewer points than an earlier attempt of the same student has.

    Where one of the two files is a numbered copy of the other, the better one counts.

    Args:
        found: the submissions that count.
        judged: the result of each.
        run: judges further submissions.
    """
    made = Compared(list(found), list(judged), {})
    pairs = zip(found, judged, strict=True)
    short = [n for n, (_, one) in enumerate(pairs) if one.points < one.possible]
    tried = [(n, k) for n in short for k in range(len(found[n].earlier))[-MOST:]]
    results = run([_attempt(found[n], k) for n, k in tried]) if tried else []
    for n in short:
        better = [
            (result.points, k, result)
            for (m, k), result in zip(tried, results, strict=True)
            if m == n and result.points > judged[n].points
        ]
        _settle(made, n, better)
        if (more := len(found[n].earlier) - MOST) > 0:
            _flag(made, n, f"{more} more earlier attempts were not judged")
    return made


def _settle(made: Compared, n: int, better: Sequence[tuple[float, int, Result]]) -> None:
    """Let the best numbered copy of a student count; flag all others that have more points."""
    newest, judged = made.found[n], made.judged[n]
    copies = [each for each in better if not judged.not_judged and _is_copy(newest, *each[1:])]
    best = max(copies, key=lambda each: each[:2], default=None)
    if best:
        _count(made, n, newest.earlier[best[1]], best[2])
    for points, k, _ in better:
        if points > made.judged[n].points:
            said = f"the earlier attempt {newest.earlier[k].handed.file!r} has {points:g} points"
            _flag(made, n, said)


def _is_copy(newest: Submission, k: int, result: Result) -> bool:
    """Return whether an earlier attempt and the newest one are copies that a browser numbered."""
    one, other = newest.handed, newest.earlier[k].handed
    return one.copy != other.copy and one.stem == other.stem and not result.not_judged


def _count(made: Compared, n: int, better: Submission, result: Result) -> None:
    """Let a copy count instead of the newest one."""
    newest, before = made.found[n], made.judged[n]
    one, other = shown(better.handed.file), shown(newest.handed.file)
    said = (
        f"{one!r} ({result.points:g} points) and {other!r} ({before.points:g} points) are copies "
        f"of one name that differ: {one!r} counts until you take one of them away"
    )
    note = f"you handed in {one} and {other}; {one} has more points, so it counts"
    made.found[n] = newest._replace(
        inside=better.inside, problem=better.problem, handed=better.handed, name=better.name
    )
    made.judged[n] = result._replace(
        notes=(note, *result.notes), flags=(*newest.flags, *result.flags, said)
    )
    made.instead[better.name] = Left(newest.name, f"a copy with fewer points; {better.name} counts")


def _flag(made: Compared, n: int, said: str) -> None:
    made.judged[n] = made.judged[n]._replace(flags=(*made.judged[n].flags, said))


def _attempt(one: Submission, n: int) -> Submission:
    """Return an earlier attempt of a student, under a label of its own."""
    each = one.earlier[n]
    # The label names the file of a result, and no label of a student ends so.
    return each._replace(
        student=one.student,
        drawn_for=one.drawn_for,
        is_unnamed=one.is_unnamed,
        handed=each.handed._replace(label=f"{one.handed.label}/{n}/{each.handed.file}"),
    )
