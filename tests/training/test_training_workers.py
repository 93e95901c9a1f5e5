"""Two processes that train one model as one does, killed and resumed too."""

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
from tests.training.small import draw, logged, model_of, settings, text_run, write_corpus
from transformer_lib.training import train, workers

pytestmark = pytest.mark.slow
SCRIPT = """
import sys
import numpy as np
from tests.training.test_training_workers import trained
from transformer_lib.training import workers

with workers.together():
    found = trained()
    if workers.rank() == 0:
        np.savez(sys.argv[1], **found)
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


def launched(*arguments: Any) -> Any:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    module = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    return subprocess.Popen(
        [*module, *map(str, arguments)],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


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


def trained() -> dict[str, Any]:
    """Train, alone or as one of several workers, and return what comes of it by name."""
    # No biases: the gradient of the keys' is 0 but for rounding, which Adam makes large.
    model = model_of(dropout=0.0, bias=False).double()
    history = train(model, draw, settings(steps=12, accumulate=4, weight_decay=0.1), progress=False)
    arrays = {name: p.detach().numpy() for name, p in model.named_parameters()}
    return {"losses": history.losses, "norms": history.norms, **arrays}


def test_two_workers_are_one(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    assert launched(tmp_path / "script.py", tmp_path / "end.npz").wait(timeout=600) == 0
    two = np.load(tmp_path / "end.npz")
    for name, expected in trained().items():
        np.testing.assert_allclose(two[name], expected, rtol=0, atol=1e-10, err_msg=name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run file beside its text, and in `whole` what two workers come to that nobody kills."""
    found = tmp_path_factory.mktemp("run")
    write_corpus(found)
    (found / "run.toml").write_text(RUN, encoding="utf-8")
    assert started(found, found / "whole").wait(timeout=600) == 0
    return found


def started(folder: Path, out: Path, *more: str) -> Any:
    return launched("-m", "transformer_lib.training", folder / "run.toml", "--out", out, *more)


@pytest.mark.parametrize("what", ["torchrun", "a worker"])
def test_killed_they_resume_to_the_same_end(what: str, folder: Path, tmp_path: Path) -> None:
    whole, out = folder / "whole", tmp_path / "parts"
    kill(started(folder, out), what, out / "run.checkpoint.json")
    assert not (out / "run.safetensors").exists(), "it was over before it was killed"
    assert started(folder, out).wait(timeout=600) != 0, "it began anew without a word"
    assert started(folder, out, "--resume").wait(timeout=600) == 0
    for name in ("run.safetensors", "run.json", "run.tokenizer.json"):
        assert (out / name).read_bytes() == (whole / name).read_bytes(), name
    assert losses(out) == losses(whole)
    assert len(losses(out)) == 300


def losses(out: Path) -> list[tuple[str, str, str]]:
    return [(row["step"], row["loss"], row["norm"]) for row in logged(out / "run.csv")]


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
