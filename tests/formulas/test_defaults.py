"""What an argument is when it is left out: said once here, because other tests give it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import transformer_lib as tl

RNG = np.random.default_rng(47)
X = RNG.normal(size=(3, 6))
PLACES = np.array([4, 5, 6])
TABLE = RNG.normal(size=(5, 4))

DEFAULTS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "layer_norm": (lambda **options: tl.layer_norm(X, **options), dict(eps=1e-5)),
    "layer_norm_steps": (lambda **options: tl.layer_norm_steps(X, **options)[-1], dict(eps=1e-5)),
    "rms_norm": (lambda **options: tl.rms_norm(X, **options), dict(eps=1e-5)),
    "rotary": (lambda **options: tl.rotary(X, PLACES, **options), dict(base=10_000.0)),
    "frequencies": (lambda **options: tl.frequencies(6, **options), dict(base=10_000.0)),
    "sinusoidal": (
        lambda **options: tl.sinusoidal(3, 6, **options),
        dict(base=10_000.0, offset=0),
    ),
    "sinusoidal_rotation": (
        lambda **options: tl.sinusoidal_rotation(2, 6, **options),
        dict(base=10_000.0),
    ),
    "learned_positions": (
        lambda **options: tl.learned_positions(TABLE, 3, **options),
        dict(offset=0),
    ),
    "causal_mask": (lambda **options: tl.causal_mask(3, **options), dict(offset=0)),
    "alibi_bias": (lambda **options: tl.alibi_bias(3, 4, 2, **options), dict(offset=0)),
    "relative_buckets": (
        lambda **options: tl.relative_buckets(2, 200, **options),
        dict(bidirectional=True, buckets=32, max_distance=128, offset=0),
    ),
    "softmax": (lambda **options: tl.softmax(X, **options), dict(axis=-1)),
    "log_softmax": (lambda **options: tl.log_softmax(X, **options), dict(axis=-1)),
    "cross_entropy": (
        lambda **options: tl.cross_entropy(X, np.array([0, 2, 2]), **options),
        dict(label_smoothing=0.0),
    ),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_is_what_the_docstring_says(name: str) -> None:
    call, default = DEFAULTS[name]
    np.testing.assert_allclose(call(), call(**default), rtol=1e-15, atol=0)


@pytest.mark.parametrize(("base", "k"), [(100.0, 1), (7.0, 3)])
def test_another_base_turns_other_angles(base: float, k: int) -> None:
    angles = k / base ** (np.arange(3) / 3)
    encoded = tl.sinusoidal(1, 6, base=base, offset=k)[0]
    np.testing.assert_allclose(encoded[0::2], np.sin(angles), atol=1e-12)
    np.testing.assert_allclose(encoded[1::2], np.cos(angles), atol=1e-12)
    rotation = tl.sinusoidal_rotation(k, 6, base=base)
    turned = tl.sinusoidal(1, 6, base=base, offset=5) @ rotation.T
    np.testing.assert_allclose(turned, tl.sinusoidal(1, 6, base=base, offset=5 + k), atol=1e-12)


BAD: dict[str, Callable[[], Any]] = {
    "offset must be an integer of 0 or more, got -3": lambda: tl.learned_positions(
        TABLE, 2, offset=-3
    ),
    "offset must be an integer of 0 or more, got -4": lambda: tl.alibi_bias(3, 4, 2, offset=-4),
    "offset must be an integer of 0 or more, got -5": lambda: tl.relative_buckets(2, 3, offset=-5),
}


@pytest.mark.parametrize("message", BAD)
def test_a_number_out_of_range_is_named(message: str, unhooked: None) -> None:
    with pytest.raises(ValueError, match=message):
        BAD[message]()
