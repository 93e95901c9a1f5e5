"""One HTML page per student: each task, what failed and a hint; never a line of a test."""

import itertools
from collections.abc import Sequence
from html import escape

from exercises.grader.mark.lateness import IN_TIME, UNKNOWN, Lateness
from exercises.grader.mark.quoting import html
from exercises.grader.mark.results import Result, Status, TaskResult, shown
from exercises.grader.report.class_page import page
from exercises.grader.report.prose import inline, prose

STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem;
  color: #1c1c1c; background: #fff; }
section { border-left: 4px solid #b4341f; padding: .1rem 1rem; margin: 1rem 0; }
section.right { border-color: #1d7a3e; }
section.open { border-color: #b58900; }
pre, .said { white-space: pre-wrap; overflow-wrap: anywhere; }
pre, .quoted { font-family: ui-monospace, monospace; background: #8882; padding: .1rem .3rem; }
pre .quoted { background: none; padding: 0; }
.open .quoted { font-family: inherit; background: none; padding: 0; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem; text-align: left; }
@media (prefers-color-scheme: dark) { body { color: #e6e6e6; background: #16181c; } }
"""


def feedback(assignment: str, result: Result, late: Lateness = IN_TIME, name: str = "") -> str:
    """Return the page of one student."""
    points = shown(late.counted(result.earned))
    who = f"{name} ({result.student})" if name else result.student
    parts = [f"<p>{escape(who)}: {points} of {result.possible:g} points.</p>"]
    if waiting := sum(task.possible for task in result.tasks if task.name in result.not_judged):
        sure = result.points
        parts = [
            f"<p>{escape(who)}: not judged yet. {sure:g} points of {result.possible:g} are sure, "
            f"and {waiting:g} are open.</p>"
        ]
    if late.said not in ("", UNKNOWN):
        before = f" Before the deduction: {shown(result.earned)} points." if late.share else ""
        parts.append(f'<p class="said">{escape(late.said + before)}</p>')
    if result.problem:
        parts.append(f'<p class="said"><strong>{html(result.problem)}</strong></p>')
    parts += _sections(result)
    if result.notes:
        items = "".join(f'<li class="said">{html(note)}</li>' for note in result.notes)
        parts.append(f"<h2>About your notebook</h2><ul>{items}</ul>")
    return page(f"{assignment}: feedback", "\n".join(parts), STYLE, script="")


def _sections(result: Result) -> list[str]:
    """Return a section for each task; parts of a task that failed alike share one."""
    made: list[str] = []
    known: set[str] = set()
    for _, parts in itertools.groupby(result.tasks, _alike):
        tasks = list(parts)
        hints = dict.fromkeys(task.hint for task in tasks if task.hint not in known)
        known.update(hints)
        made.append(_section(tasks, [hint for hint in hints if hint], result.problem))
    return made


def _alike(task: TaskResult) -> tuple[str, ...]:
    """Return what the parts of a task that share a section have in common."""
    if not task.reason:
        return (task.name,)
    return task.name.partition("-")[0], _kind(task), task.reason, task.line


def _kind(task: TaskResult) -> str:
    if task.status == Status.NOT_JUDGED:
        return "open"
    return "right" if task.earned == task.possible else "lost"


def _section(tasks: Sequence[TaskResult], hints: Sequence[str], problem: str) -> str:
    first, lines = tasks[0], [line for task in tasks for line in _points(task)]
    lines[0] = f'<section class="{_kind(first)}">{lines[0]}'
    if first.reason not in ("", problem):  # the problem stands above all tasks
        lines.append(f'<p class="said">{html(first.reason)}</p>')
    if first.line:
        lines.append(f"<p>The error occurred in this line of yours:</p>{_quoted(first.line)}")
    if given := dict.fromkeys(task.given for task in tasks if task.given):
        calls = "".join(map(_quoted, given))
        lines.append(f"<p>The check called your function like this:</p>{calls}")
    for hint in hints:
        heading, _, text = hint.partition("\n")
        lines.append(f"<details><summary>{inline(heading)}</summary>{prose(text)}</details>")
    return "\n".join([*lines, "</section>"])


def _points(task: TaskResult) -> list[str]:
    comment = [f'<p class="said">{html(task.comment)}</p>'] if task.comment else []
    points = f"<p>{shown(task.earned)} of {task.possible:g} points: {escape(task.status)}.</p>"
    if task.status == Status.NOT_JUDGED:
        are = "point is" if task.possible == 1 else "points are"
        points = f"<p>Not judged yet; {task.possible:g} {are} open.</p>"
    return [f"<h2>{inline(task.title)}</h2>", points, *comment]


def _quoted(text: str) -> str:
    return f'<pre><bdi class="quoted">{escape(text)}</bdi></pre>'
