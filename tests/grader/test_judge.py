"""How one task is judged; the first test here is the one of a real sandbox in `make check`."""

import pytest

from exercises.grader.mark.results import Status
from tests.grader import course, marks

pytestmark = course.BUBBLEWRAP


def graded(tmp_path, fork_server, answers=(), checks=course.CHECKS):
    source = course.submission("", checks=checks)
    return marks.graded(tmp_path, fork_server, source, course.submission("ann", answers))


def test_right_and_wrong_code_in_a_real_sandbox(tmp_path, fork_server):
    answers = {
        "double": "def double(x):\n    return x + 2\n",
        "answer": "import os\nos.listdir('/home')",
    }
    result = graded(tmp_path, fork_server, answers)
    assert [task.points for task in result.tasks] == [0, 3, 0]
    assert result.tasks[0].reason == "in a hidden check: wrong for another number"
    assert "FileNotFoundError" in result.tasks[2].reason


SWALLOWS = """try:
    double(2)
except BaseException:
    pass
"""


@pytest.mark.slow
def test_a_check_that_swallows_the_end_of_the_sandbox_has_seen_no_answer(tmp_path, fork_server):
    answers = {"double": "import os\ndef double(x):\n    os._exit(1)\n"}
    checks = {**course.CHECKS, "double": SWALLOWS}
    result = graded(tmp_path, fork_server, answers, checks)
    assert result.tasks[0].status == Status.BROKEN
    assert result.tasks[0].points == 0
    assert "ended its own process" in result.tasks[0].reason
    assert graded(tmp_path, fork_server, (), checks).tasks[0].points == 2
