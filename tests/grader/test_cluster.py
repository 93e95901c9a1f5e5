"""Submissions judged by the workers of a cluster: the same results, whoever is killed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest

from exercises.grader import assignment, cluster, job, worker
from exercises.grader.results import Result
from exercises.grader.sandboxed.limits import Limits
from exercises.grader.submissions import Submission
from exercises.grader.walls import Kit
from tests.grader import course
from tests.grader.processes import below, gone, interruptible, name_of, until

bwrap = course.WALLS
WAITS = "import time\ntime.sleep(0.2)\n"
RANDOM = "import os\nfactor = 2 + os.urandom(1)[0] % 2\n"
FACTOR = "def double(x):\n    return factor * x\n"
ANSWERS = {
    "waits": {"double": WAITS + course.DOUBLE},
    "wrong": {"softmax": "def softmax(scores):\n    return scores\n"},
    "unwritten": {"double": course.UNWRITTEN.format("double")},
    "ends": {"softmax": "def softmax(scores):\n    import os\n    os._exit(1)\n"},
}


@pytest.fixture
def root(tmp_path):
    more = {f"right-{number}": {} for number in range(10)}
    twice = {f"{kind}-{n}": answers for kind, answers in ANSWERS.items() for n in (0, 1)}
    course.hand_in(tmp_path, **more, **twice)
    return tmp_path


def pages(out):
    """What a run wrote for people, without the seconds."""
    rows = json.loads((out / "scores.json").read_text(encoding="utf-8"))["scores"]
    found = {row["student"]: {**row, "seconds": 0} for row in rows}
    return found, {
        path.name: path.read_text(encoding="utf-8") for path in (out / "feedback").iterdir()
    }


@pytest.fixture
def workers(tmp_path):
    """The address of a scheduler, and its process and two workers, which nobody starts again."""
    about = tmp_path / "scheduler.json"
    words = [["scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(about)]]
    joins = ["--scheduler-file", str(about), "--no-nanny", "--nthreads", "1"]
    words += [["worker", *joins, "--local-directory", str(tmp_path / name)] for name in "ab"]
    with (tmp_path / "log").open("w", encoding="utf-8") as log:
        made = [
            subprocess.Popen(
                [sys.executable, "-m", f"distributed.cli.dask_{word}", *rest, "--no-dashboard"],
                env=course.environment(),
                stdout=log,
                stderr=log,
            )
            for word, *rest in words
        ]
    until(made[0], about.exists)
    yield json.loads(about.read_text(encoding="utf-8"))["address"], made
    for process in made:
        process.kill()
        process.wait()


@pytest.mark.slow
@bwrap
def test_a_cluster_finds_what_one_machine_finds_and_they_go_on_from_each_other(root):
    course.grade(root, "--seed", "3")
    here = pages(root / "out")
    shutil.rmtree(root / "out")
    course.grade(root, "--seed", "3", "--dask", "local:2")
    assert pages(root / "out") == here
    kept = root / "out/results/right-1.json"
    kept.write_text(
        kept.read_text(encoding="utf-8").replace('"seconds": ', '"seconds": 100'), encoding="utf-8"
    )
    (root / "out/results/right-2.json").unlink()
    course.grade(root)
    assert pages(root / "out") == here
    assert course.scores(root)["right-1"]["seconds"] >= 100


@pytest.mark.slow
@bwrap
def test_a_worker_that_is_killed_costs_nothing_and_no_result_changes(root, workers):
    address, (_, victim, survivor) = workers
    for number in range(10):  # to judge one of these twice may give another result
        course.hand_in(root, **{f"random-{number}": {"double": WAITS + RANDOM + FACTOR}})
    command = course.command(root, "--dask", address)
    running = subprocess.Popen(command, env=course.environment(), stderr=subprocess.DEVNULL)
    first: dict[str, str] = {}
    hosts: list[int] = []
    while running.poll() is None:
        for path in (root / "out/results").glob("*.json"):
            first.setdefault(path.name, path.read_text(encoding="utf-8"))
        hosts = hosts if victim.poll() is not None else below(victim.pid)
        if len(first) >= 4 and sum(name_of(pid).startswith("python") for pid in hosts) > 3:
            victim.kill()  # in the middle of a submission: its judge and its sandbox run
            victim.wait()
        time.sleep(0.01)
    assert running.returncode == 0 and victim.returncode == -signal.SIGKILL
    assert survivor.poll() is None
    rows = course.scores(root)
    assert len(rows) == len(list((root / "submissions").iterdir())) == 28
    assert {course.points(row)[1:] for name, row in rows.items() if "random" in name} == {(3, 1)}
    assert {course.points(row) for name, row in rows.items() if "right" in name} == {(2, 3, 1)}
    assert not any("not judged" in row["review"] for row in rows.values())
    for name, text in first.items():
        assert (root / "out/results" / name).read_text(encoding="utf-8") == text
    assert len(first) == 28
    gone(hosts)


@pytest.mark.slow
@bwrap
def test_a_command_that_is_killed_goes_on(root, workers):
    address, _ = workers
    command = course.command(root, "--dask", address)
    running = subprocess.Popen(command, env=course.environment(), stderr=subprocess.DEVNULL)
    until(running, lambda: len(list((root / "out/results").glob("*.json"))) >= 3)
    running.kill()
    running.wait()
    before = list((root / "out/results").glob("*.json"))
    marks = {path: path.stat().st_mtime_ns for path in before}
    subprocess.run(command, env=course.environment(), check=True, capture_output=True)
    assert {path: path.stat().st_mtime_ns for path in before} == marks
    assert {course.points(row) for n, row in course.scores(root).items() if "right" in n} == {
        (2, 3, 1)
    }


@pytest.mark.slow
@bwrap
def test_a_cluster_that_is_gone_is_said(root, workers):
    address, (scheduler, *_) = workers
    command = course.command(root, "--dask", address)
    running = subprocess.Popen(command, env=course.environment(), stderr=subprocess.PIPE, text=True)
    until(running, lambda: list((root / "out/results").glob("*.json")))
    scheduler.kill()
    _, said = running.communicate(timeout=600)
    assert running.returncode == 2
    last = said.splitlines()[-1]
    assert last == "grade: the cluster is gone; the same command goes on from here"
    assert "Traceback" not in said


@pytest.mark.slow
@bwrap
@pytest.mark.parametrize("moment", ["dask/*/worker*", "out/results/*.json"])
def test_an_interruption_is_said_without_the_log_of_dask(root, moment):
    command = course.command(root, "--dask", "local:2")
    env = course.environment(DASK_TEMPORARY_DIRECTORY=str(root / "dask"))
    running = interruptible(command, env=env, start_new_session=True)
    # Its first worker starts, its first result is there.
    until(running, lambda: list(root.glob(moment)))
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    _, said = running.communicate(timeout=600)
    assert running.returncode == 130
    assert "Traceback" not in said
    assert said.splitlines()[-1] == "interrupted: the same command goes on from here"


def demo(tmp_path):
    made = assignment.load(course.write_source(tmp_path / "source") / "demo")
    return job.Batch(made, Kit(Limits()), tmp_path, tmp_path / "out", 1)


def test_without_dask_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(RuntimeError, match=r"pip install './exercises\[cluster\]'"):
        cluster.Cluster(demo(tmp_path), tmp_path / "source", "local:2")


@pytest.mark.parametrize("where", ["local", "local:0", "local:two"])
def test_a_place_that_is_none_is_refused(where):
    with pytest.raises(ValueError, match="local:N, with N workers"):
        cluster.connect(where)


def test_another_version_of_the_judge_is_refused(tmp_path):
    parcel = cluster.parcel_of(demo(tmp_path), tmp_path / "source")
    assert "another version" in worker.trouble(parcel._replace(version="old"))


class Future:
    """What is left of a task."""

    def __init__(self, status, outcome):
        self.status, self.outcome = status, outcome

    def result(self):
        return self.outcome

    def exception(self):
        return self.outcome


def test_what_the_cluster_suffers_is_no_verdict(tmp_path):
    crew = object.__new__(cluster.Cluster)
    crew.batch = demo(tmp_path)
    (tmp_path / "out/results").mkdir(parents=True)
    turn = job.Turn(Submission("ann", "ann/demo.ipynb"), b"", {})
    killed = Future("error", RuntimeError("worker killed"))
    for tries in (2, 3):
        turn = crew._outcome(killed, turn)
        assert turn.tries == tries
    result = crew._outcome(killed, turn)
    assert isinstance(result, Result)
    assert (result.earned, result.flags) == (None, ("not judged: worker killed",))
    with pytest.raises(RuntimeError, match="goes on from here"):
        crew._outcome(Future("cancelled", None), turn)
