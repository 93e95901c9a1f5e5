"""What the families ask of the formulas, with numbers worked by hand."""

import numpy as np
import pytest

import transformer_lib as tl
from tests.conftest import Backend
from tests.refusals import refusals


def test_rotary_in_halves_turns_other_pairs(backend: Backend) -> None:
    X = np.random.default_rng(0).normal(size=(3, 6))
    positions = backend(np.array([4, 0, 7]))
    order = [0, 2, 4, 1, 3, 5]  # first of all pairs, then their seconds
    halves = tl.rotary(backend(X[:, order]), positions, halves=True)
    np.testing.assert_allclose(halves, np.asarray(tl.rotary(backend(X), positions))[:, order])
    turned = tl.rotary(backend(np.array([[1.0, 0, 0, 0]])), backend(np.array([1])), halves=True)
    np.testing.assert_allclose(turned, [[np.cos(1), 0, np.sin(1), 0]])


def test_sines_come_before_cosines_in_halves() -> None:
    angles = np.array([[0.0, 0.0], [1.0, 0.01]])
    expected = np.concatenate([np.sin(angles), np.cos(angles)], axis=-1)
    np.testing.assert_allclose(tl.sinusoidal(2, 4, halves=True), expected)
    assert tl.sinusoidal(2, 3, halves=True).shape == (2, 3)


def test_a_window_lets_each_token_see_so_many(backend: Backend) -> None:
    mask = np.asarray(tl.causal_mask(4, window=2, like=backend(np.empty(0))))
    assert mask.astype(int).tolist() == [[1, 0, 0, 0], [1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]
    last = tl.causal_mask(1, window=3, offset=4)
    assert last.astype(int).tolist() == [[0, 0, 1, 1, 1]]
    assert np.array_equal(tl.causal_mask(4, window=4), tl.causal_mask(4))


def heads(h_kv: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(h_kv)
    shapes = {"W_Q": (5, 12), "W_K": (5, 3 * h_kv), "W_V": (5, 2 * h_kv), "W_O": (8, 5)}
    shapes |= {"b_Q": (12,), "b_K": (3 * h_kv,), "b_V": (2 * h_kv,)}
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


@pytest.mark.parametrize("h_kv", [1, 2])
def test_a_group_shares_its_keys_and_values(h_kv: int, backend: Backend) -> None:
    """As if the columns of each shared head stood once for every head of its group."""
    X = np.random.default_rng(9).normal(size=(2, 4, 5))
    arrays = heads(h_kv)
    group = 4 // h_kv
    wide = arrays | {
        name: np.concatenate(
            [np.split(arrays[name], h_kv, axis=-1)[i // group] for i in range(4)], axis=-1
        )
        for name in ("W_K", "W_V", "b_K", "b_V")
    }
    given, same = ({n: backend(x) for n, x in each.items()} for each in (arrays, wide))
    x = backend(X)
    steps = tl.multi_head_attention_steps(x, x, **given, h=4, h_kv=h_kv)
    expected = tl.multi_head_attention_steps(x, x, **same, h=4)
    np.testing.assert_allclose(steps.output, expected.output, rtol=1e-12, atol=1e-12)
    assert steps.K.shape == (2, h_kv, 4, 3) and steps.V.shape == (2, h_kv, 4, 2)
    half = {"past": (steps.K[..., :2, :], steps.V[..., :2, :])}
    rest = tl.multi_head_attention(x[:, 2:], x[:, 2:], **given, h=4, h_kv=h_kv, **half)
    np.testing.assert_allclose(rest, expected.output[:, 2:], rtol=1e-12, atol=1e-12)


WEIGHTS = {name: x for name, x in heads(2).items() if name.startswith("W")} | {"h_kv": 2}
test_bad_groups = refusals(
    ("h must be a multiple of h_kv, got 4 and 3", {"h_kv": 3}),
    (r"W_K must have as many columns \(h d_k\) as W_Q, over 2", {"W_K": np.ones((5, 4))}),
    ("W_O must have as many rows as W_V has columns, times 2", {"W_O": np.ones((4, 5))}),
    ("divisor must be positive", {"divisor": 0.0}),
    of=lambda bad: tl.multi_head_attention(np.ones((3, 5)), np.ones((3, 5)), h=4, **WEIGHTS | bad),
)


def test_a_tied_head_may_have_a_bias() -> None:
    hidden, E = np.array([[1.0, 2.0]]), np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 1.0]])
    assert tl.tied_logits(hidden, E, np.array([10.0, 20.0, 30.0])).tolist() == [[11, 22, 35]]
