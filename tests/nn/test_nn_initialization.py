import math
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from transformer_lib import nn


def configuration(**changes: Any) -> nn.Configuration:
    fields: dict[str, Any] = dict(kind="decoder", vocabulary_size=900, d_model=64, heads=4)
    return nn.Configuration(**(fields | dict(layers=3, d_ff=96) | changes))


def test_the_seed_alone_decides() -> None:
    state = torch.get_rng_state()
    one, same, other = (nn.Transformer(configuration(), seed=s).state_dict() for s in (1, 1, 2))
    assert torch.equal(torch.get_rng_state(), state)
    assert all(torch.equal(one[name], same[name]) for name in one)
    assert not torch.equal(one["embedding.tokens"], other["embedding.tokens"])


def test_no_two_matrices_start_alike() -> None:
    state = nn.Transformer(configuration(kind="encoder-decoder"), seed=0).state_dict()
    squares = [value for value in state.values() if value.shape == (64, 64)]
    assert len(squares) == 3 * 3 * 4 - 3 * 4 + 3 * 4
    firsts = {round(float(value[0, 0]), 7) for value in squares}
    assert len(firsts) == len(squares)


@pytest.mark.parametrize("place", ["pre", "post"])
def test_matrices_are_uniform_within_the_bound_of_glorot(place: str) -> None:
    state = nn.Transformer(configuration(place=place), seed=0).state_dict()
    shrink = math.sqrt(2 * 3) if place == "pre" else 1.0
    for name, expected in {
        "self_attention.W_Q": math.sqrt(6 / 128),
        "self_attention.W_O": math.sqrt(6 / 128) / shrink,
        "feed_forward.W_1": math.sqrt(6 / 160),
        "feed_forward.W_2": math.sqrt(6 / 160) / shrink,
    }.items():
        value = state[f"decoder.layers.1.{name}"]
        assert float(value.abs().max()) == pytest.approx(expected, rel=0.01)
        assert float(value.std()) == pytest.approx(expected / math.sqrt(3), rel=0.05)


def test_an_encoder_decoder_shrinks_by_the_three_sublayers_of_each_decoder_layer() -> None:
    config = configuration(kind="encoder-decoder", place="pre")
    state = nn.Transformer(config, seed=0).state_dict()
    for name, width in {
        "self_attention.W_O": 64,
        "cross_attention.W_O": 64,
        "feed_forward.W_2": 96,
    }.items():
        expected = math.sqrt(6 / (64 + width)) / math.sqrt(3 * 3)
        value = state[f"decoder.layers.2.{name}"]
        assert float(value.abs().max()) == pytest.approx(expected, rel=0.01)


def test_gains_are_1_and_biases_0() -> None:
    state = nn.Transformer(configuration(place="pre", tied=False), seed=0).state_dict()
    for name, value in state.items():
        last = name.split(".")[-1]
        if last == "gain":
            assert (value == 1).all()
        elif value.ndim == 1:
            assert (value == 0).all(), name


def test_embeddings_have_the_deviation_of_their_scale() -> None:
    for scaled, expected in ((True, 64**-0.5), (False, 0.02)):
        config = configuration(scale_embedding=scaled, position="learned")
        embedding = nn.Embedding(config, seed=0)
        assert float(embedding.tokens.detach().std()) == pytest.approx(expected, rel=0.02)
        assert float(embedding.positions.detach().std()) == pytest.approx(0.02, rel=0.02)
    table = nn.Encoder(configuration(position="t5"), seed=0).relative_positions
    assert float(table.detach().std()) == pytest.approx(64**-0.5, rel=0.15)


@pytest.mark.parametrize(
    "switches",
    [
        {"kind": "encoder-decoder", "place": "pre", "source_vocabulary_size": 700},
        {"kind": "decoder", "position": "t5", "tied": False, "scale_embedding": False},
        {"kind": "encoder", "position": "learned", "classes": 5, "token_types": 2},
    ],
    ids=lambda switches: switches["kind"],
)
def test_numpy_parameters_begin_by_the_same_rule(switches: dict[str, Any]) -> None:
    config = configuration(**switches)
    drawn = tl.initial_parameters(config, np.random.default_rng(0))
    state = nn.Transformer(config, seed=0).state_dict()
    assert {name: x.shape for name, x in drawn.items()} == tl.parameter_shapes(config)
    assert drawn.keys() == state.keys()
    for name, x in drawn.items():
        theirs = state[name].double()
        if x.ndim == 1 or x.std() == 0:
            assert (x == theirs.numpy()).all(), name
        else:
            few = 5 / math.sqrt(x.size)  # five standard errors of a deviation, or more
            assert x.std() == pytest.approx(float(theirs.std(correction=0)), rel=few), name
            assert abs(x).max() <= 2 * float(theirs.abs().max()), name


def test_numpy_parameters_are_those_of_their_generator() -> None:
    config = configuration(kind="decoder", layers=1)
    one, same, other = (
        tl.initial_parameters(config, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    name = "decoder.layers.0.self_attention.W_Q"
    assert (one[name] == same[name]).all() and not (one[name] == other[name]).any()
    assert not (one[name] == one["decoder.layers.0.self_attention.W_K"]).any()
