"""Judge earlier attempts of a student if the newest one has less than full points."""

from collections.abc import Callable, Sequence

from exercises.grader.intake.submissions import Submission
from exercises.grader.mark.results import Result

MOST = 5  # so many earlier attempts of a student are judged


def compared(
    found: Sequence[Submission],
    judged: Sequence[Result],
    run: Callable[[Sequence[Submission]], list[Result]],
) -> list[Result]:
    """Flag each result with fewer points than an earlier attempt of the same student has.

    Args:
        found: the submissions that count.
        judged: the result of each.
        run: judges further submissions.
    """
    made = list(judged)
    pairs = zip(found, judged, strict=True)
    short = [n for n, (_, one) in enumerate(pairs) if one.points < one.possible]
    tried = [(n, each) for n in short for each in _earlier(found[n])]
    results = run([each for _, each in tried]) if tried else []
    for (n, each), result in zip(tried, results, strict=True):
        if result.points > judged[n].points:
            said = f"the earlier attempt {each.handed.file!r} has {result.points:g} points"
            made[n] = made[n]._replace(flags=(*made[n].flags, said))
    for n in short:
        if (more := len(found[n].earlier) - MOST) > 0:
            said = f"{more} more earlier attempts were not judged"
            made[n] = made[n]._replace(flags=(*made[n].flags, said))
    return made


def _earlier(one: Submission) -> list[Submission]:
    """Return the newest of the earlier attempts, each under a label of its own."""
    # The label names the file of a result, and no label of a student ends so.
    return [
        each._replace(
            student=one.student,
            drawn_for=one.drawn_for,
            is_unnamed=one.is_unnamed,
            handed=each.handed._replace(label=f"{one.handed.label}/{n}/{each.handed.file}"),
        )
        for n, each in list(enumerate(one.earlier))[-MOST:]
    ]
