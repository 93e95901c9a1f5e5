"""How much of our code one pass runs: `python -m pytest -s tests/nn/test_nn_calls.py`."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from transformer_lib import nn

CONFIG = nn.Configuration(
    kind="decoder", vocabulary_size=11, d_model=8, heads=2, layers=1, d_ff=16, place="pre"
)
IDS = [[1, 2, 3, 4, 5], [5, 4, 3, 2, 1]]


def own(frame: FrameType | None) -> Iterator[str]:
    """Yield the files of the library that are running, the innermost first."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("transformer_lib."):
            yield frame.f_code.co_filename
        frame = frame.f_back


def calls_of(run: Callable[[], Any]) -> list[list[str]]:
    """Return the files that were running at each call of a function of the library."""
    calls: list[list[str]] = []

    def listen(frame: FrameType, event: str, _: Any) -> None:
        files = list(own(frame))
        if event == "call" and files[:1] == [frame.f_code.co_filename]:
            calls.append(files)

    before = sys.getprofile()
    sys.setprofile(listen)
    try:
        run()
    finally:
        sys.setprofile(before)
    return calls


def torch_pass(attention: str) -> Callable[[], Any]:
    model, ids = nn.Transformer(CONFIG, seed=0, attention=attention).eval(), torch.tensor(IDS)
    return lambda: model(ids)


def numpy_pass() -> Callable[[], Any]:
    parameters, ids = tl.initial_parameters(CONFIG, rng=np.random.default_rng(0)), np.array(IDS)
    return lambda: tl.forward(parameters, CONFIG, ids)


@pytest.mark.parametrize(
    "name,run,most",
    [
        ("fused", torch_pass("fused"), 125),
        ("explicit", torch_pass("explicit"), 140),
        ("numpy", numpy_pass(), 170),
    ],
)
def test_a_pass_is_few_calls(name: str, run: Callable[[], Any], most: int) -> None:
    calls = calls_of(run)
    files, frames = len({each[0] for each in calls}), max(map(len, calls))
    checks = sum(Path(each[0]).stem in ("checks", "checked", "entry") for each in calls)
    print(f"\n{name}: {len(calls)} calls, {checks} of checks, {files} files, {frames} frames deep")
    assert 0 < len(calls) <= most
    assert checks <= len(calls) / 4
    assert frames <= 16
