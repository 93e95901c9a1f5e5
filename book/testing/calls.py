"""How much of our code one pass of a model of one layer runs."""

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np

import transformer_lib as tl
from transformer_lib import nn

CONFIG = tl.Configuration(
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
    """A pass of the torch model, with the body of attention that is named."""
    model = nn.Transformer(CONFIG, seed=0, attention=attention).eval()
    ids = next(model.parameters()).new_tensor(IDS).long()
    return lambda: model(ids)


def numpy_pass() -> Callable[[], Any]:
    """A pass of the same model over arrays."""
    parameters, ids = tl.initial_parameters(CONFIG, rng=np.random.default_rng(0)), np.array(IDS)
    return lambda: tl.forward(parameters, CONFIG, ids)


def passes() -> dict[str, list[list[str]]]:
    """The calls of one pass with each body of attention, and of one in NumPy."""
    runs = {"fused": torch_pass("fused"), "explicit": torch_pass("explicit"), "NumPy": numpy_pass()}
    return {name: calls_of(run) for name, run in runs.items()}
