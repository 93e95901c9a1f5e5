"""Kill the judge at random moments, let it go on, compare: `python benchmarks/kills.py`.

A class whose results are known is graded. Meanwhile the command, a nursery, a sandbox or the
process of one submission is killed. Then the same command runs to its end, and every result must be
that of an undisturbed run. Rounds are kept in --record: the script goes on where it was stopped.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.grading import notebook, right

ROOT = Path(__file__).resolve().parents[1]
KINDS = ("grade", "nursery", "judge", "sandbox")
MOST_KILLS = 3  # in a round
WRONG = "def square(values):\n    return values"
SLOW = "import time\ndef double(values):\n    time.sleep(0.05)\n    return 2 * values"
ENDS = "import os\ndef square(values):\n    os._exit(1)"
CLASS: dict[str, dict[str, str]] = {
    "right": {},
    "wrong": {"square": WRONG},
    "slow": {"double": SLOW},
    "slow and wrong": {"double": SLOW, "square": WRONG},
    "ends its process": {"square": ENDS},
    "ends in a cell": {"square": "import os\nos._exit(1)"},
    "raises": {"double": "def double(values):\n    raise ValueError('no')"},
    "slow in a cell": {"square": "import time\ntime.sleep(0.1)\n" + right()["square"]},
}


def write(root: Path) -> list[str]:
    """Write the class; return the command that grades it."""
    for folder in ("source/two", "in"):
        (root / folder).mkdir(parents=True)
    (root / "source/two/two.ipynb").write_text(notebook("", "numpy", right()), encoding="utf-8")
    for number, answers in enumerate(CLASS.values()):
        text = notebook(f"s{number}", "numpy", right() | answers)
        (root / f"in/s{number}.ipynb").write_text(text, encoding="utf-8")
    words = [sys.executable, "-P", "-m", "exercises.grader", "two", str(root / "in")]
    return [*words, "--out", str(root / "out"), "--source", str(root / "source"), "--seed", "1"]


def start(command: list[str]) -> "subprocess.Popen[bytes]":
    """Start the command, silent."""
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    silent = subprocess.DEVNULL
    return subprocess.Popen(command, stdout=silent, stderr=silent, env=env)


def verdicts(root: Path) -> dict[str, Any]:
    """Return what each student got for each task, and why it was no more."""
    rows = json.loads((root / "out/scores.json").read_text(encoding="utf-8"))["scores"]
    return {row["student"]: [row["points"], row["tasks"], row["review"]] for row in rows}


def below(pid: int) -> list[int]:
    """Return the processes that one has started, and theirs."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            for child in map(int, task.read_text(encoding="utf-8").split()):
                found += [child, *below(child)]
        except OSError:
            continue
    return found


def is_nursery(pid: int) -> bool:
    """Say whether this process is the outer bubblewrap."""
    try:
        return Path(f"/proc/{pid}/comm").read_text(encoding="utf-8").strip() == "bwrap"
    except OSError:
        return False


def targets(kind: str, command: int) -> list[int]:
    """Return the processes of a kind."""
    if kind == "grade":
        return [command]
    processes = below(command)
    nurseries = [pid for pid in processes if is_nursery(pid)]
    inside = {pid for nursery in nurseries for pid in below(nursery)}
    if kind == "sandbox":  # the last of the chain bwrap, bwrap, nursery, child
        return [pid for pid in inside if not is_nursery(pid) and not below(pid)]
    if kind == "nursery":
        return [pid for pid in nurseries if pid not in inside]
    return [pid for pid in processes if pid not in inside and not is_nursery(pid)]


def kill_some(running: "subprocess.Popen[bytes]", luck: random.Random, seconds: float) -> list[str]:
    """Kill up to MOST_KILLS processes at random moments of the run; return their kinds."""
    killed: list[str] = []
    moments = sorted(luck.uniform(0.2, seconds) for _ in range(luck.randint(1, MOST_KILLS)))
    begun = time.monotonic()
    for moment in moments:
        time.sleep(max(0.0, begun + moment - time.monotonic()))
        kind = luck.choice(KINDS)
        if running.poll() is None and (found := targets(kind, running.pid)):
            try:
                os.kill(luck.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                continue
            killed.append(kind)
    return killed


def round_of(seed: int, command: list[str], root: Path, seconds: float) -> list[str]:
    """Grade with kills, then to the end; return what was killed."""
    shutil.rmtree(root / "out", ignore_errors=True)
    luck = random.Random(seed)
    running = start(command)
    killed = kill_some(running, luck, seconds)
    running.wait()
    assert start(command).wait() == 0
    return killed


def main() -> None:
    """Kill until there were enough kills or the time is over; print the sums of all rounds."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("--kills", type=int, default=500)
    reader.add_argument("--seconds", type=float, default=600.0, help="stop after this time")
    reader.add_argument("--record", type=Path, default=ROOT / "_build/kills.jsonl")
    given = reader.parse_args()
    given.record.parent.mkdir(parents=True, exist_ok=True)
    old = given.record.read_text(encoding="utf-8").splitlines() if given.record.exists() else []
    rounds = [json.loads(line) for line in old]
    end = time.monotonic() + given.seconds
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        command = write(root)
        begun = time.monotonic()
        assert start(command).wait() == 0
        whole, wanted = time.monotonic() - begun, verdicts(root)
        while sum(len(each["killed"]) for each in rounds) < given.kills and time.monotonic() < end:
            killed = round_of(len(rounds), command, root, whole)
            found = verdicts(root)
            wrong = [student for student in wanted if found.get(student) != wanted[student]]
            if wrong:
                shutil.copytree(root / "out", given.record.with_suffix(f".{len(rounds)}"))
            rounds.append({"killed": killed, "results": len(found), "wrong": wrong})
            with given.record.open("a", encoding="utf-8") as file:
                file.write(json.dumps(rounds[-1]) + "\n")
    kinds = Counter(kind for each in rounds for kind in each["killed"])
    results = sum(each["results"] for each in rounds)
    wrong_in_all = sum(len(each["wrong"]) for each in rounds)
    print(f"{sum(kinds.values())} kills in {len(rounds)} rounds {dict(kinds)}")
    print(f"{results} results, {wrong_in_all} wrong; load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
