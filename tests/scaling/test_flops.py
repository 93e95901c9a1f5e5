"""The formulas for FLOPs give what torch counts while the model runs."""

from typing import Any

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from tests.refusals import refusals
from tests.scaling.configurations import CHANGES, configuration
from transformer_lib import nn
from transformer_lib.scaling import (
    decoding_flops,
    forward_flops,
    parameter_count,
    training_flops,
)

BATCH, N, N_SOURCE = 2, 5, 7
DECODING = [name for name in CHANGES if name not in ("encoder", "no layers")]  # both keep nothing
LARGE = configuration(d_model=512, heads=8, d_ff=2048, vocabulary_size=100)


def counted(model: nn.Transformer, *ids: torch.Tensor, backward: bool = False, **more: Any) -> int:
    with FlopCounterMode(display=False) as counter:
        logits = model(*ids, **more)
        if backward:
            logits.sum().backward()
    return int(counter.get_total_flops())


def ids(*shape: int) -> torch.Tensor:
    return torch.zeros(shape, dtype=torch.int64)


def lengths(kind: str) -> tuple[int, ...]:
    return (N, N_SOURCE) if kind == "encoder-decoder" else (N,)


@pytest.mark.parametrize("name", CHANGES)
def test_forward_and_training(name: str) -> None:
    config = configuration(**CHANGES[name])
    model, sizes = nn.Transformer(config, seed=0), lengths(config.kind)
    given = [ids(BATCH, n) for n in sizes]
    assert forward_flops(config, *sizes, batch=BATCH).total == counted(model, *given)
    trained = counted(model, *given, backward=True)
    assert training_flops(config, *sizes, batch=BATCH).total == trained


@pytest.mark.parametrize("name", DECODING)
def test_decoding_one_more_token_with_a_cache(name: str) -> None:
    config = configuration(**CHANGES[name])
    model, more = nn.Transformer(config, seed=0).eval(), lengths(config.kind)[1:]
    source = [ids(n) for n in more]
    _, cache = model.extend(ids(N), *source)
    assert decoding_flops(config, N, *more).total == counted(
        model, ids(N + 1), *source, cache=cache
    )


def test_a_window_bounds_the_attention_of_decoding() -> None:
    config = configuration(window=4)
    model = nn.Transformer(config, seed=0).eval()
    for n in (2, 3, 9):
        _, cache = model.extend(ids(n))
        assert decoding_flops(config, n).total == counted(model, ids(n + 1), cache=cache)
    assert decoding_flops(config, 9) == decoding_flops(config, 90)


def test_six_for_each_parameter_and_token() -> None:
    """The rule of thumb is right in the layers of a short text, but for biases and norms."""
    flops, N = training_flops(LARGE, 1), parameter_count(LARGE).without_embedding
    assert abs((flops.projections + flops.feed_forward) / (6 * N) - 1) < 0.005


test_what_is_refused = refusals(
    ("n must be an integer of 1 or more, got 0", lambda: forward_flops(configuration(), 0)),
    ("batch must be an integer of 1 or more", lambda: forward_flops(configuration(), 3, batch=0)),
    ("n_source is for an encoder-decoder", lambda: forward_flops(configuration(), 3, 4)),
    (
        "n_source must be an integer of 1 or more, got 0",
        lambda: training_flops(configuration("encoder-decoder"), 3),
    ),
    ("n must be an integer of 1 or more, got 0", lambda: decoding_flops(configuration(), -1)),
    (
        "config must be of a model with a decoder",
        lambda: decoding_flops(configuration("encoder"), 3),
    ),
)
