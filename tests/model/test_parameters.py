"""Which parameters a configuration asks for, and that a model hands its attention on."""

from typing import Any

import numpy as np
import pytest

import transformer_lib as tl

SMALL: dict[str, Any] = dict(vocabulary_size=11, d_model=8, heads=4, layers=1, d_ff=12)


def names(**switches: Any) -> set[str]:
    """The last parts of the names of all parameters."""
    config = tl.Configuration(**SMALL | switches)
    return {name.rpartition(".")[2] for name in tl.parameter_shapes(config)}


def test_a_model_without_biases_has_none() -> None:
    weights = {"tokens", "W_Q", "W_K", "W_V", "W_O", "W_1", "W_2"}
    biases = {"b_Q", "b_K", "b_V", "b_O", "b_1", "b_2", "bias"}
    assert names(kind="decoder", bias=False) == weights | {"gain"}
    assert names(kind="decoder", bias=True) == weights | {"gain"} | biases
    assert names(kind="decoder", bias=True, norm="rms") == weights | {"gain"} | biases - {"bias"}
    untied = dict(kind="decoder", tied=False, norm="rms")
    assert names(**untied, bias=False) == weights | {"gain", "W"}
    assert names(**untied, bias=True) == weights | {"gain", "W", "b"} | biases - {"bias"}


def test_source_and_target_have_tables_of_their_own_sizes() -> None:
    config = tl.Configuration(**SMALL, kind="encoder-decoder", source_vocabulary_size=13)
    shapes = tl.parameter_shapes(config)
    assert shapes["embedding.tokens"] == (11, 8)
    assert shapes["source_embedding.tokens"] == (13, 8)
    assert not any("cross" in name for name in shapes if name.startswith("encoder"))


def no_attention(*given: Any, **options: Any) -> tl.AttentionSteps:
    steps = tl.attention_steps(*given, **options)
    return steps._replace(output=0 * steps.output)


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
def test_the_attention_given_is_the_one_that_runs(kind: str) -> None:
    config = tl.Configuration(**SMALL, kind=kind, bias=False)
    rng = np.random.default_rng(0)
    arrays = {name: rng.normal(size=shape) for name, shape in tl.parameter_shapes(config).items()}
    X = rng.normal(size=(3, 8))
    prefix = f"{kind}.layers.0."
    silent = arrays | {f"{prefix}self_attention.W_O": np.zeros((8, 8))}
    stack = tl.encoder if kind == "encoder" else tl.decoder
    for run, options in ((tl.layer, {"prefix": prefix}), (stack, {})):
        given = run(arrays, config, X, attend=no_attention, **options)
        np.testing.assert_allclose(given, run(silent, config, X, **options), rtol=1e-12)
    ids = np.array([3, 9, 1])
    np.testing.assert_allclose(
        tl.forward(arrays, config, ids, attend=no_attention),
        tl.forward(silent, config, ids),
        rtol=1e-12,
    )
