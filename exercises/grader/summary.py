"""The page of the class: how the points are spread, and which tasks were hardest."""

from collections.abc import Sequence
from html import escape
from urllib.parse import quote

from exercises.grader.feedback import page
from exercises.grader.results import RIGHT, Result

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
            right[task.title] = right.get(task.title, 0) + (task.status == RIGHT)
    return sorted(right.items(), key=lambda pair: pair[1])


def summary(assignment: str, graded: Sequence[Result], keys: Sequence[str]) -> str:
    """Return the page; `keys` are the names of the feedback pages."""
    mean = sum(result.points for result in graded) / max(len(graded), 1)
    possible = max((result.possible for result in graded), default=0)
    parts = [f"<p>{len(graded)} submissions, {mean:.3g} of {possible:g} points on average.</p>"]
    parts += ["<h2>Points in percent</h2>", _chart(histogram(graded)), "<h2>Hardest tasks</h2>"]
    rows = [
        f"<tr><td>{escape(t)}</td><td>{n} of {len(graded)}</td></tr>" for t, n in hardest(graded)
    ]
    parts.append(f"<table><tr><th>task</th><th>right</th></tr>{''.join(rows)}</table>")
    rows = [_row(result, key) for result, key in zip(graded, keys, strict=True)]
    head = "<tr><th>student</th><th>points</th><th>look at</th></tr>"
    parts.append(f"<h2>Students</h2><table>{head}{''.join(rows)}</table>")
    return page(f"{assignment}: the class", "\n".join(parts))


def _row(result: Result, key: str) -> str:
    link = f'<a href="feedback/{quote(key)}.html">{escape(result.student)}</a>'
    said = "; ".join([result.problem, *result.flags] if result.problem else result.flags)
    return f'<tr><td>{link}</td><td>{result.points:g}</td><td class="said">{escape(said)}</td></tr>'
