"""A recurrent language model as a function of a dictionary of parameters, alongside `forward`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from jaxtyping import Float, Int

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array
from transformer_lib.formulas.embedding import embed
from transformer_lib.formulas.head import logits
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.recurrent import lstm_step, rnn_step
from transformer_lib.model.parameters import Parameters, Shape, take

BLOCKS = {"rnn": 1, "lstm": 4}  # sums that the cell makes of its input and its hidden state
STARTS = ("uniform", "identity", "orthogonal")


@dataclass(frozen=True, kw_only=True)
class RecurrentConfiguration:
    """Everything that determines a recurrent language model of one layer before it is trained.

    Args:
        kind: "rnn" or "lstm".
        vocabulary_size: V, the number of tokens that the model reads and predicts.
        d_model: the dimension of the embedding and of the hidden state.
        start: the initial value of W_h: "uniform", like the other parameters, or, for an RNN,
            "identity" or "orthogonal", which pass on the whole state.

    Raises:
        ValueError: a field is out of its range.

    Source: Le et al. (2015), "A simple way to initialize recurrent networks of rectified linear
    units", for the identity; Saxe et al. (2014), section 3, for orthogonal matrices.

    >>> RecurrentConfiguration(kind="rnn", vocabulary_size=5, d_model=8).d_model
    8
    """

    kind: str
    vocabulary_size: int
    d_model: int
    start: str = "uniform"

    def __post_init__(self) -> None:
        if self.kind not in BLOCKS:
            raise ValueError(f"kind must be one of {tuple(BLOCKS)}, got {self.kind!r}")
        starts = STARTS if self.kind == "rnn" else STARTS[:1]
        if self.start not in starts:
            raise ValueError(f"start must be one of {starts} for {self.kind!r}, got {self.start!r}")
        checks.count(1, vocabulary_size=self.vocabulary_size, d_model=self.d_model)


class RecurrentSteps(NamedTuple):
    """The steps of a recurrent model: two of shape (..., n, d_model), then one of (..., n, V)."""

    embedded: Array
    hidden: Array
    logits: Array


def recurrent_shapes(config: RecurrentConfiguration) -> dict[str, Shape]:
    """Return the name and shape of every parameter of a recurrent model, in order.

    >>> config = RecurrentConfiguration(kind="lstm", vocabulary_size=5, d_model=8)
    >>> recurrent_shapes(config)["cell.W_h"]
    (8, 32)
    """
    d, V, sums = config.d_model, config.vocabulary_size, BLOCKS[config.kind] * config.d_model
    cell = {"cell.W_x": (d, sums), "cell.W_h": (d, sums), "cell.b": (sums,)}
    return {"embedding.tokens": (V, d), **cell, "head.W": (d, V), "head.b": (V,)}


def recurrent_steps(
    parameters: Parameters, config: RecurrentConfiguration, ids: Int[Operand, "... n"]
) -> RecurrentSteps:
    """Read ids one after another from a hidden state of zeros, and score the next token at each id.

    Args:
        parameters: arrays by name, with the names and shapes of `recurrent_shapes`.
        config: the shape of the model.
        ids: token ids, (..., n).

    Raises:
        ValueError: ids are not ids of the vocabulary, or a parameter is missing or has another
            shape.

    Source: Mikolov et al. (2010), "Recurrent neural network based language model", and, for the
    LSTM, Hochreiter and Schmidhuber (1997).

    >>> import numpy as np
    >>> config = RecurrentConfiguration(kind="rnn", vocabulary_size=2, d_model=1)
    >>> arrays = {name: np.ones(shape) for name, shape in recurrent_shapes(config).items()}
    >>> recurrent_steps(arrays, config, np.array([0, 1])).hidden.round(4)
    array([[0.964 ],
           [0.9947]])
    """
    named = take(parameters, recurrent_shapes(config), "")
    cell = {name: named[f"cell.{name}"] for name in ("W_x", "W_h", "b")}
    return read_in_turn(
        ids,
        lambda ids: embed(ids, named["embedding.tokens"]),
        lambda rows: hidden_states(config.kind, rows, **cell),
        lambda hidden: logits(hidden, named["head.W"], named["head.b"]),
    )


def read_in_turn(
    ids: Array,
    embedding: Callable[[Array], Array],
    cell: Callable[[Array], Array],
    head: Callable[[Array], Array],
) -> RecurrentSteps:
    """Combine the parts of a recurrent model, which are functions of arrays or modules of torch.

    Raises:
        ValueError: ids is not an array with at least one axis, or a part raises it.
    """
    checks.namespace(ids=ids)
    checks.at_least_rank(1, ids=ids)
    embedded = embedding(ids)
    hidden = cell(embedded)
    return RecurrentSteps(embedded, hidden, head(hidden))


def recurrent_forward(
    parameters: Parameters, config: RecurrentConfiguration, ids: Int[Operand, "... n"]
) -> Float[Array, "... n V"]:
    """Return the logits of a recurrent model, the last of `recurrent_steps`; see its arguments."""
    return recurrent_steps(parameters, config, ids).logits


def hidden_states(kind: str, embedded: Array, **cell: Array) -> Array:
    """Return the hidden states after every token; each step needs the result of the step before."""
    xp = checks.namespace(embedded=embedded)
    if embedded.shape[-2] == 0:
        return embedded
    hidden = c = xp.zeros_like(embedded[..., 0, :])
    states = []
    for i in range(embedded.shape[-2]):
        x = embedded[..., i, :]
        if kind == "rnn":
            hidden = rnn_step.formula(x, hidden, **cell)
        else:
            steps = lstm_step.formula(x, hidden, c, **cell)
            hidden, c = steps.hidden, steps.cell
        states.append(hidden)
    return xp.stack(states, axis=-2)
