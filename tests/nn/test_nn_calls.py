"""How much of our own code one layer runs: `python -m pytest -s tests/nn/test_nn_calls.py`."""

import sys
from collections.abc import Iterator
from types import FrameType
from typing import Any

import torch

from transformer_lib import nn


def own(frame: FrameType | None) -> Iterator[str]:
    """Yield the files of the library that are running, the innermost first."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("transformer_lib."):
            yield frame.f_code.co_filename
        frame = frame.f_back


def test_a_fused_layer_is_few_calls_and_few_frames() -> None:
    config = nn.Configuration(
        kind="decoder", vocabulary_size=11, d_model=8, heads=2, layers=1, d_ff=16, place="pre"
    )
    block = nn.Transformer(config, seed=0, attention="fused").eval().decoder.layers[0]
    rows, mask = torch.ones(2, 5, 8), torch.ones(5, 5, dtype=torch.bool).tril()
    calls: list[list[str]] = []

    def listen(frame: FrameType, event: str, _: Any) -> None:
        files = list(own(frame))
        if event == "call" and files[:1] == [frame.f_code.co_filename]:
            calls.append(files)

    before = sys.getprofile()
    sys.setprofile(listen)
    try:
        block(rows, mask=mask)
    finally:
        sys.setprofile(before)
    files, frames = len({each[0] for each in calls}), max(map(len, calls))
    print(f"\none fused layer: {len(calls)} calls in {files} files, {frames} frames deep")
    assert 0 < len(calls) <= 90
    assert frames <= 10
