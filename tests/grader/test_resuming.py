"""A batch that was interrupted, or gets another seed: what is judged again."""

import json
import signal
import subprocess

import pytest

from exercises.grader.mark import results
from tests.grader import course
from tests.grader.processes import interruptible, until

pytestmark = course.SANDBOXED


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_after_an_interruption_it_goes_on(tmp_path, number):
    # The last one hangs for longer than this test may take: the signal always comes in time.
    course.hand_in(tmp_path, s0={}, s1={}, s2={}, s3={"double": "while True:\n    pass"})
    words = ["--workers", "1", "--call-seconds", "300", "--total-seconds", "600"]
    command = course.command(tmp_path, *words)
    running = interruptible(command)
    kept = tmp_path / "out/results"
    until(running, lambda: sum(result_of(path) for path in kept.glob("*.json")) >= 3)
    running.send_signal(number)
    _, said = running.communicate()
    assert running.returncode == 130
    assert "to continue from here" in said
    times = {path: path.stat().st_mtime_ns for path in kept.glob("*.json") if result_of(path)}
    assert len(times) == 3
    seed = seed_of(tmp_path)
    course.hand_in(tmp_path, s3={})
    subprocess.run(command, check=True, capture_output=True)
    assert [course.points(row) for row in course.scores(tmp_path).values()] == [(2, 3, 1)] * 4
    assert {path: path.stat().st_mtime_ns for path in times} == times
    assert seed_of(tmp_path) == seed


def seed_of(root):
    return json.loads((root / "out/batch.json").read_text(encoding="utf-8"))["seed"]


def result_of(path):
    result = results.load(path)
    return result is not None and bool(result.made_from)


def test_a_new_seed_changes_only_what_was_wrong_somewhere(tmp_path):
    lucky = "def double(x):\n    return 2 * x if x < 22 else 0\n"
    own = "return 0 if scores.sum() > 3 else shifted"
    sometimes = course.SOFTMAX.replace("return shifted", own)
    course.hand_in(tmp_path, right={}, wrong={"double": lucky, "softmax": sometimes})
    for seed in ("1", "2", "3"):
        course.grade(tmp_path, "--seed", seed)
        rows = course.scores(tmp_path)
        assert course.points(rows["right"]) == (2, 3, 1)
        assert course.points(rows["wrong"])[::2] == (2, 1)
        assert seed_of(tmp_path) == int(seed)
