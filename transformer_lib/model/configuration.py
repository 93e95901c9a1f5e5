"""The configuration: which Transformer of the family a set of parameters is."""

from dataclasses import dataclass, fields
from typing import Any

from transformer_lib.formulas import checks

CHOICES = {
    "kind": ("encoder", "decoder", "encoder-decoder"),
    "activation": ("relu", "gelu", "gelu_tanh", "silu", "swiglu"),
    "norm": ("layer", "rms"),
    "place": ("pre", "post"),
    "position": ("sinusoidal", "learned", "rotary", "alibi", "t5", "none"),
}


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """Everything that fixes the shape of a model; the defaults are the base model of the paper.

    Args:
        kind: "encoder" (BERT), "decoder" (GPT) or "encoder-decoder" (the original, T5).
        vocabulary_size: V, the tokens the model reads and predicts.
        source_vocabulary_size: the tokens the encoder of an encoder-decoder reads, if they are
            others; None shares one vocabulary and one embedding between both sides.
        d_model: the width of the residual stream.
        heads: h, the number of heads; it divides d_model.
        layers: N, the layers of each stack.
        d_ff: the width inside the feed-forward layer.
        activation: "relu", "gelu", "gelu_tanh", "silu", or "swiglu" for the gated layer.
        norm: "layer" or "rms".
        place: "pre" puts the norm before each sub-layer and one more after the stack, "post" after
            each residual sum.
        position: "sinusoidal" or "learned" is added to the embedding, "rotary" turns queries and
            keys, "alibi" or "t5" is added to the scores of self-attention, "none".
        dropout: the share of entries set to 0 while training, after the embedding and in every
            sub-layer before its residual sum.
        tied: the head uses the embedding of the predicted tokens instead of its own matrix.
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

    def __post_init__(self) -> None:
        for name, choices in CHOICES.items():
            _one_of(choices, **{name: getattr(self, name)})
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type in (int, int | None) and value is not None:
                checks.count(
                    0 if field.name in ("layers", "padding_id") else 1, **{field.name: value}
                )
            if field.type is bool:
                _one_of((True, False), **{field.name: value})
        checks.positive(eps=self.eps, base=self.base)
        if not 0 <= self.dropout < 1:
            raise ValueError(f"dropout must be from 0 to below 1, got {self.dropout}")
        self._fields_fit()

    def _fields_fit(self) -> None:
        if self.d_model % self.heads:
            raise ValueError(
                f"d_model must be a multiple of heads, got {self.d_model} and {self.heads}"
            )
        if self.position == "rotary" and self.d_k % 2:
            raise ValueError(f"rotary positions need an even d_k, got d_model / heads = {self.d_k}")
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
        return self.d_model // self.heads

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
