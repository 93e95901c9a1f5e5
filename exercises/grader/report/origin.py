"""Record what the points of a batch depend on, so that two runs can be compared."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from exercises.grader.intake import notebook
from exercises.grader.intake.submissions import Submission
from exercises.grader.run import job
from exercises.grader.run.job import Batch


class Origin(NamedTuple):
    """This is what all submissions share, with a digest of each file by its name."""

    shared: Mapping[str, object]
    digests: Mapping[str, str]


def of(batch: Batch, found: Sequence[Submission]) -> Origin:
    """Return what the points of a batch depend on."""
    shared = {
        "source": batch.assignment.digest,
        "grader": job.version(),
        "seed": batch.seed,
        "versions": ", ".join(map(str, sorted(batch.versions))) or "none",
        "limits": str(batch.kit.limits),
    }
    return Origin(shared, {one.inside: _digest(batch, one) for one in found})


def _digest(batch: Batch, submission: Submission) -> str:
    if submission.problem:
        return ""
    try:
        return hashlib.sha256(notebook.read_bytes(batch.folder, submission.inside)).hexdigest()
    except notebook.Unreadable:
        return ""
