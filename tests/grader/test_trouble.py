"""What the judge itself suffers is no verdict: it is tried again, then said."""

import json
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from exercises.grader.intake import assignment
from exercises.grader.intake.submissions import Submission
from exercises.grader.mark import judge, results
from exercises.grader.mark.attempt import Case
from exercises.grader.mark.results import Status
from exercises.grader.run import batch, isolation, job, sandbox
from exercises.grader.run.errors import Trouble
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course, exports
from tests.grader.processes import below, gone, name_of, until

pytestmark = course.SANDBOXED
FULL = (2, 3, 1)
NAMED = "import ctypes\nctypes.CDLL(None).prctl(15, b'hangs', 0, 0, 0)\n"  # its process
HANGS = {"softmax": f"{NAMED}import time\ntime.sleep(60)"}


@pytest.fixture
def fork_server():
    made = sandbox.ForkServer(isolation.kit(Limits(), ("numpy",)))
    yield made
    made.close()


def case(answers=()):
    return Case("ann", json.dumps(course.submission("ann", answers)).encode(), seed=1)


def kill_later(fork_server, what):
    """Kill what `what` says once a student's code hangs, from another process."""
    if os.fork() == 0:
        while not (
            hang := [pid for pid in below(fork_server.process.pid) if name_of(pid) == "hangs"]
        ):
            time.sleep(0.01)
        os.kill(what(*hang), signal.SIGKILL)
        os._exit(0)


def test_a_fork_server_that_died_is_replaced():
    fork_servers = sandbox.ForkServers(isolation.kit(Limits(), ("numpy",)))
    try:
        first = fork_servers.of(0)
        first.process.kill()
        first.process.wait()
        sandbox.Sandbox(fork_servers.of(0)).end()
    finally:
        fork_servers.close(0)


def test_the_end_of_the_fork_server_is_no_verdict(demo, fork_server):
    kill_later(fork_server, lambda pid: fork_server.process.pid)
    with pytest.raises(Trouble):
        judge.grade(demo, fork_server, Limits(call=30, task=30), case(HANGS))


def test_a_sandbox_that_the_kernel_killed_is_no_verdict(demo, fork_server):
    kill_later(fork_server, lambda pid: pid)
    with pytest.raises(Trouble, match="from outside"):
        judge.grade(demo, fork_server, Limits(call=30, task=30), case(HANGS))


def test_code_cannot_pretend_that_the_kernel_killed_it(demo, fork_server):
    strict = "import ctypes, os\nctypes.CDLL(None).prctl(22, 1, 0, 0, 0)\n"
    strict += "os.kill(os.getpid(), 9)\nos.listdir('/')\nos._exit(1)"
    result = judge.grade(demo, fork_server, Limits(), case({"softmax": strict}))
    assert [task.points for task in result.tasks] == [2, 0, 1]


@pytest.fixture
def class_of_twelve(tmp_path):
    course.hand_in(tmp_path, **{f"s{number}": {} for number in range(12)})
    return tmp_path


def all_full(root):
    rows = course.scores(root).values()
    return [course.points(row) for row in rows] == [FULL] * 12


def test_a_command_that_is_killed_leaves_no_zero(class_of_twelve):
    root = class_of_twelve
    for milliseconds in range(300, 1800, 150):  # in the proof and after it
        shutil.rmtree(root / "out", ignore_errors=True)
        running = subprocess.Popen(course.command(root), stderr=subprocess.DEVNULL)
        time.sleep(milliseconds / 1000)
        running.kill()
        running.wait()
        subprocess.run(course.command(root), check=True, capture_output=True)
        assert all_full(root), milliseconds


def test_no_judge_outlives_the_command(class_of_twelve):
    root = class_of_twelve
    course.hand_in(root, s0={"double": "import time\ntime.sleep(200)"})
    words = ["--workers", "1", "--call-seconds", "200", "--total-seconds", "200"]
    running = subprocess.Popen(course.command(root, *words), stderr=subprocess.DEVNULL)
    until(running, (root / "out/proof.sha256").exists)
    until(running, lambda: sum(name_of(pid)[:6] == "python" for pid in below(running.pid)) >= 3)
    left = below(running.pid)
    running.kill()
    running.wait()
    gone(left)


def test_fork_servers_that_die_in_mid_run_cost_nobody_a_point(class_of_twelve):
    root = class_of_twelve
    running = subprocess.Popen(course.command(root), stderr=subprocess.DEVNULL)
    until(running, lambda: list((root / "out/results").glob("*.json")))
    for _ in range(2):  # fewer than the tries that each submission has
        for pid in [pid for pid in below(running.pid) if name_of(pid) == "bwrap"][:1]:
            os.kill(pid, signal.SIGKILL)
        time.sleep(0.3)
    assert running.wait() == 0
    assert all_full(root)


def test_what_cannot_be_judged_is_said_and_tried_again(tmp_path):
    course.hand_in(tmp_path, a={}, b={})
    flag = tmp_path / "deadly"
    flag.touch()
    kills = f"import os\nif STUDENT_ID == 'a' and os.path.exists({str(flag)!r}):\n"
    kills += "    os.kill(os.getpid(), 9)\n"
    checks = {**course.CHECKS, "softmax": kills + course.SOFTMAX_CHECK}
    course.write(tmp_path / "source", "demo", course.submission("", checks=checks))
    said = course.grade(tmp_path)
    row = course.scores(tmp_path)["a"]
    assert course.points(row) == (2, None, 1)
    assert (row["points"], row["tasks"]["softmax"]["status"]) == (None, Status.NOT_JUDGED)
    assert row["review"] == ["not judged: the judge's own process ended (code -9)"]
    table = {row["student"]: row for row in exports.table(tmp_path / "out/scores.csv")}
    assert (table["a"]["softmax"], table["a"]["points"]) == ("not judged", "not judged")
    assert "1 not judged" in said.stdout
    assert "1 not judged" in (tmp_path / "out/summary.html").read_text(encoding="utf-8")
    assert "Not judged yet; 3 points are open." in course.page(tmp_path, "a")
    flag.unlink()
    course.grade(tmp_path)
    assert course.points(course.scores(tmp_path)["a"]) == FULL


def test_a_result_of_another_judge_counts_for_nothing(tmp_path, monkeypatch):
    tasks = assignment.load(course.write_source(tmp_path / "source") / "demo")
    kit = isolation.kit(Limits(), ("numpy",))
    course.write(tmp_path / "in", "ann", course.submission("ann"))
    work = job.Batch(tasks, kit, tmp_path / "in", tmp_path / "out", 1)
    found = [Submission("ann", "ann/demo.ipynb")]
    batch.run(work, found, 1, lambda done: None)
    path = tmp_path / "out/results/ann.json"
    results.save(results.load(path)._replace(notes=("kept",)), path)
    assert batch.run(work, found, 1, lambda done: None)[0].notes == ("kept",)
    monkeypatch.setattr(job, "version", lambda: "another")
    assert "kept" not in batch.run(work, found, 1, lambda done: None)[0].notes


def test_code_that_sleeps_takes_hardly_more_than_its_time_in_two_turns(tmp_path):
    course.write_source(tmp_path / "source")
    made = course.submission("ann", HANGS)
    made["cells"][2:2] = [course.code("import time\ntime.sleep(0.8)") for _ in range(30)]
    course.write(tmp_path / "submissions", "ann", made)
    limits = ["--call-seconds", "1", "--task-seconds", "2", "--total-seconds", "12"]
    course.grade(tmp_path, *limits)
    row = course.scores(tmp_path)["ann"]
    assert "timed out" in {task["status"] for task in row["tasks"].values()}
    result = json.loads((tmp_path / "out/results/ann.json").read_text(encoding="utf-8"))
    assert result["made_from"]
    assert 8 < result["seconds"] < 12


def test_what_a_put_off_turn_took_is_missing_in_the_last(demo):
    batch = job.Batch(demo, isolation.kit(Limits(), ("numpy",)), Path(), Path(), 1)
    turn = job.Turn(Submission("ann", "ann/demo.ipynb"), b"", {})
    assert job.caps_of(batch, turn) == Limits()
    for took, left in ((10.0321, 53.0), (58.0, 5.0), (64.0, 3.0)):
        caps = job.caps_of(batch, turn._replace(is_last=True, seconds=took))
        assert (caps.call, caps.task, caps.total) == (15, 36, left)


@pytest.fixture
def small(tmp_path):
    """A class of one, and what a run writes into."""
    course.hand_in(tmp_path, ann={})
    (tmp_path / "out/results").mkdir(parents=True)
    return tmp_path


def test_a_full_disk_is_one_sentence(small):
    (small / "out/results/ann.json.part").symlink_to("/dev/full")
    said = course.grade(small, ends=(2,))
    assert said.stdout == ""
    last = said.stderr.splitlines()[-1]
    assert last == f"grade: [Errno 28] No space left on device: '{small}/out/results/ann.json'"
    assert "Traceback" not in said.stderr


def test_a_bubblewrap_that_never_starts_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "START_SECONDS", 0.5)
    (tmp_path / "bwrap").write_text("#!/bin/sh\nsleep 100 & wait\n", encoding="utf-8")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    others = below(os.getpid())
    with pytest.raises(RuntimeError, match=r"the sandbox did not start: .*does not respond"):
        sandbox.ForkServer(isolation.kit(Limits(), ("numpy",)))
    assert below(os.getpid()) == others


@pytest.mark.parametrize("hangs", [True, False])
def test_a_bubblewrap_that_hangs_is_no_verdict(small, monkeypatch, hangs):
    monkeypatch.setattr(sandbox, "ANSWER_SECONDS", 1)
    monkeypatch.setattr(job, "GRACE", 0.5)
    work = job.Batch(
        assignment.load(small / "source/demo"),
        isolation.kit(Limits(call=1, task=1, total=1), ("numpy",)),
        *(small / "submissions", small / "out", 1),
    )
    start = job.start

    def stopped(batch, turn, fork_server, slot):
        made = start(batch, turn, fork_server, slot)
        judges, above = [made.process.pid], fork_server.process.pid
        for pid in [above, *below(above)] if hangs else judges:
            os.kill(pid, signal.SIGSTOP)
        return made

    monkeypatch.setattr(job, "start", stopped)
    (result,) = batch.run(work, [Submission("ann", "ann/demo.ipynb")], 1, lambda done: None)
    said = (
        "not judged: the process that starts the sandboxes does not respond"
        if hangs
        else "graded in part: the time for this submission is over"
    )
    assert result.flags == (said,)
    # A judge may have marked a task before it was stopped.
    assert result.earned is None if hangs else result.earned < sum(FULL)
