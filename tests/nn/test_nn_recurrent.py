"""The recurrent model against torch.nn.RNN and torch.nn.LSTM, with copied weights."""

from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.refusals import refusals
from transformer_lib import nn

IDS = torch.tensor([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3], [0, 8, 8, 7, 0]])
kinds = pytest.mark.parametrize("kind", ["rnn", "lstm"])


def model_of(kind: str) -> nn.RecurrentModel:
    return nn.RecurrentModel(kind, vocabulary_size=10, d_model=6, seed=3).double()


def torch_of(model: nn.RecurrentModel) -> Any:
    """Return torch's own layer with the weights of ours."""
    make: Any = {"rnn": torch.nn.RNN, "lstm": torch.nn.LSTM}[model.config.kind]
    theirs = make(6, 6, batch_first=True, dtype=torch.float64)
    ours = dict(model.named_parameters())
    with torch.no_grad():
        theirs.weight_ih_l0.copy_(ours["cell.W_x"].T)
        theirs.weight_hh_l0.copy_(ours["cell.W_h"].T)
        theirs.bias_ih_l0.copy_(ours["cell.b"])
        theirs.bias_hh_l0.zero_()
    return theirs


@kinds
def test_hidden_states_and_gradients_are_those_of_torch(kind: str) -> None:
    model = model_of(kind)
    theirs = torch_of(model)
    table = model.embedding.tokens
    steps = model.steps(IDS)
    expected, _ = theirs(table[IDS])
    torch.testing.assert_close(steps.hidden, expected, rtol=1e-12, atol=1e-12)
    ours = torch.autograd.grad(steps.hidden.pow(3).sum(), [model.cell.W_h, table])
    other = torch.autograd.grad(expected.pow(3).sum(), [theirs.weight_hh_l0, table])
    torch.testing.assert_close(ours[0], other[0].T, rtol=1e-10, atol=1e-10)
    torch.testing.assert_close(ours[1], other[1], rtol=1e-10, atol=1e-10)


@kinds
def test_the_head_scores_the_hidden_states(kind: str) -> None:
    model = model_of(kind)
    steps = model.steps(IDS)
    expected = steps.hidden @ model.head.W + model.head.b
    torch.testing.assert_close(model(IDS), expected)
    assert model(IDS).shape == (3, 5, 10)
    torch.testing.assert_close(model(IDS[1]), model(IDS)[1])


@kinds
def test_numpy_runs_the_same_model(kind: str) -> None:
    model = model_of(kind)
    arrays = {name: value.numpy() for name, value in model.state_dict().items()}
    logits = tl.recurrent_forward(arrays, model.config, IDS.numpy())
    np.testing.assert_allclose(logits, model(IDS).detach(), atol=1e-12)


@kinds
def test_names_shapes_and_first_values(kind: str) -> None:
    model = model_of(kind)
    shapes = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    assert shapes == tl.recurrent_shapes(model.config)
    bound = 6**-0.5
    for name, value in model.state_dict().items():
        if name != "embedding.tokens" and not (kind == "lstm" and name == "cell.b"):
            assert value.abs().max() <= bound and value.std() > bound / 4, name
    if kind == "lstm":
        b = model.state_dict()["cell.b"]
        assert (b[6:12] == 1).all()
        assert (b[:6].abs() <= bound).all() and (b[12:].abs() <= bound).all()


@pytest.mark.parametrize("start", ["identity", "orthogonal"])
def test_an_rnn_may_start_by_handing_its_whole_state_on(start: str) -> None:
    usual, other = (
        nn.RecurrentModel("rnn", vocabulary_size=5, d_model=4, start=s, seed=3).state_dict()
        for s in ("uniform", start)
    )
    W_h = other["cell.W_h"]
    torch.testing.assert_close(W_h @ W_h.T, torch.eye(4), atol=1e-6, rtol=0)
    assert torch.equal(W_h, torch.eye(4)) == (start == "identity")
    assert torch.equal(usual["cell.W_x"], other["cell.W_x"])
    assert not torch.equal(usual["cell.W_h"], W_h)


def test_the_seed_alone_decides() -> None:
    state = torch.get_rng_state()
    tables = [
        nn.RecurrentModel("rnn", vocabulary_size=5, d_model=4, seed=s).embedding.tokens
        for s in (1, 1, 2)
    ]
    assert torch.equal(torch.get_rng_state(), state)
    assert torch.equal(tables[0], tables[1]) and not torch.equal(tables[0], tables[2])


GOOD = dict(kind="rnn", vocabulary_size=5, d_model=4)
BAD = [
    (r"kind must be one of \('rnn', 'lstm'\), got 'gru'", dict(kind="gru")),
    ("vocabulary_size must be an integer of 1 or more", dict(vocabulary_size=0)),
    ("d_model must be an integer of 1 or more, got 2.0", dict(d_model=2.0)),
    ("seed must be an integer", dict(seed="x")),
    ("start must be one of .* for 'rnn', got 'zeros'", dict(start="zeros")),
    (
        r"start must be one of \('uniform',\) for 'lstm', got 'identity'",
        dict(kind="lstm", start="identity"),
    ),
]
test_bad_arguments = refusals(*BAD, of=lambda bad: nn.RecurrentModel(**(GOOD | bad)))


test_bad_ids = refusals(
    *(("ids must", torch.tensor([bad])) for bad in (10, 0.5)), of=lambda ids: model_of("rnn")(ids)
)
