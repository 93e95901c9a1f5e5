import math
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import transformer_lib as tl

RNG = np.random.default_rng(5)
X, GAIN, BIAS = RNG.normal(size=(2, 3, 5)), RNG.normal(size=5), RNG.normal(size=5)


def test_layer_norm_equals_loops_in_plain_python(backend: Any) -> None:
    result = tl.layer_norm(backend(X), backend(GAIN), backend(BIAS), eps=0.1)
    for b, n in np.ndindex(2, 3):
        row = X[b, n].tolist()
        mean = sum(row) / 5
        variance = sum((x - mean) ** 2 for x in row) / 5
        for c in range(5):
            expected = (row[c] - mean) / math.sqrt(variance + 0.1) * GAIN[c] + BIAS[c]
            assert float(result[b, n, c]) == pytest.approx(expected, abs=1e-12)


def test_layer_norm_equals_torch_forward_and_gradient() -> None:
    module = torch.nn.LayerNorm(5, eps=1e-3, dtype=torch.float64)
    with torch.no_grad():
        module.weight.copy_(torch.from_numpy(GAIN))
        module.bias.copy_(torch.from_numpy(BIAS))
    a, b = (torch.from_numpy(X).requires_grad_() for _ in range(2))
    gain, bias = (torch.from_numpy(x).requires_grad_() for x in (GAIN, BIAS))
    ours, expected = tl.layer_norm(a, gain, bias, eps=1e-3), module(b)
    torch.testing.assert_close(ours, expected, rtol=1e-10, atol=1e-10)
    ours.pow(3).sum().backward()
    expected.pow(3).sum().backward()
    pairs = ((a, b), (gain, module.weight), (bias, module.bias))
    for one, other in pairs:
        torch.testing.assert_close(one.grad, other.grad, rtol=1e-10, atol=1e-10)


def test_rms_norm_equals_torch() -> None:
    module = torch.nn.RMSNorm(5, eps=1e-3, dtype=torch.float64)
    with torch.no_grad():
        module.weight.copy_(torch.from_numpy(GAIN))
    ours = tl.rms_norm(torch.from_numpy(X), torch.from_numpy(GAIN), eps=1e-3)
    torch.testing.assert_close(ours, module(torch.from_numpy(X)), rtol=1e-10, atol=1e-10)


def test_every_step_has_its_shape_and_its_value(backend: Any) -> None:
    steps = tl.layer_norm_steps(backend(X), backend(GAIN), backend(BIAS), eps=0.0)
    mean, variance, normalized, output = map(np.asarray, steps)
    np.testing.assert_allclose(mean, X.mean(-1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(variance, X.var(-1, keepdims=True), atol=1e-12)
    np.testing.assert_allclose(normalized.mean(-1), np.zeros((2, 3)), atol=1e-12)
    np.testing.assert_allclose(normalized.var(-1), np.ones((2, 3)), atol=1e-12)
    np.testing.assert_allclose(output, normalized * GAIN + BIAS, atol=1e-12)


rows = arrays(np.float64, (3, 4), elements=st.floats(-100, 100))


@given(rows, st.floats(-50, 50), st.floats(0.5, 2.0))
def test_layer_norm_forgets_shift_and_rms_norm_forgets_scale(x: Any, c: float, s: float) -> None:
    np.testing.assert_allclose(tl.layer_norm(x + c, eps=1.0), tl.layer_norm(x, eps=1.0), atol=1e-9)
    alive = (x * x).sum(-1) > 1e-3
    scaled = tl.rms_norm(s * x[alive], eps=0.0)
    np.testing.assert_allclose(scaled, tl.rms_norm(x[alive], eps=0.0), atol=1e-9)


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


def test_bad_input(unhooked: None, backend: Any) -> None:
    x = backend(X)
    with pytest.raises(ValueError, match=r"gain must have shape \(5,\), got shape \(4,\)"):
        tl.layer_norm(x, backend(GAIN[:4]))
    with pytest.raises(ValueError, match=r"bias must have shape \(5,\)"):
        tl.layer_norm(x, None, backend(X))
    with pytest.raises(ValueError, match=r"gain must have shape \(5,\)"):
        tl.rms_norm(x, backend(GAIN[:4]))
    for norm in (tl.layer_norm, tl.rms_norm):
        for eps in (-1.0, math.nan, math.inf):
            with pytest.raises(ValueError, match="eps must be 0 or more and finite"):
                norm(x, eps=eps)
        with pytest.raises(ValueError, match="X must have a width of at least 1"):
            norm(x[..., :0])
        with pytest.raises(ValueError, match="X must have at least 1 axes"):
            norm(backend(1.0))
    with pytest.raises(ValueError, match=r"change must have shape \(2, 3, 5\)"):
        tl.residual(x, x[:1])
    with pytest.raises(ValueError, match="place must be 'pre' or 'post', got 'before'"):
        tl.sublayer(x, tl.relu, tl.rms_norm, "before")
    with pytest.raises(ValueError, match=r"change must have shape \(2, 3, 5\)"):
        tl.sublayer(x, lambda rows: rows[..., :2], tl.rms_norm)
