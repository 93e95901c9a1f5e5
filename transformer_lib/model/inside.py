"""Look inside a decoder: read its stream early, split a logit into parts, or patch a run.

lens:     logits_l = head(norm(X_l)), as if the model stopped after l layers
direct:   logit_plus - logit_minus = sum over parts of norm(part) (w_plus - w_minus)
patched:  a run whose stream after a layer is, at one position, that of another run
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array, library
from transformer_lib.model.block import EXPLICIT, Kernels
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.context import Context
from transformer_lib.model.parameters import Parameters
from transformer_lib.model.plain import Bound, Model
from transformer_lib.model.traced import traced


class DirectParts(NamedTuple):
    """What each part adds to one logit minus another; all of them add up to the difference."""

    embedding: Array  # (...,)
    heads: Array  # (..., layers, h)
    feed_forwards: Array  # (..., layers)
    biases: Array  # (...,): those of attention, of the last norm and of the head

    @property
    def total(self) -> Array:
        """The difference of the two logits, (...,)."""
        parts = self.heads.sum(-1).sum(-1) + self.feed_forwards.sum(-1)
        return self.embedding + parts + self.biases


def lens(
    parameters: Parameters, config: Configuration, steps: Mapping[str, Array], *, row: int = -1
) -> Array:
    """Return the logits of one row as if the model stopped before each layer, and after the last.

    A number that a later layer still fetches from another position cannot be read here, and early
    layers may write in directions that the head was not trained to read.

    Args:
        parameters: arrays by name.
        config: the shape of a decoder.
        steps: what `trace` returns: each layer's "resid_pre" and the last one's "resid_post".
        row: the row to read, the last one by default.

    Returns:
        Logits, (layers + 1, ..., V).

    Raises:
        ValueError: the model is no decoder with a head, or steps lacks one.

    Source: nostalgebraist (2020), "interpreting GPT: the logit lens".

    >>> import numpy as np
    >>> from transformer_lib import initial_parameters, trace
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=5, d_model=4, heads=2, layers=3, d_ff=8, place="pre"
    ... )
    >>> P = initial_parameters(config, rng=np.random.default_rng(0))
    >>> lens(P, config, trace(P, config, np.array([1, 2]))).shape
    (4, 5)
    """
    model = _decoder(parameters, config)
    names = [f"decoder.layers.{i}.resid_pre" for i in range(config.layers)]
    names.append(f"decoder.layers.{config.layers - 1}.resid_post")
    rows = [_step(steps, name) for name in names]
    stream = library(rows[0]).stack([X[..., row, :] for X in rows])
    return _read(model, stream[..., None, :])[..., 0, :]


def direct(
    parameters: Parameters,
    config: Configuration,
    steps: Mapping[str, Array],
    plus: int,
    minus: int,
    *,
    row: int = -1,
) -> DirectParts:
    """Return what each head and feed-forward layer adds to the logit of one token minus another.

    The scale of the last norm is that of this run. A part that works through a later part counts
    there and not here, so a small number does not show that a part is unimportant.

    Args:
        parameters: arrays by name.
        config: the shape of a decoder with pre-norm.
        steps: what `trace` returns.
        plus: the id of the token whose logit is explained.
        minus: the id of the token whose logit is subtracted.
        row: the row whose logits are explained, the last one by default.

    Raises:
        ValueError: the model is no decoder with pre-norm and a head of one matrix, steps lacks one,
            or plus or minus is no id.

    Source: Elhage et al. (2021), "A mathematical framework for Transformer circuits".

    >>> import numpy as np
    >>> from transformer_lib import initial_parameters, trace
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=5, d_model=4, heads=2, layers=3, d_ff=8, place="pre"
    ... )
    >>> P = initial_parameters(config, rng=np.random.default_rng(0))
    >>> steps = trace(P, config, np.array([1, 2]))
    >>> parts, logits = direct(P, config, steps, 3, 4), steps["logits"][-1]
    >>> parts.heads.shape, bool(abs(parts.total - (logits[3] - logits[4])) < 1e-12)
    ((3, 2), True)
    """
    model = _decoder(parameters, config)
    if config.place != "pre" or config.head_transform:
        found = f"place={config.place!r}, head_transform={config.head_transform}"
        raise ValueError(
            f'config must have place="pre" and no head_transform to split a logit, got {found}'
        )
    _are_ids(config, plus=plus, minus=minus)
    stream = _step(steps, f"decoder.layers.{config.layers - 1}.resid_post")[..., row, :]
    toward, constant = _direction(model, stream, plus, minus)
    heads, feeds, biases = [], [], constant
    for i, layer in enumerate(model.decoder.layers):
        name, own = f"decoder.layers.{i}.", layer.self_attention.arrays()
        W_O = own["W_O"].reshape(config.heads, -1, config.d_model)
        read = (W_O @ toward[..., None, :, None])[..., 0]  # (..., h, d_v): W_O toward the tokens
        heads.append((_step(steps, f"{name}self_attention.heads")[..., row, :] * read).sum(-1))
        feeds.append((_step(steps, f"{name}mlp_out")[..., row, :] * toward).sum(-1))
        if own.get("b_O") is not None:
            biases = biases + (own["b_O"] * toward).sum(-1)
    xp, embedding = library(stream), _step(steps, "decoder.layers.0.resid_pre")[..., row, :]
    each = xp.stack(heads, axis=-2), xp.stack(feeds, axis=-1)
    return DirectParts((embedding * toward).sum(-1), *each, biases)


def patched(
    parameters: Parameters,
    config: Configuration,
    ids: Array,
    other: Array,
    measure: Callable[[Array], Array],
) -> Array:
    """Return a measure of runs on ids, each with one place of the stream from a run on other ids.

    The place is after one layer and at one position. A large effect shows that what the two runs
    differ in stands there and is used later; it does not show which part put it there.

    Args:
        parameters: arrays by name.
        config: the shape of a decoder.
        ids: token ids, (n,).
        other: token ids of the run that is put in, (n,).
        measure: a function from the last row's logits of n runs, (n, V), to n numbers.

    Returns:
        The measure of each run, (layers, n).

    Raises:
        ValueError: the model is no decoder with a head, ids and other are not n ids each, or the
            measure does not return n numbers.

    Source: Vig et al. (2020), section 3; Meng et al. (2022), section 2.1.

    >>> import numpy as np
    >>> from transformer_lib import initial_parameters
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=5, d_model=4, heads=2, layers=3, d_ff=8, place="pre"
    ... )
    >>> P = initial_parameters(config, rng=np.random.default_rng(0))
    >>> ids, other = np.array([1, 2]), np.array([3, 2])
    >>> patched(P, config, ids, other, lambda logits: logits[:, 3] - logits[:, 4]).shape
    (3, 2)
    """
    found = []
    for logits in patched_rows(parameters, config, ids, other):
        found.append(measure(logits))
        shape = getattr(found[-1], "shape", None)
        if shape != logits.shape[:1]:
            raise ValueError(f"measure must return {len(logits)} numbers, got shape {shape}")
    return library(found[0]).stack(found)


def patched_rows(
    parameters: Parameters,
    config: Configuration,
    ids: Array,
    other: Array,
    kernels: Kernels = EXPLICIT,
) -> Iterator[Array]:
    """Yield, for each layer, the last row's logits of the runs of `patched`, (n, V).

    All positions of a layer are one batch, and the layers below it are not computed again.
    """
    model = _decoder(parameters, config, kernels)
    checks.integers(checks.namespace(ids=ids, other=other), ids=ids, other=other)
    if ids.ndim != 1 or ids.shape != other.shape:
        shapes = f"ids {tuple(ids.shape)}, other {tuple(other.shape)}"
        raise ValueError(f"ids and other must both have shape (n,), got {shapes}")
    after = [f"decoder.layers.{i}.resid_post" for i in range(config.layers)]
    run, source = (_streams(parameters, config, x, after, kernels) for x in (ids, other))
    xp = library(run[after[0]])
    place = xp.arange(ids.shape[0], device=run[after[0]].device)
    here = (place[:, None] == place)[..., None]
    for i, name in enumerate(after):
        X = xp.where(here, source[name], run[name])
        for layer, context in list(model.decoder.each(X, Context()))[i + 1 :]:
            X = layer(X, context=context)
        yield _read(model, X[:, -1:])[:, 0]


def _are_ids(config: Configuration, **ids: int) -> None:
    """Raise ValueError for the first of the ids that is none of the vocabulary."""
    for name, value in ids.items():
        most = config.vocabulary_size - 1
        if isinstance(value, bool) or not hasattr(value, "__index__") or not 0 <= value <= most:
            raise ValueError(f"{name} must be an id from 0 to {most}, got {value!r}")


def _step(steps: Mapping[str, Array], name: str) -> Array:
    if name not in steps:
        raise ValueError(f"steps must contain {name}, as a trace of all names does")
    return steps[name]


def _streams(
    parameters: Parameters, config: Configuration, ids: Array, names: list[str], kernels: Kernels
) -> dict[str, Array]:
    def run(record: Any) -> Array:
        return Model(Bound(parameters, config, kernels, record))(ids)

    return traced(run, names, names[-1])


def _decoder(parameters: Parameters, config: Configuration, kernels: Kernels = EXPLICIT) -> Model:
    if config.kind != "decoder" or config.headless or not config.layers:
        raise ValueError(f"config must be of a decoder with layers and a head, got {config.kind}")
    return Model(Bound(parameters, config, kernels))


def _read(model: Model, X: Array) -> Array:
    """Return the logits of rows of the stream."""
    X = X if model.decoder.norm is None else model.decoder.norm(X)
    return model.head(X, model.embedding.tokens if model.config.tied else None)


def _direction(model: Model, stream: Array, plus: int, minus: int) -> tuple[Array, Array]:
    """Return the vector whose product with a part of the stream is its share, and the constant."""
    config, head = model.config, model.head.arrays()
    norm = {} if model.decoder.norm is None else model.decoder.norm.arrays()
    W = model.embedding.tokens.mT if config.tied else head["W"]
    u = W[:, plus] - W[:, minus]
    u = u / config.d_model**0.5 if config.scale_head else u
    zero = u.sum() * 0
    constant = zero if norm.get("bias") is None else (norm["bias"] * u).sum()
    if head.get("b") is not None:
        constant = constant + head["b"][plus] - head["b"][minus]
    u = u if norm.get("gain") is None else norm["gain"] * u
    centered = stream if config.norm == "rms" else stream - stream.mean(-1)[..., None]
    u = u if config.norm == "rms" else u - u.mean()  # the mean of a part is taken off
    scale = ((centered * centered).mean(-1) + config.eps) ** 0.5
    return u / scale[..., None], constant
