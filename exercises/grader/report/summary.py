"""The page of the class: how the points are spread, which tasks were hardest, and every student."""

from collections import Counter
from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from exercises.grader.intake.collect import Left
from exercises.grader.intake.submissions import shown as shown_name
from exercises.grader.mark import review
from exercises.grader.mark.graded import Graded, judged, mean, possible
from exercises.grader.mark.results import Status, TaskResult, shown
from exercises.grader.report.class_page import Cell, number, page, table
from exercises.grader.run.newer import running

BINS = 10
ODD = (Status.BROKEN, Status.TIMED_OUT, Status.NOT_JUDGED, Status.BY_HAND)


def histogram(graded: Sequence[Graded]) -> list[int]:
    """Return how many students got 0 to 10 %, 10 to 20 % and so on; 100 % is in the last."""
    counts = [0] * BINS
    for one in graded:
        share = (one.earned or 0.0) / one.result.possible if one.result.possible else 0.0
        counts[min(int(share * BINS), BINS - 1)] += 1
    return counts


def _chart(counts: list[int]) -> str:
    most = max([*counts, 1])
    bars = []
    for place, count in enumerate(counts):
        height = 120 * count / most
        x, y = 44 * place, 140 - height
        bars.append(
            f'<rect x="{x}" y="{y:.1f}" width="40" height="{height:.1f}" fill="var(--bar)"/>'
            f'<text x="{x + 20}" y="{y - 4:.1f}" text-anchor="middle">{count}</text>'
            f'<text x="{x + 20}" y="156" text-anchor="middle">{10 * place}</text>'
        )
    said = ", ".join(f"{10 * place} to {10 * place + 10} %: {n}" for place, n in enumerate(counts))
    return (
        f'<svg viewBox="0 0 440 160" role="img" aria-label="students by percent: {said}" '
        f'fill="currentColor">{"".join(bars)}</svg>'
    )


def hardest(graded: Sequence[Graded]) -> list[tuple[str, int]]:
    """Return each task with the number of students who got all its points, the hardest first."""
    right: dict[str, int] = {}
    for one in graded:
        asked = (task for task in one.result.tasks if task.status != Status.NOT_ASKED)
        for task in asked:
            right[task.title] = right.get(task.title, 0) + (task.earned == task.possible)
    return sorted(right.items(), key=lambda pair: pair[1])


def summary(assignment: str, graded: Sequence[Graded], left: Sequence[Left] = ()) -> str:
    """Return the page of the class; `left` are the files not taken."""
    known = judged(graded)
    rows = [
        [Cell(escape(title)), number(right, f" of {len(known)}")] for title, right in hardest(known)
    ]
    parts = [f"<p>{_counts(graded)}{_missing(graded)}</p>"]
    parts += [f"<p>The submissions ran in Python {running()}.</p>"]
    parts += ["<h2>Points in percent</h2>", _chart(histogram(known))]
    parts += ["<h2>Hardest tasks</h2>", table([Cell("task"), Cell("right", kind="number")], rows)]
    parts += ["<h2>Students</h2>", _students(graded)]
    if left:
        rows = [[Cell(escape(shown_name(n))), Cell(escape(why), kind="said")] for n, why in left]
        parts += ["<h2>Not taken</h2>", table([Cell("file"), Cell("why")], rows)]
    return page(f"{assignment}: the class", "\n".join(parts))


def _counts(graded: Sequence[Graded]) -> str:
    found = sum(bool(one.submission.inside) for one in graded)
    absent = sum(one.judged.is_absent for one in graded)
    unread = sum(one.is_unread for one in graded if not one.result.not_judged)
    missing = sum(bool(one.result.not_judged) for one in graded)
    most = possible(graded)
    text = f"{found} submissions, {mean(graded):.3g} of {most:g} points on average."
    text += f" {absent} more handed in nothing." if absent else ""
    text += f" {unread} could not be graded." if unread else ""
    return text + (f" {missing} not judged." if missing else "")


def _missing(graded: Sequence[Graded]) -> str:
    """Say how many students import what the judge lacks, by module."""
    counts = Counter(flag for one in graded for flag in one.result.flags if review.MISSING in flag)
    said = [
        f" {count} {'student' if count == 1 else 'students'}: "
        f"module {flag.split()[1].rstrip(',')}, which the judge does not have."
        for flag, count in counts.most_common()
    ]
    return escape("".join(said))


def _students(graded: Sequence[Graded]) -> str:
    """Return the table; what a person looks at first stands before the tasks."""
    dated = any(one.late.said for one in graded)
    tasks = graded[0].result.tasks if graded else ()
    heads = [Cell("student"), Cell("points", kind="number")]
    heads += [Cell("look at"), *([Cell("deadline")] if dated else [])]
    heads += [Cell(_task_head(task), kind="number") for task in tasks]
    return table(heads, [_row(one, dated) for one in graded])


def _task_head(task: TaskResult) -> str:
    name = escape(task.name).replace("_", "_<wbr>")
    return f'<span title="{escape(task.title)}">{name}</span>'


def _row(one: Graded, dated: bool) -> list[Cell]:
    who = escape(one.result.student)
    if one.submission.inside:
        who = f'<a href="feedback/{quote(one.submission.page)}.html">{who}</a>'
    name = f"<small>{escape(shown_name(one.name))}</small>" if one.name else ""
    changed = one.earned != one.judged.earned
    before = f"<small>judge: {one.by_judge or 'nothing'}</small>" if changed else ""
    cells = [Cell(who + name), number(one.points, before)]
    said = [one.result.problem] if one.result.problem else []
    cells.append(Cell(escape("; ".join([*said, *one.look_at])), kind="said"))
    cells += [Cell(escape(one.late.said), kind="said")] if dated else []
    pairs = zip(one.result.tasks, one.judged.tasks, strict=True)
    return cells + [_task(task, judged, one) for task, judged in pairs]


def _task(task: TaskResult, judged: TaskResult, one: Graded) -> Cell:
    if one.result.is_absent or task.status == Status.NOT_ASKED:
        return number("")
    if override := one.set_by_hand.get(task.name):
        said = f"by hand, judge: {shown(judged.earned)}<br>{escape(override.why)}"
        return number(task.points, f"<small>{said}</small>")
    if task.status not in ODD:
        return number(task.points)
    points = "" if task.earned is None else task.points
    return number(points, f'<small class="bad">{task.status}</small>')
