"""Choose the order in which submissions are judged, some of them more than once."""

from collections import deque
from collections.abc import Sequence

from exercises.grader.intake import notebook
from exercises.grader.intake.submissions import Submission
from exercises.grader.mark import judge, results
from exercises.grader.mark.results import Result, Status
from exercises.grader.run.job import Batch, Turn, origin, path_of


class Turns:
    """First turns wait here, turns after trouble, and at the end, one at a time, late ones."""

    def __init__(self, batch: Batch, found: Sequence[Submission]) -> None:
        self.batch = batch
        self.found = deque(found)
        self.again: deque[Turn] = deque()
        self.last: deque[Turn] = deque()
        self.done: dict[str, Result] = {}

    def next(self, quiet: bool) -> Turn | None:
        """Return the turn to take now, if any.

        Args:
            quiet: whether nothing else runs; only then postponed submissions take their turns.
        """
        while self.found:
            submission = self.found.popleft()
            ready = _at_once(self.batch, submission)
            if not isinstance(ready, Result):
                return Turn(submission, ready, {})
            self.done[submission.key] = ready
        if self.again:
            return self.again.popleft()
        return self.last.popleft() if quiet and self.last else None

    def settle(self, turn: Turn, outcome: Result | Turn) -> None:
        """Store the outcome of a turn: a result, or the next turn of the submission."""
        if isinstance(outcome, Result):
            self.done[turn.submission.key] = outcome
        else:
            (self.last if outcome.is_last else self.again).append(outcome)


def _at_once(batch: Batch, submission: Submission) -> Result | bytes:
    """Return the result if it is known without running anything, else the notebook's bytes."""
    try:
        if submission.problem:
            raise notebook.Unreadable(submission.problem)
        raw = notebook.read_bytes(batch.folder, submission.inside)
    except notebook.Unreadable as error:
        return judge.rest(batch.assignment, submission.student, Status.BROKEN, str(error))
    known = results.load(path_of(batch, submission))
    return known if known is not None and known.made_from == origin(batch, submission, raw) else raw
