"""What a formula hands on to the functions inside it arrives there."""

from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from transformer_lib.formulas.position import sines_and_cosines

X = np.arange(6.0).reshape(3, 2)


def same(rows: Any) -> Any:
    return rows


def nothing(rows: Any) -> Any:
    return 0 * rows


def once(rows: Any) -> Any:
    return rows + 1


def test_dropout_reaches_every_sublayer() -> None:
    np.testing.assert_array_equal(tl.encoder_layer(X, once, once, same, same, dropout=nothing), X)
    np.testing.assert_array_equal(
        tl.decoder_layer(X, once, once, once, same, same, same, dropout=nothing), X
    )


@pytest.mark.parametrize("stack", [tl.encoder_stack, tl.decoder_stack])
def test_a_stack_hands_positions_on_and_checks_its_arrays(unhooked: None, stack: Any) -> None:
    seen: list[Any] = []

    def layer(X: Any, positions: Any = None, **_: Any) -> Any:
        seen.append(positions)
        return X

    positions = np.array([0, 2, 5])
    stack(X, [layer], positions=positions)
    assert seen == [positions]
    with pytest.raises(ValueError, match="X must have at least 2 axes"):
        stack(X[0], [layer])
    for name in ("mask", "bias"):
        with pytest.raises(ValueError, match=f"{name} is from torch"):
            stack(X, [layer], **{name: torch.ones(3, 3, dtype=torch.bool)})


def random_heads() -> tuple[list[np.ndarray], dict[str, Any]]:
    """Return rows and weights of two heads of width 4."""
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(3, 6))
    return [rows, rows, *rng.normal(size=(3, 6, 8)), rng.normal(size=(8, 6))], {"h": 2}


def test_multi_head_attention_turns_by_the_positions_given() -> None:
    arrays, options = random_heads()
    positions = np.array([0, 2, 5])
    steps = tl.multi_head_attention_steps(
        *arrays, **options, rotary_base=100.0, positions=positions
    )
    plain = tl.multi_head_attention_steps(*arrays, **options)
    np.testing.assert_array_equal(steps.Q, tl.rotary(plain.Q, positions, base=100.0))
    np.testing.assert_array_equal(steps.K, tl.rotary(plain.K, positions, base=100.0))


def test_multi_head_attention_attends_with_the_function_given() -> None:
    arrays, options = random_heads()
    steps = tl.multi_head_attention_steps(
        *arrays,
        **options,
        attend=lambda *given, **more: tl.attention_steps(*given, **more, divisor=9),
    )
    np.testing.assert_array_equal(steps.scaled, steps.scores / 9)


def test_a_past_that_does_not_fit_is_named(unhooked: None) -> None:
    arrays, options = random_heads()
    past = (np.ones((2, 5, 4)), np.ones((2, 5, 4)))
    continued = tl.multi_head_attention_steps(*arrays, **options, past=past)
    assert continued.weights.shape == (2, 3, 8)
    for K, V, message in (
        (np.ones((2, 5, 3)), past[1], r"past_K must have shape \(2, 5, 4\)"),
        (past[0], np.ones((2, 6, 4)), r"past_V must have shape \(2, 5, 4\)"),
        (torch.ones(2, 5, 4), past[1], "past_K is from torch"),
    ):
        with pytest.raises(ValueError, match=message):
            tl.multi_head_attention_steps(*arrays, **options, past=(K, V))


def test_batches_of_one_side_alone() -> None:
    rng = np.random.default_rng(2)
    rows, rest = rng.normal(size=(3, 6)), random_heads()[0][2:]
    batch = rng.normal(size=(2, 5, 6))
    mask = rng.random((2, 3, 5)) < 0.8
    mask[..., 0] = True
    whole = tl.multi_head_attention_steps(rows, batch, *rest, mask, h=2)
    assert whole.weights.shape == (2, 2, 3, 5)
    turned = np.swapaxes(mask, -1, -2) | np.eye(5, 3, dtype=bool)
    turned[..., 0] = True
    assert tl.multi_head_attention_steps(batch, rows, *rest, turned, h=2).output.shape == (2, 5, 6)
    Q, K, V = rng.normal(size=(3, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 6))
    assert tl.attention(Q, np.stack([K, K]), V, mask).shape == (2, 3, 6)
    assert tl.attention(Q, K, np.stack([V, V]), mask).shape == (2, 3, 6)


def test_positions_of_a_batch_are_encoded_row_by_row() -> None:
    positions = np.array([[0, 1, 2], [3, 4, 5]])
    encoded = sines_and_cosines(positions, 8, 10000.0, like=np.empty(0))
    np.testing.assert_array_equal(encoded.reshape(6, 8), tl.sinusoidal(6, 8))


def test_heads_of_one_column_and_rows_of_no_axes(unhooked: None) -> None:
    arrays, _ = random_heads()
    rows, _, W_Q, W_K, W_V, W_O = arrays
    steps = tl.multi_head_attention_steps(
        rows, rows, W_Q[:, :1], W_K[:, :1], W_V[:, :1], W_O[:1], h=1
    )
    assert steps.Q.shape == (1, 3, 1)
    with pytest.raises(ValueError, match="X must have at least 2 axes"):
        tl.multi_head_attention_steps(rows[0], rows, W_Q, W_K, W_V, W_O, h=2)
