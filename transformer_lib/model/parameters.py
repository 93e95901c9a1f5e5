"""The parameters that each part of a model needs, by name in one flat dictionary."""

from collections.abc import Mapping

from transformer_lib.formulas.checks import Array
from transformer_lib.model.configuration import Configuration

Parameters = Mapping[str, Array]
Shape = tuple[int, ...]
GATED = ("swiglu", "geglu", "geglu_tanh")


def attention_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of multi-head attention."""
    d, wide, shared = config.d_model, config.heads * config.d_k, config.h_kv * config.d_k
    widths = {"Q": wide, "K": shared, "V": shared}
    shapes: dict[str, Shape] = {f"W_{x}": (d, width) for x, width in widths.items()}
    shapes["W_O"] = (wide, d)
    return shapes | {f"b_{x}": (shapes[f"W_{x}"][1],) for x in "QKVO"} if config.bias else shapes


def feed_forward_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of the feed-forward layer."""
    d, d_ff = config.d_model, config.d_ff
    if config.activation in GATED:
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
    of_source, d = prefix == "source_embedding.", config.d_model
    V = config.source_vocabulary_size if of_source else config.vocabulary_size
    shapes: dict[str, Shape] = {} if V is None else {"tokens": (V, d)}
    if config.token_types:
        shapes["types"] = (config.token_types, d)
    return (
        shapes | {"positions": (config.max_length, d)} if config.position == "learned" else shapes
    )


def embedding_norm_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the norm after an embedding, if the model has one."""
    return _joined({"norm": norm_shapes(config)}) if config.embedding_norm else {}


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
    """Return the name and shape of every parameter of a model; no two parameters share an array.

    Source: Vaswani et al. (2017), section 3, which describes these parts.

    >>> config = Configuration(kind="decoder", vocabulary_size=50, d_model=8, heads=2, layers=1)
    >>> shapes = parameter_shapes(config)
    >>> shapes["embedding.tokens"], shapes["decoder.layers.0.feed_forward.W_1"]
    ((50, 8), (8, 2048))
    """
    parts = {"embedding": embedding_shapes(config) | embedding_norm_shapes(config)}
    if config.has_source_embedding:
        source = embedding_shapes(config, "source_embedding.")
        parts["source_embedding"] = source | embedding_norm_shapes(config)
    if config.has_encoder:
        parts["encoder"] = stack_shapes(config)
    if config.has_decoder:
        parts["decoder"] = stack_shapes(config, cross=config.has_encoder)
    parts["head"] = head_shapes(config) | head_norm_shapes(config)
    return _joined(parts | {"classifier": classifier_shapes(config)})


def head_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of the head; a tied one may have none."""
    d, V = config.d_model, config.vocabulary_size
    shapes: dict[str, Shape] = {} if config.tied else {"W": (d, V)}
    if config.has_head_bias:
        shapes["b"] = (V,)
    return shapes | {"W_dense": (d, d), "b_dense": (d,)} if config.head_transform else shapes


def head_norm_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the norm before a head, if the model has one."""
    return _joined({"norm": norm_shapes(config)}) if config.head_transform else {}


def classifier_shapes(config: Configuration) -> dict[str, Shape]:
    """Return the names and shapes of the parameters of the classifier, if the model has one."""
    if not config.classes:
        return {}
    d, classes = config.d_model, config.classes
    return {"W_pool": (d, d), "b_pool": (d,), "W": (d, classes), "b": (classes,)}


def take(parameters: Parameters, shapes: dict[str, Shape], prefix: str) -> dict[str, Array]:
    """Return the named arrays under `prefix`; raise ValueError if one is missing or misshapen."""
    taken = {}
    for name, shape in shapes.items():
        if prefix + name not in parameters:
            raise ValueError(f"parameters must contain {prefix + name!r} of shape {shape}")
        array = parameters[prefix + name]
        if tuple(getattr(array, "shape", ())) != shape:
            given = getattr(array, "shape", type(array).__name__)
            raise ValueError(f"parameters[{prefix + name!r}] must be {shape}, got {given}")
        taken[name] = array
    return taken


def _joined(parts: dict[str, dict[str, Shape]]) -> dict[str, Shape]:
    return {f"{part}.{n}": shape for part, shapes in parts.items() for n, shape in shapes.items()}
