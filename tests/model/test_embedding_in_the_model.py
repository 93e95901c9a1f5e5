"""What the configuration says of positions reaches the logits of a whole model."""

from typing import Any

import numpy as np

import transformer_lib as tl

RNG = np.random.default_rng(41)
SMALL: dict[str, Any] = dict(kind="decoder", vocabulary_size=7, d_model=8, heads=2, d_ff=5)
IDS = np.array([3, 0, 6, 2, 2])


def parameters_of(config: tl.Configuration) -> dict[str, Any]:
    return {name: RNG.normal(size=shape) for name, shape in tl.parameter_shapes(config).items()}


def test_sinusoidal_positions_take_the_base_of_the_configuration() -> None:
    config = tl.Configuration(layers=0, base=100.0, **SMALL)
    parameters = parameters_of(config)
    E = parameters["embedding.tokens"]
    entered = tl.embed(IDS, E, scale=True) + tl.sinusoidal(5, 8, like=E, base=100.0)
    np.testing.assert_allclose(tl.forward(parameters, config, IDS), entered @ E.T, atol=1e-9)


def test_rotary_positions_take_the_base_of_the_configuration() -> None:
    config = tl.Configuration(layers=1, position="rotary", base=100.0, place="post", **SMALL)
    parameters = parameters_of(config)

    def under(name: str) -> dict[str, Any]:
        prefix = f"decoder.layers.0.{name}."
        return {n.removeprefix(prefix): x for n, x in parameters.items() if n.startswith(prefix)}

    E = parameters["embedding.tokens"]
    X = tl.embed(IDS, E, scale=True)
    mask = tl.causal_mask(5, like=E)
    attended = tl.multi_head_attention(
        X, X, **under("self_attention"), mask=mask, h=2, rotary_base=100.0
    )
    X = tl.layer_norm(X + attended, **under("self_attention_norm"))
    X = tl.layer_norm(X + tl.feed_forward(X, **under("feed_forward")), **under("feed_forward_norm"))
    np.testing.assert_allclose(tl.forward(parameters, config, IDS), X @ E.T, atol=1e-9)


def test_no_scale_and_learned_positions() -> None:
    config = tl.Configuration(
        layers=0, position="learned", max_length=6, scale_embedding=False, **SMALL
    )
    parameters = parameters_of(config)
    E, P = parameters["embedding.tokens"], parameters["embedding.positions"]
    expected = (E[IDS] + P[:5]) @ E.T
    np.testing.assert_allclose(tl.forward(parameters, config, IDS), expected, atol=1e-9)
