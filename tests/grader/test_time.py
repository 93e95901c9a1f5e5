"""Code that never ends: its task alone is lost, and a person hears of it."""

import contextlib
import os
import subprocess
import sys

import pytest

from tests.grader import course

pytestmark = [*course.SANDBOXED, pytest.mark.usefixtures("alone")]


def test_many_cells_that_hang_do_not_eat_the_time_of_the_tasks(tmp_path):
    course.write_source(tmp_path / "source")
    made = course.submission("a")
    for place in range(20):
        made["cells"].insert(1 + place, course.code("while True:\n    pass"))
    course.write(tmp_path / "submissions", "a", made)
    course.graded(tmp_path, "--call-seconds", "1", "--task-seconds", "2", "--total-seconds", "12")
    assert course.points(course.scores(tmp_path)["a"]) == (2, 3, 1)


def test_a_time_out_by_the_clock_is_judged_again_and_one_that_remains_is_flagged(tmp_path):
    wait = "import time\ndef double(x):\n    time.sleep({})\n    return 2 * x\n"
    loop = "def double(x):\n    while True:\n        pass\n"
    held_up, asleep = {"double": wait.format(1.3)}, {"double": wait.format(99)}
    course.hand_in(tmp_path, held_up=held_up, asleep=asleep, loop={"double": loop})
    course.graded(tmp_path, "--call-seconds", "1")
    rows = course.scores(tmp_path)
    assert course.points(rows["held_up"]) == (2, 3, 1)
    assert rows["held_up"]["review"] == []
    for name in ("asleep", "loop"):
        assert course.points(rows[name]) == (0, 3, 1)
        assert rows[name]["tasks"]["double"]["status"] == "timed out"
        assert rows[name]["review"] == ["timed out in 'The task double'"]
    assert "timed out" in (tmp_path / "out/summary.html").read_text(encoding="utf-8")


RIGHT = """import time
def double(x):
    end = time.process_time() + 0.8
    while time.process_time() < end:
        pass
    return 2 * x
"""
OTHERS = "import os\nos.sched_setaffinity(0, [{}])\nprint(flush=True)\nwhile True:\n    pass"


@contextlib.contextmanager
def crowded():
    """Share one processor with nine other programs."""
    before = os.sched_getaffinity(0)
    words = [sys.executable, "-c", OTHERS.format(min(before))]
    # A session each, because Linux shares the processor among sessions first.
    others = [
        subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True) for _ in range(9)
    ]
    try:
        os.sched_setaffinity(0, [min(before)])
        for other in others:
            other.stdout.readline()
        yield
    finally:
        os.sched_setaffinity(0, before)
        for other in others:
            other.kill()
            other.communicate()


def test_a_right_answer_on_a_crowded_machine_is_not_judged_and_then_right(tmp_path):
    course.hand_in(tmp_path, ann={"double": RIGHT})
    limits = ["--call-seconds", "2", "--task-seconds", "6", "--total-seconds", "60"]
    with crowded():
        course.grade(tmp_path, *limits, ends=(3,))
    row = course.scores(tmp_path)["ann"]
    assert row["tasks"]["double"]["status"] == "not judged"
    assert row["points"] is None
    assert "other programs took the processor" in " ".join(row["review"])
    course.grade(tmp_path, *limits, ends=(0,))
    assert course.points(course.scores(tmp_path)["ann"]) == (2, 3, 1)


STUCK = """import signal, time
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
time.sleep(100)
"""


def test_a_test_that_hangs_keeps_what_was_judged_before_and_the_next_one(tmp_path):
    course.hand_in(tmp_path, a={}, b={})
    stuck = course.SOFTMAX_CHECK.replace("expect(", "if STUDENT_ID == 'a':\n    {}\nexpect(", 1)
    lines = STUCK.strip().replace("\n", "\n    ")
    checks = {**course.CHECKS, "softmax": stuck.replace("{}", lines)}
    course.write(tmp_path / "source", "demo", course.submission("", checks=checks))
    course.grade(tmp_path, "--total-seconds", "3", "--workers", "1")
    rows = course.scores(tmp_path)
    assert course.points(rows["a"]) == (2, 0, 1)
    assert rows["a"]["review"] == ["graded in part: the time for this submission is over"]
    assert course.points(rows["b"]) == (2, 3, 1)
