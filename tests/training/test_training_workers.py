"""Two processes that train one model as one does, killed and resumed too."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from book.paths import ROOT
from tests.training.small import draw, model_of, settings, text_run, write_corpus
from transformer_lib.training import train, workers

pytestmark = pytest.mark.slow
SCRIPT = """
import sys
from tests.training.small import draw, model_of, settings
from transformer_lib.training import train, workers

out, steps, dropout, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4])

def slowly(rng):
    import time
    time.sleep(pause)
    return draw(rng)

with workers.together():
    model = model_of(dropout=dropout, bias=False).double()
    asked = settings(steps=steps, accumulate=4, weight_decay=0.1, checkpoint_every=5)
    checkpoint = f"{out}/run.json"
    history = train(model, slowly, asked, checkpoint=checkpoint, progress=False)
    if workers.rank() == 0:
        import numpy as np
        arrays = {name: p.detach().numpy() for name, p in model.named_parameters()}
        np.savez(f"{out}/end.npz", losses=history.losses, norms=history.norms, **arrays)
"""


RUN = text_run(
    training="""steps = 300
batch_size = 3
accumulate = 4
rate = 0.01
validate_every = 50
checkpoint_every = 10""",
    model="""d_ff = 12
dropout = 0.1""",
)


def launched(count: int, *arguments: Any) -> Any:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    module = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    return subprocess.Popen(
        [*module, f"--nproc-per-node={count}", *map(str, arguments)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def start(out: Path, *, count: int, steps: int, dropout: float = 0.0, pause: float = 0.0) -> Any:
    out.mkdir(exist_ok=True)
    script = out / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    return launched(count, script, out, steps, dropout, pause)


def workers_of(run: Any) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(run.pid)], capture_output=True, check=True)
    return [int(pid) for pid in found.stdout.split()]


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended may wait for somebody to ask how."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False)
    return bool(state.stdout.strip()) and not state.stdout.startswith(b"Z")


def until(is_true: Callable[[], bool], seconds: float = 600) -> None:
    begun = time.monotonic()
    while not is_true():
        assert time.monotonic() - begun < seconds
        time.sleep(0.01)


def kill(run: Any, what: str, checkpoint: Path) -> None:
    """Kill torchrun or one of its workers once there is a checkpoint; wait until none runs."""
    until(checkpoint.exists)
    pids = workers_of(run)
    assert len(pids) == 2
    os.kill(run.pid if what == "torchrun" else pids[-1], signal.SIGKILL)
    assert run.wait(timeout=600) != 0
    until(lambda: not any(map(is_alive, pids)))


def ended(run: Any, out: Path) -> dict[str, Any]:
    assert run.wait(timeout=600) == 0
    return dict(np.load(out / "end.npz"))


def test_two_workers_are_one(tmp_path: Path) -> None:
    two = ended(start(tmp_path, count=2, steps=12), tmp_path)
    # No biases: the gradient of the keys' is 0 but for rounding, which Adam makes large.
    model = model_of(dropout=0.0, bias=False).double()
    asked = settings(steps=12, accumulate=4, weight_decay=0.1, checkpoint_every=5)
    history = train(model, draw, asked, progress=False)
    np.testing.assert_allclose(two["losses"], history.losses, rtol=0, atol=1e-10)
    np.testing.assert_allclose(two["norms"], history.norms, rtol=0, atol=1e-10)
    for name, p in model.named_parameters():
        np.testing.assert_allclose(two[name], p.detach(), rtol=0, atol=1e-10)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What two workers come to that nobody kills."""
    out = tmp_path_factory.mktemp("whole")
    return ended(start(out, count=2, steps=20, dropout=0.2), out)


@pytest.mark.parametrize("what", ["torchrun", "a worker"])
def test_killed_they_resume_to_the_same_end(
    what: str, whole: dict[str, Any], tmp_path: Path
) -> None:
    out = tmp_path / "parts"
    kill(start(out, count=2, steps=20, dropout=0.2, pause=0.2), what, out / "run.json")
    assert json.loads((out / "run.json").read_text(encoding="utf-8"))["tokens"] > 0
    assert not (out / "end.npz").exists(), "it was over before it was killed"
    again = ended(start(out, count=2, steps=20, dropout=0.2), out)
    for name, value in whole.items():
        assert np.array_equal(again[name], value), name


def test_a_run_file_with_a_text_is_killed_and_resumed(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    (tmp_path / "run.toml").write_text(RUN, encoding="utf-8")
    command = ["-m", "transformer_lib.training", tmp_path / "run.toml", "--out"]
    whole, out = tmp_path / "whole", tmp_path / "parts"
    assert launched(2, *command, whole).wait(timeout=600) == 0
    kill(launched(2, *command, out), "torchrun", out / "run.checkpoint.json")
    assert not (out / "run.safetensors").exists(), "it was over before it was killed"
    assert launched(2, *command, out).wait(timeout=600) != 0, "it began anew without a word"
    assert launched(2, *command, out, "--resume").wait(timeout=600) == 0
    for name in ("run.safetensors", "run.json", "run.tokenizer.json"):
        assert (out / name).read_bytes() == (whole / name).read_bytes(), name
    assert losses(out / "run.csv") == losses(whole / "run.csv")
    assert len(losses(out / "run.csv")) == 300


def losses(log: Path) -> list[tuple[str, str, str]]:
    with log.open(encoding="utf-8") as opened:
        return [(row["step"], row["loss"], row["norm"]) for row in csv.DictReader(opened)]


def test_the_batches_of_a_step_must_be_shared_evenly(
    monkeypatch: pytest.MonkeyPatch, unhooked: None
) -> None:
    monkeypatch.setattr(workers, "count", lambda: 2)
    with pytest.raises(ValueError, match="accumulate must be a multiple of the 2 workers"):
        train(model_of(), draw, settings(accumulate=3), progress=False)


def test_a_machine_with_a_gpu_may_train_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("LOCAL_RANK", "3")
    monkeypatch.setattr(workers, "_end_with", lambda parent: asked.append(parent))
    for name, answer in {"is_available": True, "device_count": 2}.items():
        monkeypatch.setattr(f"torch.cuda.{name}", lambda answer=answer: answer)
    monkeypatch.setattr("torch.cuda.set_device", asked.append)
    monkeypatch.setattr("torch.distributed.init_process_group", asked.append)
    monkeypatch.setattr("torch.distributed.destroy_process_group", lambda: asked.append("end"))
    with workers.together():
        assert sorted(asked, key=str) == sorted([os.getppid(), 1, "cpu:gloo,cuda:nccl"], key=str)
    assert asked[-1] == "end"
