"""This module is the command `grade`."""

import argparse
import importlib
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from exercises.grader.identity import aliases, groups, roster, settle as identity
from exercises.grader.intake import assignment, collect as intake, forms
from exercises.grader.intake.collect import Intake, Left
from exercises.grader.intake.submissions import Submission, shown
from exercises.grader.mark import attempts, marking, proof, results
from exercises.grader.mark.graded import Graded, mean, possible
from exercises.grader.mark.results import Result
from exercises.grader.report import export, origin, overview, scores
from exercises.grader.report.cells import harmless
from exercises.grader.report.feedback import feedback
from exercises.grader.report.gradebook import TABLES, sheet
from exercises.grader.report.summary import summary
from exercises.grader.run import batch, job, seccomp
from exercises.grader.run.isolation import kit
from exercises.grader.run.newer import running

SOURCE = Path(__file__).resolve().parents[1] / "source"
WARNING = (
    "--no-sandbox: the code of the notebook runs with all your rights. Use this option only for "
    "notebooks that you wrote yourself, never for notebooks of other people."
)
NO_FILTER = (
    "This machine is not an x86_64, so system calls are not filtered; all other isolation is "
    "in place."
)
UNREAD = 3  # the exit code where a student who may have handed in has no points
WIDTH = 40
MOST_WORKERS = 100
MOST_SECONDS = 86_400
OVERVIEW = "grade --overview DIR... --out DIR combines several assignments in one table."


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="grade", description="Grade a folder of submissions.", epilog=OVERVIEW
    )
    made.add_argument("assignment", metavar="ASSIGNMENT", help="its name, such as 04_attention")
    made.add_argument(
        "submissions",
        metavar="SUBMISSIONS",
        type=Path,
        help="a folder or an export of Moodle, Canvas or ILIAS, zipped or not",
    )
    made.add_argument("--out", metavar="DIR", type=Path, required=True)
    made.add_argument("--workers", metavar="N", type=int, default=2, help="default: 2")
    made.add_argument("--seed", metavar="S", type=int, help="default: recorded in DIR, or new")
    made.add_argument("--source", metavar="DIR", type=Path, default=SOURCE, help="a bank of yours")
    words = "the system that made the export, if the names of its files do not show it"
    made.add_argument("--form", choices=[*forms.SYSTEMS, "plain"], default="", help=words)
    made.add_argument(
        "--trust-cells", action="store_true", help="take each student id from the notebook"
    )
    marking.add_options(made)
    made.add_argument("--export", choices=TABLES, help="write a gradebook file and the feedback")
    made.add_argument("--column", metavar="NAME", help="what the gradebook calls the assignment")
    made.add_argument("--no-sandbox", action="store_true", help="only for your own notebooks")
    for name, seconds in {"call": "a call", "task": "a task", "total": "a submission"}.items():
        words = f"seconds for {seconds}, default: as the assignment declares"
        made.add_argument(f"--{name}-seconds", metavar="S", type=float, help=words)
    return made


def main(words: Sequence[str] | None = None) -> int:
    """Grade and return 0, or 3 if a student who handed in has no points.

    Return 2 and print the reason if the command cannot be carried out.
    """
    words = sys.argv[1:] if words is None else words
    try:
        if words and words[0] == "--overview":
            return overview.main(words[1:])
        return grade(parser().parse_args(words))
    except (ValueError, RuntimeError, OSError) as error:
        print(f"grade: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ninterrupted: repeat the same command to continue from here", file=sys.stderr)
        return 130


def grade(given: argparse.Namespace) -> int:
    """Carry out the command."""
    start = time.monotonic()
    _check(given)
    options = marking.options(given)
    task_set = assignment.load(given.source / given.assignment)
    versions = marking.versions(options["version"], task_set)
    task_set = task_set.judging(versions)
    caps = task_set.limits._replace(**_seconds(given))
    tools = kit(caps, task_set.imports, not given.no_sandbox)
    people = roster.read(Path(options["roster"])) if options["roster"] else None
    typed = aliases.read(Path(options["aliases"]), people) if options["aliases"] else aliases.NONE
    for name in task_set.imports:
        importlib.import_module(name)  # once, before the processes part
    _warn(given.no_sandbox)
    (given.out / "feedback").mkdir(parents=True, exist_ok=True)
    with batch.locked(given.out):
        place = given.out / "unpacked"
        taken = intake.find(given.submissions, task_set, given.source, place, given.form)
        found = identity.settle(taken.found, people, given.trust_cells, typed)
        if unused := aliases.unused(typed, [one.claimed for one in taken.found]):
            print(f"--aliases: no notebook contains {', '.join(unused)}", file=sys.stderr)
        if given.export:
            export.check(given.export, given.column, found)
        seed = batch.seed_of(given.out, task_set.name, given.seed)
        alone = marking.absent(people, found)
        shared = groups.members(alone, found, people)
        absent = marking.absent(people, [*found, *shared])
        marks = marking.read(options, task_set, [*found, *shared, *absent], given.out)
        work = job.Batch(task_set, tools, taken.folder, given.out, seed, versions)
        proof.prove(work, given.workers)

        def run(these: Sequence[Submission]) -> list[Result]:
            bar = Bar(len(these), sys.stderr)
            return batch.run(work, these, given.workers, bar.show)

        counted = attempts.compared(found, run(found), run)
        found, judged = counted.found, counted.judged
        taken = taken._replace(left=counted.left(taken.left))
        shared = groups.members(alone, found, people)
        judged += [groups.result(one, found, judged) for one in shared]
        for one in absent:
            own = taken.claimed.get(roster.plain_id(one.student))
            perhaps = [*([own] if own else []), *taken.lost, *identity.doubtful(found)]
            perhaps += [file.original for file in groups.files(one, found, people)]
            judged.append(marking.result_of_nothing(task_set, one, perhaps))
        graded = [marks.of(*pair) for pair in zip([*found, *shared, *absent], judged, strict=True)]
        graded.sort(key=lambda one: roster.fold(one.submission.student))
        _write(given, graded, taken, work)
    print(_last_line(graded, time.monotonic() - start, given.out))
    return UNREAD if taken.lost or any(one.is_waiting for one in graded) else 0


def _seconds(given: argparse.Namespace) -> dict[str, Any]:
    """Return the seconds that the command line gives."""
    found = {name: getattr(given, f"{name}_seconds") for name in ("call", "task", "total")}
    return {name: seconds for name, seconds in found.items() if seconds is not None}


def _check(given: argparse.Namespace) -> None:
    if not 1 <= given.workers <= MOST_WORKERS:
        raise ValueError(f"--workers must be from 1 to {MOST_WORKERS}, got {given.workers}")
    for name, seconds in _seconds(given).items():
        if not 0 < seconds <= MOST_SECONDS:
            words = f"--{name}-seconds must be more than 0 and at most {MOST_SECONDS}"
            raise ValueError(f"{words}, got {seconds:g}")
    if not given.submissions.exists():  # before --out is made
        raise ValueError(
            f"SUBMISSIONS must be a folder or a zip, but there is no {given.submissions}"
        )
    if given.out.resolve().is_relative_to(given.submissions.resolve()):
        raise ValueError(
            f"--out must not be inside {given.submissions}: it would be graded next time"
        )


def _warn(no_sandbox: bool) -> None:
    if no_sandbox:
        print(WARNING, file=sys.stderr)
    elif not seccomp.available():
        print(NO_FILTER, file=sys.stderr)


def _write(
    given: argparse.Namespace, graded: Sequence[Graded], taken: Intake, work: job.Batch
) -> None:
    out, name = given.out, work.assignment.name
    versions = origin.of(work, [one.submission for one in graded])
    scores.save(work.assignment, graded, versions, out)
    for one in graded:
        if one.submission.inside:
            page = out / "feedback" / f"{one.submission.page}.html"
            results.write(page, feedback(name, one.result, one.late, one.name))
    results.write(out / "summary.html", summary(name, graded, taken.left))
    results.write(out / "not_taken.csv", sheet([("file", "why"), *map(_safe, taken.left)]))
    for said in sorted({t.instructor for one in graded for t in one.result.tasks} - {""}):
        print(f"not judged: {said}", file=sys.stderr)
    if taken.left:
        files = "file" if len(taken.left) == 1 else "files"
        print(
            f"{len(taken.left)} {files} not graded; see {out / 'not_taken.csv'} for the reasons",
            file=sys.stderr,
        )
    if taken.lost:
        print(marking.said_of(taken.lost), file=sys.stderr)
    if given.export:
        made = export.save(given.export, graded, name, given.column or name, out)
        print(f"for {given.export}: {made}")


def _safe(left: Left) -> tuple[str, str]:
    return harmless(shown(left.name)), harmless(shown(left.why))


def _last_line(graded: Sequence[Graded], seconds: float, out: Path) -> str:
    found = [one for one in graded if one.submission.inside]
    unread = sum(bool(one.result.problem) for one in found if not one.result.not_judged)
    flagged = sum(bool(one.look_at) for one in found)
    missing = sum(bool(one.result.not_judged) for one in found)
    again = ", so decide it with --overrides, or mend the cause and run the command again; "
    again = f"{missing} not judged{again}" if missing else ""
    absent = sum(one.judged.is_absent for one in graded)
    nothing = f"{absent} students on the roster handed in nothing, " if absent else ""
    return (
        f"{len(found)} submissions in Python {running()} in {seconds:.0f} s, {mean(graded):.3g} of "
        f"{possible(graded):g} points on average; {again}{unread} could not be graded, "
        f"{nothing}{flagged} to look at: {out / 'summary.html'}"
    )


class Bar:
    """This is a progress bar: a line that fills up in a terminal, or one line per quarter."""

    def __init__(self, total: int, stream: TextIO) -> None:
        self.total, self.stream, self.quarter = total, stream, 0

    def show(self, done: int) -> None:
        """Show how many submissions are graded."""
        if self.stream.isatty():
            filled = WIDTH * done // self.total
            end = "\n" if done == self.total else ""
            bar = "#" * filled + "." * (WIDTH - filled)
            print(f"\r[{bar}] {done}/{self.total}", end=end, file=self.stream, flush=True)
        elif (quarter := 4 * done // self.total) > self.quarter:
            self.quarter = quarter
            print(f"{done} of {self.total} graded", file=self.stream, flush=True)
