"""Memory: the bytes that training and decoding need at once."""

from typing import NamedTuple

from transformer_lib.formulas import checks
from transformer_lib.model.configuration import Configuration
from transformer_lib.scaling.parameters import parameter_count

FLOAT = 4  # bytes of a number in float32
INTEGER = 8  # of an id
MOMENTS = 2  # of Adam, for each parameter

MEASURED = {
    "kind": "decoder",
    "activation": "relu",
    "norm": "layer",
    "place": "pre",
    "position": "sinusoidal",
    "dropout": 0.0,
    "head_transform": False,
    "embedding_norm": False,
    "window": None,
}
"""The models whose activations are counted: a test measures them, to the byte."""


class TrainingMemory(NamedTuple):
    """The bytes of a training step, at the moment when the backward pass begins."""

    weights: int
    gradients: int
    optimizer: int
    activations: int

    @property
    def total(self) -> int:
        """The bytes of all parts."""
        return sum(self)


def training_bytes(
    config: Configuration, n: int, *, batch: int = 1, attention: str = "explicit"
) -> TrainingMemory:
    """Return the bytes that a training step needs, with all numbers in float32.

    A parameter takes 16 bytes: itself, its gradient, and the two moments of Adam. The activations,
    in contrast, grow with the batch: they are what the backward pass needs of the forward pass.

    Args:
        config: the shape of a decoder, as `MEASURED`.
        n: the sequence length, in tokens.
        batch: the number of sequences in a step.
        attention: "explicit" keeps its weights, n^2 numbers for each head; "fused" does not.

    Raises:
        ValueError: a number is out of its range, or the model is not of the kind in `MEASURED`.

    Source: Rajbhandari et al. (2020), section 3, for the parts; Dao et al. (2022) for "fused".

    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=10, d_model=4, heads=2, layers=1, d_ff=8, place="pre",
    ...     dropout=0.0,
    ... )
    >>> training_bytes(config, 3)
    TrainingMemory(weights=880, gradients=880, optimizer=1760, activations=1504)
    """
    weights = FLOAT * parameter_count(config).total
    activations = activation_bytes(config, n, batch=batch, attention=attention)
    return TrainingMemory(weights, weights, MOMENTS * weights, activations)


def activation_bytes(
    config: Configuration, n: int, *, batch: int = 1, attention: str = "explicit"
) -> int:
    """Return the bytes that the forward pass of `transformer_lib.nn` keeps for the backward pass.

    Args:
        config: the shape of a decoder, as `MEASURED`.
        n: the sequence length, in tokens.
        batch: the number of sequences in a step.
        attention: "explicit" or "fused".

    Raises:
        ValueError: as `training_bytes`.
    """
    checks.count(1, n=n, batch=batch)
    if attention not in ("explicit", "fused"):
        raise ValueError(f"attention must be 'explicit' or 'fused', got {attention!r}")
    for name, value in MEASURED.items():
        if getattr(config, name) != value:
            raise ValueError(f"{name} must be {value!r} here, got {getattr(config, name)!r}")
    rows, wide, fused = batch * n, config.heads * config.d_k, attention == "fused"
    # A linear map keeps its input.
    queries_keys_values = 3 * wide
    floats = 2 * (_norm(config, fused) + config.d_model) + queries_keys_values + wide + config.d_ff
    last = _loss(config, rows, fused)
    if fused:  # one sum for each row of a head; what was cut of the hidden numbers is 0 in them
        return config.layers * rows * FLOAT * (floats + config.heads) + last
    layer = rows * (FLOAT * floats + config.d_ff)  # a byte says of each hidden number if it was cut
    # Each head keeps its masked scores, their exponentials and its weights; of a row its highest
    # score, its sum, and whether it was empty. All layers share one boolean mask.
    heads = rows * config.heads * (FLOAT * (3 * n + 2) + 1)
    mask = n * n if config.layers else 0
    return config.layers * (layer + heads) + mask + last


def _norm(config: Configuration, fused: bool) -> int:
    """Of a row: itself centered and normalized, and a deviation; fused, itself, mean, deviation."""
    return config.d_model + 2 if fused else 2 * config.d_model + 1


def _loss(config: Configuration, rows: int, fused: bool) -> int:
    """The last norm, the head and the cross-entropy, with its ids, targets and padding."""
    floats = _norm(config, fused) + config.d_model + 3 * config.vocabulary_size + 2
    return rows * (FLOAT * floats + 2 * INTEGER + 3) + FLOAT


def cache_bytes(
    config: Configuration,
    n: int,
    n_source: int = 0,
    *,
    batch: int = 1,
    bytes_per_number: int = FLOAT,
) -> int:
    """Return the bytes of the keys and values that decoding keeps after n tokens.

    Args:
        config: the shape of a model with a decoder; with a window of w positions, only the last
            w - 1 are kept, because the next position is itself the w-th.
        n: the number of tokens so far.
        n_source: the length of the source in an encoder-decoder.
        batch: the number of sequences decoded at once.
        bytes_per_number: 4 in float32, 2 in float16.

    Raises:
        ValueError: a number is out of its range, or the model has no decoder.

    Source: Shazeer (2019), section 2.4.1; Ainslie et al. (2023), section 2.2, for groups.

    >>> sizes = {"vocabulary_size": 50257, "d_model": 12288, "heads": 96, "layers": 96}
    >>> cache_bytes(Configuration(kind="decoder", **sizes), 1, bytes_per_number=2)
    4718592
    """
    checks.count(0, n=n, n_source=n_source)
    checks.count(1, batch=batch, bytes_per_number=bytes_per_number)
    if not config.has_decoder:
        raise ValueError("config must be of a model with a decoder, got kind 'encoder'")
    kept = n if config.window is None else min(n, config.window - 1)
    numbers = 2 * config.layers * (kept + n_source) * config.h_kv * config.d_k
    return batch * bytes_per_number * numbers
