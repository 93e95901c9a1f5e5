"""Parameters by name: what each part of a model needs, in one flat dictionary."""

from collections.abc import Mapping

from transformer_lib.formulas.checks import Array
from transformer_lib.model.configuration import Configuration

Parameters = Mapping[str, Array]
Shape = tuple[int, ...]


def attention_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of multi-head attention."""
    d = config.d_model
    shapes: dict[str, Shape] = {f"W_{x}": (d, d) for x in "QKVO"}
    return shapes | {f"b_{x}": (d,) for x in "QKVO"} if config.bias else shapes


def feed_forward_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of the feed-forward layer."""
    d, d_ff = config.d_model, config.d_ff
    if config.activation == "swiglu":
        return {"W_gate": (d, d_ff), "W_1": (d, d_ff), "W_2": (d_ff, d)}
    shapes: dict[str, Shape] = {"W_1": (d, d_ff), "W_2": (d_ff, d)}
    return shapes | {"b_1": (d_ff,), "b_2": (d,)} if config.bias else shapes


def norm_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of a norm."""
    shapes: dict[str, Shape] = {"gain": (config.d_model,)}
    has_bias = config.bias and config.norm == "layer"
    return shapes | {"bias": (config.d_model,)} if has_bias else shapes


def embedding_shapes(config: Configuration, prefix: str = "embedding.") -> dict[str, Shape]:
    """Return the names and shapes of the parameters of an embedding with positions."""
    source = config.source_vocabulary_size if prefix == "source_embedding." else None
    shapes: dict[str, Shape] = {"tokens": (source or config.vocabulary_size, config.d_model)}
    learned = {"positions": (config.max_length, config.d_model)}
    return shapes | learned if config.position == "learned" else shapes


def layer_shapes(config: Configuration, *, cross: bool = False) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of a layer, with cross-attention or without."""
    attentions = ("self_attention", "cross_attention") if cross else ("self_attention",)
    parts = dict.fromkeys(attentions, attention_shapes(config))
    parts |= {"feed_forward": feed_forward_shapes(config)}
    parts |= {f"{name}_norm": norm_shapes(config) for name in list(parts)}
    return _joined(parts)


def stack_shapes(config: Configuration, *, cross: bool = False) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of an encoder or a decoder."""
    layer = layer_shapes(config, cross=cross)
    shapes = _joined({f"layers.{i}": layer for i in range(config.layers)})
    if config.place == "pre":
        shapes |= _joined({"norm": norm_shapes(config)})
    return shapes | relative_shapes(config)


def relative_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the name and shape of a stack's table of T5's relative positions, if it has one."""
    if config.position != "t5":
        return {}
    return {"relative_positions": (config.buckets, config.heads)}


def parameter_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the name and shape of every parameter of a model; no two of them share an array.

    Source: Vaswani et al. (2017), section 3, whose parts these are.

    >>> config = Configuration(kind="decoder", vocabulary_size=50, d_model=8, heads=2, layers=1)
    >>> shapes = parameter_shapes(config)
    >>> shapes["embedding.tokens"], shapes["decoder.layers.0.feed_forward.W_1"]
    ((50, 8), (8, 2048))
    """
    parts = {"embedding": embedding_shapes(config)}
    if config.source_vocabulary_size is not None:
        parts["source_embedding"] = embedding_shapes(config, "source_embedding.")
    if config.has_encoder:
        parts["encoder"] = stack_shapes(config)
    if config.has_decoder:
        parts["decoder"] = stack_shapes(config, cross=config.has_encoder)
    return _joined(parts | {"head": head_shapes(config)})


def head_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of the head; a tied one has none."""
    if config.tied:
        return {}
    V = config.vocabulary_size
    shapes: dict[str, Shape] = {"W": (config.d_model, V)}
    return shapes | {"b": (V,)} if config.bias else shapes


def take(parameters: Parameters, shapes: dict[str, Shape], prefix: str) -> dict[str, Array]:
    """Return the named arrays under `prefix`, or raise ValueError for one missing or misshapen."""
    taken = {}
    for name, shape in shapes.items():
        if prefix + name not in parameters:
            raise ValueError(f"parameters must hold {prefix + name!r} of shape {shape}")
        array = parameters[prefix + name]
        if tuple(getattr(array, "shape", ())) != shape:
            given = getattr(array, "shape", type(array).__name__)
            raise ValueError(f"parameters[{prefix + name!r}] must be {shape}, got {given}")
        taken[name] = array
    return taken


def _joined(parts: dict[str, dict[str, Shape]]) -> dict[str, Shape]:
    return {f"{part}.{n}": shape for part, shapes in parts.items() for n, shape in shapes.items()}
