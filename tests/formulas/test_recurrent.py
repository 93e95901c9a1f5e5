import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.refusals import refusals

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
    gates = {name: np.asarray(step) for name, step in steps._asdict().items()}
    kept = gates["forget_gate"] * C + gates["input_gate"] * gates["candidate"]
    np.testing.assert_allclose(kept, cell_state, atol=1e-12)
    np.testing.assert_allclose(gates["output_gate"] * np.tanh(kept), hidden, atol=1e-12)


def test_gates_do_not_overflow():
    x = np.array([1e4])
    W_x = np.array([[-1.0, 1.0, 1.0, -1.0]])
    steps = tl.lstm_step(x, np.zeros(1), np.ones(1), W_x, np.zeros((1, 4)))
    assert (steps.input_gate, steps.forget_gate, steps.output_gate) == (0.0, 1.0, 0.0)


W = np.zeros((5, 3)), np.zeros((3, 3))


test_bad_input = refusals(
    ("x must have at least 1", lambda: tl.rnn_step(np.array(1.0), H, *W)),
    ("x and h must have the same batch axes", lambda: tl.rnn_step(X[:1], H, *W)),
    ("c must have shape", lambda: tl.lstm_step(X, H, C[:1], np.zeros((5, 12)), np.zeros((3, 12)))),
)
