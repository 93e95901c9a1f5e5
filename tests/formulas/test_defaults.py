"""What an argument is when it is left out: said once here, because other tests give it."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

import transformer_lib as tl

RNG = np.random.default_rng(47)
X = RNG.normal(size=(3, 6))

DEFAULTS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "layer_norm": (partial(tl.layer_norm, X), dict(eps=1e-5)),
    "layer_norm_steps": (lambda **options: tl.layer_norm_steps(X, **options)[-1], dict(eps=1e-5)),
    "feed_forward": (partial(tl.feed_forward, X, X.T, X), dict(activation=tl.relu)),
    "rms_norm": (partial(tl.rms_norm, X), dict(eps=1e-5)),
    "rotary": (partial(tl.rotary, X, np.array([4, 5, 6])), dict(base=10_000.0)),
    "frequencies": (partial(tl.frequencies, 6), dict(base=10_000.0)),
    "sinusoidal": (partial(tl.sinusoidal, 3, 6), dict(base=10_000.0, offset=0)),
    "sinusoidal_rotation": (partial(tl.sinusoidal_rotation, 2, 6), dict(base=10_000.0)),
    "learned_positions": (partial(tl.learned_positions, X, 2), dict(offset=0)),
    "causal_mask": (partial(tl.causal_mask, 3), dict(offset=0)),
    "alibi_bias": (partial(tl.alibi_bias, 3, 4, 2), dict(offset=0)),
    "relative_buckets": (
        partial(tl.relative_buckets, 2, 200),
        dict(bidirectional=True, buckets=32, max_distance=128, offset=0),
    ),
    "softmax": (partial(tl.softmax, X), dict(axis=-1)),
    "log_softmax": (partial(tl.log_softmax, X), dict(axis=-1)),
    "cross_entropy": (partial(tl.cross_entropy, X, np.array([0, 2, 2])), dict(label_smoothing=0.0)),
}


@pytest.mark.parametrize("name", DEFAULTS)
def test_the_default_is_what_the_docstring_says(name: str) -> None:
    call, default = DEFAULTS[name]
    np.testing.assert_allclose(call(), call(**default), rtol=1e-15, atol=0)
