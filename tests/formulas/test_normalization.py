import math
from functools import partial
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F

import transformer_lib as tl
from tests.refusals import refusals

RNG = np.random.default_rng(5)
NORMS = (tl.layer_norm, tl.rms_norm)
X, GAIN, BIAS = RNG.normal(size=(2, 3, 5)), RNG.normal(size=5), RNG.normal(size=5)


def test_both_equal_torch(backend: Any) -> None:
    x, gain, bias = map(torch.from_numpy, (X, GAIN, BIAS))
    found = tl.layer_norm(*map(backend, (X, GAIN, BIAS)), eps=0.1)
    np.testing.assert_allclose(found, F.layer_norm(x, (5,), gain, bias, 0.1), rtol=1e-10)
    found = tl.rms_norm(*map(backend, (X, GAIN)), eps=0.1)
    np.testing.assert_allclose(found, F.rms_norm(x, (5,), gain, 0.1), rtol=1e-10)


def test_every_step_has_its_shape_and_its_value(backend: Any) -> None:
    steps = tl.layer_norm_steps(backend(X), backend(GAIN), backend(BIAS), eps=0.0)
    mean, variance, normalized, output = map(np.asarray, steps)
    np.testing.assert_allclose(mean, X.mean(-1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(variance, X.var(-1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(normalized.mean(-1), np.zeros((2, 3)), atol=1e-12)
    np.testing.assert_allclose(normalized.var(-1), np.ones((2, 3)), atol=1e-12)
    np.testing.assert_allclose(output, normalized * GAIN + BIAS, atol=1e-12)


def test_constant_rows(backend: Any) -> None:
    np.testing.assert_array_equal(tl.layer_norm(backend([[7.0, 7.0]])), [[0.0, 0.0]])
    np.testing.assert_array_equal(tl.rms_norm(backend([[0.0, 0.0]])), [[0.0, 0.0]])


def test_pre_and_post_norm(backend: Any) -> None:
    def double(x: Any) -> Any:
        return 2 * x

    x = backend(X)
    pre = tl.sublayer_steps(x, double, tl.layer_norm, "pre")
    np.testing.assert_allclose(pre.entered, tl.layer_norm(X), atol=1e-12)
    np.testing.assert_allclose(pre.output, X + 2 * tl.layer_norm(X), atol=1e-12)
    post = tl.sublayer_steps(x, double, tl.layer_norm, "post")
    np.testing.assert_allclose(post.entered, X)
    np.testing.assert_allclose(post.summed, 3 * X, atol=1e-12)
    np.testing.assert_allclose(post.output, tl.layer_norm(3 * X), atol=1e-12)
    np.testing.assert_allclose(tl.sublayer(x, double, tl.layer_norm), pre.output)


def test_dropout_acts_on_what_a_sublayer_adds() -> None:
    steps = tl.sublayer_steps(X, tl.layer_norm, lambda x: x, "post", dropout=lambda x: 0 * x)
    np.testing.assert_array_equal(steps.change, 0 * X)
    np.testing.assert_array_equal(steps.output, X)


EPS = "eps must be 0 or more and finite"
test_bad_input = refusals(
    *((EPS, partial(norm, X, eps=eps)) for norm in NORMS for eps in (-1.0, math.nan, math.inf)),
    *(("X must have a last axis of length 1 or more", partial(norm, X[..., :0])) for norm in NORMS),
    *(("X must have at least 1 axes", partial(norm, np.array(1.0))) for norm in NORMS),
    (
        r"change must have shape \(2, 3, 5\)",
        lambda: tl.sublayer(X, lambda rows: rows[..., :2], tl.rms_norm),
    ),
)
