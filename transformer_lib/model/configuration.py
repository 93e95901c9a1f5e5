"""The configuration: which Transformer of the family a set of parameters is."""

from dataclasses import dataclass, fields
from typing import Any

from transformer_lib.formulas import checks

CHOICES = {
    "kind": ("encoder", "decoder", "encoder-decoder"),
    "activation": ("relu", "gelu", "gelu_tanh", "silu", "swiglu", "geglu", "geglu_tanh"),
    "norm": ("layer", "rms"),
    "place": ("pre", "post"),
    "position": ("sinusoidal", "learned", "rotary", "alibi", "t5", "none"),
}

MAY_BE_0 = ("layers", "padding_id", "token_types", "classes")


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """Everything that fixes the shape of a model; the defaults are the base model of the paper.

    Args:
        kind: "encoder" (BERT), "decoder" (GPT) or "encoder-decoder" (the original, T5).
        vocabulary_size: V, the tokens the model reads and predicts.
        source_vocabulary_size: the tokens the encoder of an encoder-decoder reads, if they are
            others; None shares one vocabulary and one embedding between both sides.
        d_model: the width of the residual stream.
        heads: h, the number of heads; it divides d_model unless head_width is given.
        key_value_heads: heads of keys and values, each shared by a group of heads; None for h.
        head_width: d_k, the width of a head; None for d_model / heads.
        layers: N, the layers of each stack.
        d_ff: the width inside the feed-forward layer.
        activation: "relu", "gelu", "gelu_tanh", "silu", or for the gated layer
            "swiglu", "geglu" or "geglu_tanh".
        norm: "layer" or "rms".
        place: "pre" puts the norm before each sub-layer and one more after the stack, "post" after
            each residual sum.
        position: "sinusoidal" or "learned" is added to the embedding, "rotary" turns queries and
            keys, "alibi" or "t5" is added to the scores of self-attention, "none".
        halves: pairs of columns that turn together, or a sine and its cosine, stand half a width
            apart, not side by side.
        skip_padding: positions count the ids that are not `padding_id`, mask or no mask.
        window: how many positions a row of the decoder attends to, its own the last; None for all.
        dropout: the share of entries set to 0 while training, after the embedding and in every
            sub-layer before its residual sum.
        embedding_norm: a norm after the embedding.
        token_types: rows of a table of token types, which is added to the embedding; 0 for none.
        side_positions: both sides of an encoder-decoder share tokens, but the encoder has learned
            positions and a norm after the embedding of its own.
        tied: the head uses the embedding of the predicted tokens instead of its own matrix.
        head_transform: a dense layer, the activation and a norm stand before the head.
        head_activation: of that dense layer; None for `activation`.
        head_bias: the head has a bias; None for one where it is not tied and `bias` is set.
        headless: there is no head, so a model gives its last rows and no logits.
        classes: what `classify` tells apart, from the first row of an encoder; 0 for no such head.
        scale_scores: divide scores by sqrt(d_k).
        scale_head: divide by sqrt(d_model) before the head.
        bias: linear maps and layer norms have biases; the gated feed-forward layer never does.
        eps: what the norms add under the root.
        max_length: rows of the learned position table.
        scale_embedding: multiply embeddings by sqrt(d_model).
        base: of the wavelengths of sinusoidal and rotary positions.
        buckets: relative positions that "t5" tells apart.
        max_distance: the distance from which on "t5" tells no difference.
        padding_id: the id that no token attends to, if there is one.

    Raises:
        ValueError: a field is out of its range, or two do not fit together.

    Source: Vaswani et al. (2017), table 3, for the defaults.

    >>> Configuration(kind="decoder", vocabulary_size=100, d_model=64).d_k
    8
    """

    kind: str
    vocabulary_size: int
    source_vocabulary_size: int | None = None
    d_model: int = 512
    heads: int = 8
    layers: int = 6
    d_ff: int = 2048
    activation: str = "relu"
    norm: str = "layer"
    place: str = "post"
    position: str = "sinusoidal"
    dropout: float = 0.1
    tied: bool = True
    bias: bool = True
    eps: float = 1e-5
    max_length: int = 512
    scale_embedding: bool = True
    base: float = 10000.0
    buckets: int = 32
    max_distance: int = 128
    padding_id: int | None = None
    key_value_heads: int | None = None
    head_width: int | None = None
    halves: bool = False
    skip_padding: bool = False
    window: int | None = None
    embedding_norm: bool = False
    token_types: int = 0
    side_positions: bool = False
    head_transform: bool = False
    head_activation: str | None = None
    headless: bool = False
    head_bias: bool | None = None
    classes: int = 0
    scale_scores: bool = True
    scale_head: bool = False

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
        self._fields_fit_the_kind()

    def _fields_fit_the_kind(self) -> None:
        for name, kind in (("window", "decoder"), ("classes", "encoder")):
            if getattr(self, name) and self.kind != kind:
                raise ValueError(f"{name} is for a model of kind {kind!r}, got {self.kind!r}")
        if self.headless and (self.head_transform or self.has_head_bias or not self.tied):
            raise ValueError("headless is for a model that is tied, without another part of a head")
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
        """The width of a head."""
        return self.head_width or self.d_model // self.heads

    @property
    def h_kv(self) -> int:
        """The number of heads of keys and values."""
        return self.key_value_heads or self.heads

    @property
    def has_source_embedding(self) -> bool:
        """Whether the encoder of an encoder-decoder has an embedding of its own."""
        return self.source_vocabulary_size is not None or self.side_positions

    @property
    def has_head_bias(self) -> bool:
        """Whether the head has a bias."""
        return self.bias and not self.tied if self.head_bias is None else self.head_bias

    @property
    def has_encoder(self) -> bool:
        """Whether there is a stack that sees all tokens at once."""
        return self.kind != "decoder"

    @property
    def has_decoder(self) -> bool:
        """Whether there is a stack that sees the past only."""
        return self.kind != "encoder"


def _one_of(choices: tuple[Any, ...], **values: Any) -> None:
    for name, value in values.items():
        if value not in choices or type(value) is not type(choices[0]):
            raise ValueError(f"{name} must be one of {choices}, got {value!r}")
