"""Layers, stacks and the whole model on dictionaries of numpy arrays, without torch's modules."""

from functools import partial
from typing import Any

import numpy as np

import transformer_lib as tl
from tests.refusals import refusals

RNG = np.random.default_rng(7)
X, MEMORY = RNG.normal(size=(2, 3, 8)), RNG.normal(size=(2, 5, 8))
SMALL: dict[str, Any] = dict(vocabulary_size=9, d_model=8, heads=4, layers=2, d_ff=12)
CONFIG = tl.Configuration(kind="encoder-decoder", position="t5", place="pre", **SMALL)
PARAMETERS = {name: RNG.normal(size=shape) for name, shape in tl.parameter_shapes(CONFIG).items()}


def test_stacks_chain_layers_under_one_bias_and_end_in_a_norm() -> None:
    table = PARAMETERS["encoder.relative_positions"]
    bias = tl.relative_bias(table, tl.relative_buckets(3, 3, like=X))
    stream = X
    for i in range(2):
        stream = tl.layer(PARAMETERS, CONFIG, stream, bias=bias, prefix=f"encoder.layers.{i}.")
    result = tl.encoder(PARAMETERS, CONFIG, X)
    norm = {name: PARAMETERS[f"encoder.norm.{name}"] for name in ("gain", "bias")}
    np.testing.assert_allclose(result, tl.layer_norm(stream, **norm), atol=1e-12)


def test_a_decoder_spends_all_its_buckets_on_the_past() -> None:
    config = tl.Configuration(
        kind="decoder",
        position="t5",
        buckets=4,
        max_distance=6,
        place="post",
        **SMALL | {"layers": 1},
    )
    rows, table = RNG.normal(size=(5, 8)), RNG.normal(size=(4, 4))
    parameters = PARAMETERS | {"decoder.relative_positions": table}
    buckets = tl.relative_buckets(5, 5, like=rows, bidirectional=False, buckets=4, max_distance=6)
    given = {"bias": tl.relative_bias(table, buckets), "mask": tl.causal_mask(5, like=rows)}
    expected = tl.layer(parameters, config, rows, **given, prefix="decoder.layers.0.")
    np.testing.assert_allclose(tl.decoder(parameters, config, rows), expected, atol=1e-12)


def test_one_sequence_without_a_batch_and_empty_sequences() -> None:
    ids, source = np.array([3, 8, 0]), np.array([1, 2])
    batched = tl.forward(PARAMETERS, CONFIG, ids[None], source[None])
    np.testing.assert_allclose(tl.forward(PARAMETERS, CONFIG, ids, source), batched[0], atol=1e-9)
    nothing = tl.forward(PARAMETERS, CONFIG, ids, source[:0])
    assert nothing.shape == (3, 9) and np.isfinite(nothing).all()
    assert tl.forward(PARAMETERS, CONFIG, ids[:0], source).shape == (0, 9)


def refuse(message: str, call: Any, *given: Any, **options: Any) -> tuple[str, Any]:
    """A case of refusals: a function of a model is called with what does not fit."""
    return message, lambda: call(PARAMETERS, CONFIG, *given, **options)


IDS, IN_LAYER = np.array([1]), partial(tl.layer, prefix="decoder.layers.0.")
WIDE, FLOATS = np.ones((4, 4), dtype=bool), np.ones((3, 3))
test_bad_input = refusals(
    refuse("X must be a numpy array", IN_LAYER, X.tolist()),
    refuse("memory must have at least 2 axes", IN_LAYER, X, MEMORY[0, 0]),
    refuse("mask must be boolean", IN_LAYER, X, mask=FLOATS),
    refuse(
        r"^mask must broadcast to \(2, 3, 3\), got shape \(4, 4\)", tl.decoder, X, MEMORY, mask=WIDE
    ),
    refuse(r"mask must broadcast to \(2, 3, 3\)", IN_LAYER, X, mask=WIDE),
    refuse(r"bias must broadcast to \(2, 4, 3, 3\)", IN_LAYER, X, bias=np.ones((4, 4))),
    ("parameters must contain 'self_attention.W_Q' of shape", lambda: tl.layer({}, CONFIG, X)),
    refuse("X must have at least 2 axes, got", IN_LAYER, X[0, 0]),
    refuse("X must have at least 2 axes, got", tl.encoder, X[0, 0]),
    refuse("mask must be a numpy array", tl.decoder, X, mask=[True]),
    refuse("cache must have one entry per layer, 2, got 3", tl.decoder, X, cache=tl.Cache.empty(3)),
    refuse("source must be a numpy array", tl.forward, IDS, [1]),
    refuse(
        r"source_mask must have shape \(4,\), got",
        tl.forward,
        IDS,
        np.arange(4),
        source_mask=WIDE[0, :3],
    ),
    refuse("source_mask must be boolean", tl.forward, IDS, np.arange(4), source_mask=np.ones(4)),
)
