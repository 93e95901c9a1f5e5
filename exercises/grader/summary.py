"""The page of the class: how the points are spread, and which tasks were hardest."""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from exercises.grader.feedback import page
from exercises.grader.intake import Left
from exercises.grader.results import Result, Status, mean, shown
from exercises.grader.submissions import shown as shown_name

BINS = 10


def histogram(graded: Sequence[Result]) -> list[int]:
    """Return how many students got 0 to 10 %, 10 to 20 % and so on; 100 % is in the last."""
    counts = [0] * BINS
    for result in graded:
        share = result.points / result.possible if result.possible else 0.0
        counts[min(int(share * BINS), BINS - 1)] += 1
    return counts


def _chart(counts: list[int]) -> str:
    most = max([*counts, 1])
    bars = []
    for place, count in enumerate(counts):
        height = 120 * count / most
        x, y = 44 * place, 140 - height
        bars.append(
            f'<rect x="{x}" y="{y:.1f}" width="40" height="{height:.1f}" fill="#4a7ebb"/>'
            f'<text x="{x + 20}" y="{y - 4:.1f}" text-anchor="middle">{count}</text>'
            f'<text x="{x + 20}" y="156" text-anchor="middle">{10 * place}</text>'
        )
    said = ", ".join(f"{10 * place} to {10 * place + 10} %: {n}" for place, n in enumerate(counts))
    return (
        f'<svg viewBox="0 0 440 160" role="img" aria-label="students by percent: {said}" '
        f'style="max-width: 30rem; font-size: 12px" fill="currentColor">{"".join(bars)}</svg>'
    )


def hardest(graded: Sequence[Result]) -> list[tuple[str, int]]:
    """Return each task with how many got it right, the hardest first."""
    right: dict[str, int] = {}
    for result in graded:
        for task in result.tasks:
            right[task.title] = right.get(task.title, 0) + (task.status == Status.RIGHT)
    return sorted(right.items(), key=lambda pair: pair[1])


def summary(
    assignment: str, graded: Sequence[Result], keys: Sequence[str], left: Sequence[Left] = ()
) -> str:
    """Return the page; `keys` name the feedback pages, `left` are the files not taken."""
    judged = [result for result in graded if not result.not_judged]
    possible = max((result.possible for result in graded), default=0)
    missing = f" {len(graded) - len(judged)} not judged." if len(judged) < len(graded) else ""
    parts = [f"<p>{len(graded)} submissions, {mean(judged):.3g} of {possible:g} points on average."]
    parts += [f"{missing}</p><h2>Points in percent</h2>", _chart(histogram(judged))]
    parts.append("<h2>Hardest tasks</h2>")
    rows = [
        f"<tr><td>{escape(t)}</td><td>{n} of {len(judged)}</td></tr>" for t, n in hardest(judged)
    ]
    parts.append(f"<table><tr><th>task</th><th>right</th></tr>{''.join(rows)}</table>")
    rows = [_row(result, key) for result, key in zip(graded, keys, strict=True)]
    head = "<tr><th>student</th><th>points</th><th>look at</th></tr>"
    parts.append(f"<h2>Students</h2><table>{head}{''.join(rows)}</table>")
    if left:
        rows = [
            f"<tr><td>{escape(shown_name(n))}</td><td>{escape(why)}</td></tr>" for n, why in left
        ]
        head = "<tr><th>file</th><th>why</th></tr>"
        parts.append(f"<h2>Not taken</h2><table>{head}{''.join(rows)}</table>")
    return page(f"{assignment}: the class", "\n".join(parts))


def _row(result: Result, key: str) -> str:
    link = f'<a href="feedback/{quote(key)}.html">{escape(result.student)}</a>'
    said = "; ".join([result.problem, *result.flags] if result.problem else result.flags)
    cells = f'<td>{link}</td><td>{shown(result.earned)}</td><td class="said">{escape(said)}</td>'
    return f"<tr>{cells}</tr>"
