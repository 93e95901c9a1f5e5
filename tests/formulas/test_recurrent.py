import numpy as np
import pytest
import torch

import transformer_lib as tl

RNG = np.random.default_rng(22)
X, H, C = RNG.normal(size=(2, 5)), RNG.normal(size=(2, 3)), RNG.normal(size=(2, 3))


def weights_of(cell):
    b = cell.bias_ih + cell.bias_hh if cell.bias else None
    arrays = (cell.weight_ih.T, cell.weight_hh.T, b)
    return [None if a is None else a.detach().numpy() for a in arrays]


def convert(of, *arrays):
    return [None if a is None else of(a) for a in arrays]


@pytest.mark.parametrize("bias", [True, False])
def test_rnn_step_equals_torch(backend, bias):
    torch.manual_seed(0)
    cell = torch.nn.RNNCell(5, 3, bias=bias, dtype=torch.float64)
    expected = cell(torch.from_numpy(X), torch.from_numpy(H)).detach().numpy()
    got = tl.rnn_step(*convert(backend, X, H, *weights_of(cell)))
    np.testing.assert_allclose(np.asarray(got), expected, atol=1e-12)


@pytest.mark.parametrize("bias", [True, False])
def test_lstm_step_equal_torch(backend, bias):
    torch.manual_seed(0)
    cell = torch.nn.LSTMCell(5, 3, bias=bias, dtype=torch.float64)
    state = (torch.from_numpy(H), torch.from_numpy(C))
    hidden, cell_state = (a.detach().numpy() for a in cell(torch.from_numpy(X), state))
    steps = tl.lstm_step(*convert(backend, X, H, C, *weights_of(cell)))
    np.testing.assert_allclose(np.asarray(steps.hidden), hidden, atol=1e-12)
    np.testing.assert_allclose(np.asarray(steps.cell), cell_state, atol=1e-12)
    assert all(tuple(step.shape) == (2, 3) for step in steps)


def test_lstm_gates_equal_plain_loops():
    W_x, W_h, b = RNG.normal(size=(5, 12)), RNG.normal(size=(3, 12)), RNG.normal(size=12)
    steps = tl.lstm_step(X, H, C, W_x, W_h, b)
    blocks = {"input_gate": 0, "forget_gate": 3, "candidate": 6, "output_gate": 9}
    for name, start in blocks.items():
        for row in range(2):
            for unit in range(3):
                column = start + unit
                total = b[column] + sum(X[row, d] * W_x[d, column] for d in range(5))
                total += sum(H[row, d] * W_h[d, column] for d in range(3))
                value = np.tanh(total) if name == "candidate" else 1 / (1 + np.exp(-total))
                assert getattr(steps, name)[row, unit] == pytest.approx(value, abs=1e-12)
    np.testing.assert_allclose(
        steps.cell, steps.forget_gate * C + steps.input_gate * steps.candidate
    )
    np.testing.assert_allclose(steps.hidden, steps.output_gate * np.tanh(steps.cell))


def test_gates_do_not_overflow():
    x = np.array([1e4])
    W_x = np.array([[-1.0, 1.0, 1.0, -1.0]])
    steps = tl.lstm_step(x, np.zeros(1), np.ones(1), W_x, np.zeros((1, 4)))
    assert (steps.input_gate, steps.forget_gate, steps.output_gate) == (0.0, 1.0, 0.0)


W_X, W_H = np.zeros((5, 3)), np.zeros((3, 3))
V_X, V_H = np.zeros((5, 12)), np.zeros((3, 12))
BAD = {
    "x scalar": (lambda: tl.rnn_step(np.array(1.0), H, W_X, W_H), "x must have at least 1"),
    "batch": (lambda: tl.rnn_step(X[:1], H, W_X, W_H), "x and h must have the same batch axes"),
    "W_x": (lambda: tl.rnn_step(X, H, W_X.T, W_H), r"W_x must have shape \(5, 3\)"),
    "W_h": (lambda: tl.rnn_step(X, H, W_X, W_H[:2]), r"W_h must have shape \(3, 3\)"),
    "b": (lambda: tl.rnn_step(X, H, W_X, W_H, np.zeros(2)), r"b must have shape \(3,\)"),
    "lstm W_x": (lambda: tl.lstm_step(X, H, C, W_X, V_H), r"W_x must have shape \(5, 12\)"),
    "lstm W_h": (lambda: tl.lstm_step(X, H, C, V_X, W_H), r"W_h must have shape \(3, 12\)"),
    "lstm c": (lambda: tl.lstm_step(X, H, C[:1], V_X, V_H), r"c must have shape"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case, unhooked):
    call, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        call()
