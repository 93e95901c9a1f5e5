"""The cache of a model: it changes nothing, and it does not grow without bound."""

import dataclasses
import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest

import transformer_lib as tl

RNG = np.random.default_rng(43)
CONFIG = tl.Configuration(
    kind="decoder", vocabulary_size=5, d_model=64, heads=2, layers=2, d_ff=8, position="none"
)
PARAMETERS = {name: RNG.normal(size=shape) for name, shape in tl.parameter_shapes(CONFIG).items()}
TEXT = RNG.integers(0, 5, size=64).tolist()


def held_after(prefixes: Any) -> int:
    """Return how many bytes of arrays stay once the logits of all prefixes are known."""
    next_logits = tl.cached_next_logits(PARAMETERS, CONFIG)
    next_logits(TEXT[:1])  # whatever is made once
    tracemalloc.start()
    try:
        for prefix in prefixes:
            next_logits(prefix)
        gc.collect()
        of_arrays = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
        left = tracemalloc.take_snapshot().filter_traces([of_arrays])
        return sum(each.size for each in left.traces)
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", ["decoder", "encoder-decoder"])
def test_forward_fills_the_cache_that_it_is_given_and_goes_on_from_it(kind: str) -> None:
    config = dataclasses.replace(CONFIG, kind=kind)
    made = {name: RNG.normal(size=shape) for name, shape in tl.parameter_shapes(config).items()}
    ids, cache = np.array(TEXT[:9]), tl.Cache.empty(config.layers)
    source = ids[:4] if config.has_encoder else None
    halves = [tl.forward(made, config, part, source, cache=cache) for part in (ids[:5], ids)]
    assert cache.length == 9 and (cache.memory is not None) == config.has_encoder
    whole = tl.forward(made, config, ids, source)
    np.testing.assert_allclose(np.concatenate(halves), whole, rtol=0, atol=1e-12)


def test_the_cache_of_one_text_grows_with_its_length_not_with_its_square() -> None:
    at_once = held_after([TEXT])
    # Keys and values: two of (64, 64) a layer, in doubles.
    assert at_once >= 2 * 2 * 64 * 64 * 8
    # The prefix before the last may be kept too; 64 kept prefixes would be 32 times as much.
    assert held_after([TEXT[:n] for n in range(1, 65)]) < 3 * at_once


def test_beams_of_one_length_keep_no_shorter_prefix() -> None:
    starts = [[first, *TEXT[1:]] for first in range(4)]
    beams = [beam[:n] for n in range(1, 65) for beam in starts]
    assert held_after(beams) < 3 * held_after(starts)
