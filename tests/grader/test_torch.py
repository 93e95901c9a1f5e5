"""An assignment in torch: what the library imports late is no time of the student."""

from pathlib import Path

import exercises
from exercises.grader.intake import assignment
from exercises.grader.run import isolation, sandbox
from exercises.grader.run.selection import Code
from exercises.grader.run.session import Session
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course

pytestmark = course.SANDBOXED


def test_what_a_library_imports_late_is_there_before_the_clock_starts():
    made = assignment.load(Path(exercises.__file__).parent / "source/12_training_in_torch")
    code = "import sys, torch\nbefore = len(sys.modules)\n"
    code += "_ = torch.optim.Adam([torch.nn.Parameter(torch.ones(2))])\n"
    code += "late = len(sys.modules) - before\n"
    fork_server = sandbox.ForkServer(isolation.kit(made.limits, made.imports))
    session = Session(fork_server, Limits(call=60), (Code("one", code),))
    try:
        assert session.get("late") == 0, session.errors
    finally:
        session.close()
        fork_server.close()
