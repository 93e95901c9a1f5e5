"""The configuration, which specifies to which Transformer a set of parameters belongs."""

import difflib
import functools
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

from transformer_lib.formulas import checks
from transformer_lib.formulas.position_bias import relative_buckets

CHOICES = {
    "kind": ("encoder", "decoder", "encoder-decoder"),
    "activation": ("relu", "gelu", "gelu_tanh", "silu", "swiglu", "geglu", "geglu_tanh"),
    "norm": ("layer", "rms"),
    "place": ("pre", "post"),
    "position": ("sinusoidal", "learned", "rotary", "alibi", "t5", "none"),
}

THEIRS = {
    "vocab_size": "vocabulary_size",
    "hidden_size": "d_model",
    "n_embd": "d_model",
    "num_attention_heads": "heads",
    "n_head": "heads",
    "num_key_value_heads": "key_value_heads",
    "num_hidden_layers": "layers",
    "n_layer": "layers",
    "intermediate_size": "d_ff",
    "n_positions": "max_length",
    "max_position_embeddings": "max_length",
    "layer_norm_eps": "eps",
    "rms_norm_eps": "eps",
    "tie_word_embeddings": "tied",
}
"""What other libraries call our fields."""
MAY_BE_0 = ("layers", "padding_id", "token_types", "classes")


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """Everything that determines the shape of a model; the defaults are the paper's base model.

    Raises:
        TypeError: there is no such field.
        ValueError: a field is out of its range, or two fields are incompatible.

    Source: Vaswani et al. (2017), table 3, for the defaults.

    >>> Configuration(kind="decoder", vocabulary_size=100, d_model=64).d_k
    8
    """

    kind: str  # "encoder" (BERT), "decoder" (GPT) or "encoder-decoder" (the original, T5)
    # Sizes
    vocabulary_size: int  # vocab_size, V: the tokens that are read and predicted
    source_vocabulary_size: int | None = None  # of an encoder's own tokens; None shares them
    d_model: int = 512  # hidden_size, n_embd: the width of the residual stream
    layers: int = 6  # num_hidden_layers, N: in each stack
    heads: int = 8  # num_attention_heads, h: it divides d_model, or head_width is given
    key_value_heads: int | None = None  # num_key_value_heads: each for a group of heads; None for h
    head_width: int | None = None  # head_dim, d_k: None for d_model / heads
    d_ff: int = 2048  # intermediate_size: the width inside the feed-forward network
    # Layers
    activation: str = "relu"  # hidden_act; "swiglu", "geglu" and "geglu_tanh" are gated
    norm: str = "layer"  # "layer" norm or "rms" norm
    place: str = "post"  # pre-norm or post-norm; "pre" has one more norm after the stack
    eps: float = 1e-5  # layer_norm_eps, rms_norm_eps: what norms add under the root
    bias: bool = True  # of linear maps and layer norms; a gated feed-forward network has none
    dropout: float = 0.1  # after the embedding and in every sub-layer, while training
    scale_scores: bool = True  # divide scores by sqrt(d_k)
    window: int | None = None  # sliding_window: rows a row of a decoder attends to; None for all
    # Positions
    position: str = "sinusoidal"  # or "learned", "rotary" (RoPE), "alibi", "t5", "none"
    base: float = 10000.0  # rope_theta: of the wavelengths of sinusoidal and rotary positions
    halves: bool = False  # RoPE as in GPT-NeoX (rotate_half): pairs stand half a width apart
    max_length: int = 512  # max_position_embeddings, n_ctx: rows of the learned table
    buckets: int = 32  # relative_attention_num_buckets of "t5"
    max_distance: int = 128  # relative_attention_max_distance of "t5"
    padding_id: int | None = None  # pad_token_id: the id that no token attends to
    skip_padding: bool = False  # positions count the ids that are not padding_id
    # Embedding
    scale_embedding: bool = True  # multiply embeddings by sqrt(d_model)
    embedding_norm: bool = False  # a norm after the embedding
    token_types: int = 0  # type_vocab_size: segments (BERT); 0 for none
    side_positions: bool = False  # an encoder has learned positions and a norm of its own (BART)
    # Head
    tied: bool = True  # tie_word_embeddings: the head is the embedding, transposed
    scale_head: bool = False  # divide by sqrt(d_model) before the head (T5)
    head_bias: bool | None = None  # None for one where the head is not tied and `bias` is set
    head_transform: bool = False  # a dense layer, an activation and a norm before the head (BERT)
    head_activation: str | None = None  # of that dense layer; None for `activation`
    headless: bool = False  # the model gives its last rows and no logits
    classes: int = 0  # num_labels: what `classify` tells apart; 0 for none

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            _one_of(choices, **{name: getattr(self, name)})
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type in (int, int | None) and value is not None:
                checks.count(0 if field.name in MAY_BE_0 else 1, **{field.name: value})
            if field.type is bool or (field.type == bool | None and value is not None):
                _one_of((True, False), **{field.name: value})
        if self.head_activation is not None:
            _one_of(CHOICES["activation"], head_activation=self.head_activation)
        checks.positive(eps=self.eps, base=self.base)
        if not (isinstance(self.dropout, int | float) and 0 <= self.dropout < 1):
            raise ValueError(f"dropout must be from 0 to below 1, got {self.dropout!r}")
        self._fields_fit()

    def _fields_fit(self) -> None:
        if self.head_width is None and self.d_model % self.heads:
            raise ValueError(
                f"d_model must be a multiple of heads, got {self.d_model} and {self.heads}"
            )
        if self.heads % self.h_kv:
            raise ValueError(
                f"heads must be a multiple of key_value_heads, got {self.heads} and {self.h_kv}"
            )
        if self.position == "rotary" and self.d_k % 2:
            raise ValueError(f"rotary positions need an even d_k, got {self.d_k}")
        for sees_all, has in ((True, self.has_encoder), (False, self.has_decoder)):
            if self.position == "t5" and has:  # refuses what does not fit
                counts: Any = {"buckets": self.buckets, "max_distance": self.max_distance}
                relative_buckets(0, 0, bidirectional=sees_all, **counts)
        self._fields_fit_the_kind()

    def _fields_fit_the_kind(self) -> None:
        for name, kind in (("window", "decoder"), ("classes", "encoder")):
            if getattr(self, name) and self.kind != kind:
                raise ValueError(f"{name} is for a model of kind {kind!r}, got {self.kind!r}")
        if self.headless and (self.head_transform or self.has_head_bias or not self.tied):
            raise ValueError("headless is only for a tied model without other parts of a head")
        if self.skip_padding and self.padding_id is None:
            raise ValueError("skip_padding needs a padding_id, got None")
        shared = self.kind == "encoder-decoder" and self.source_vocabulary_size is None
        if self.side_positions and not shared:
            raise ValueError("side_positions is for an encoder-decoder of one vocabulary")
        if self.source_vocabulary_size is not None and self.kind != "encoder-decoder":
            raise ValueError(
                f"source_vocabulary_size is for an encoder-decoder, got kind {self.kind!r}"
            )
        if self.padding_id is not None and self.padding_id >= self.vocabulary_size:
            raise ValueError(
                f"padding_id must be below vocabulary_size, got {self.padding_id} "
                f"and {self.vocabulary_size}"
            )

    @property
    def d_k(self) -> int:
        """The dimension of a head."""
        return self.head_width or self.d_model // self.heads

    @property
    def h_kv(self) -> int:
        """The number of heads of keys and values."""
        return self.key_value_heads or self.heads

    @property
    def has_source_embedding(self) -> bool:
        """Whether the encoder of an encoder-decoder has its own embedding."""
        return self.source_vocabulary_size is not None or self.side_positions

    @property
    def has_head_bias(self) -> bool:
        """Whether the head has a bias."""
        return self.bias and not self.tied if self.head_bias is None else self.head_bias

    @property
    def has_encoder(self) -> bool:
        """Whether the model has a stack in which every token may attend to all tokens."""
        return self.kind != "decoder"

    @property
    def has_decoder(self) -> bool:
        """Whether the model has a stack in which every token sees only the past."""
        return self.kind != "encoder"


def _naming(init: Callable[..., None]) -> Callable[..., None]:
    """Refuse a field that there is not with the name that was probably meant."""

    @functools.wraps(init)
    def checked_init(self: Configuration, **given: Any) -> None:
        known = [field.name for field in fields(Configuration)]
        for name in given.keys() - set(known):
            near = [THEIRS[name]] if name in THEIRS else difflib.get_close_matches(name, known)
            meant = f"; did you mean {near[0]}?" if near else ""
            raise TypeError(f"Configuration has no field {name}{meant}")
        init(self, **given)

    return checked_init


Configuration.__init__ = _naming(Configuration.__init__)  # type: ignore[method-assign]


def _one_of(choices: tuple[Any, ...], **values: Any) -> None:
    for name, value in values.items():
        if value not in choices or type(value) is not type(choices[0]):
            raise ValueError(f"{name} must be one of {choices}, got {value!r}")
