"""Two processes that train one model as one does, killed and resumed too."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from book.paths import ROOT
from tests.training.small import draw, model_of, settings
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


def start(out: Path, *, count: int, steps: int, dropout: float = 0.0, pause: float = 0.0) -> Any:
    out.mkdir(exist_ok=True)
    script = out / "script.py"
    script.write_text(SCRIPT, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    module = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    arguments = [script, out, steps, dropout, pause]
    return subprocess.Popen(
        [*module, f"--nproc-per-node={count}", *map(str, arguments)],
        env=environment,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def ended(run: Any, out: Path) -> dict[str, Any]:
    assert run.wait(timeout=120) == 0
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


def test_killed_they_resume_to_the_same_end(tmp_path: Path) -> None:
    whole, out = tmp_path / "whole", tmp_path / "parts"
    expected = ended(start(whole, count=2, steps=20, dropout=0.2), whole)
    run = start(out, count=2, steps=20, dropout=0.2, pause=0.03)
    begun = time.monotonic()
    while not (out / "run.json").exists() and time.monotonic() - begun < 60:
        time.sleep(0.01)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    assert json.loads((out / "run.json").read_text(encoding="utf-8"))["tokens"] > 0
    assert not (out / "end.npz").exists(), "it was over before it was killed"
    again = ended(start(out, count=2, steps=20, dropout=0.2), out)
    for name, value in expected.items():
        assert np.array_equal(again[name], value), name


def test_the_batches_of_a_step_must_be_shared_evenly(
    monkeypatch: pytest.MonkeyPatch, unhooked: None
) -> None:
    monkeypatch.setattr(workers, "count", lambda: 2)
    with pytest.raises(ValueError, match="accumulate must be a multiple of the 2 workers"):
        train(model_of(), draw, settings(accumulate=3), progress=False)
