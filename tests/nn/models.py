"""Small models of every kind and field, and ids for them."""

from typing import Any

import torch

from transformer_lib import nn

SMALL: dict[str, Any] = dict(
    vocabulary_size=11, d_model=8, heads=2, layers=2, d_ff=12, dropout=0.0, max_length=9
)
FOUR_HEADS = SMALL | dict(heads=4, max_length=512)
LLAMA = dict(kind="decoder", place="pre", activation="swiglu", norm="rms", bias=False)
T5 = dict(kind="encoder-decoder", position="t5", norm="rms", place="pre", bias=False)
BERT = dict(kind="encoder", position="learned", activation="gelu")
CONFIGURATIONS = {
    "original": dict(kind="encoder-decoder"),
    "two vocabularies": dict(kind="encoder-decoder", source_vocabulary_size=13, position="learned"),
    "bert": BERT | dict(tied=False),
    "encoder, t5": dict(kind="encoder", position="t5", scale_embedding=False),
    "gpt-2": dict(kind="decoder", place="pre", position="learned", activation="gelu_tanh"),
    "llama": LLAMA | dict(position="rotary", tied=False),
    "alibi": dict(kind="decoder", position="alibi", activation="silu"),
    "t5": T5,
    "no positions": dict(kind="decoder", position="none", padding_id=1),
    "padding": dict(kind="encoder-decoder", padding_id=1, position="rotary"),
    "bert, its heads": BERT
    | dict(scale_embedding=False, embedding_norm=True, token_types=3, head_transform=True)
    | dict(head_activation="relu", head_bias=True, padding_id=1, skip_padding=True),
    "bart": dict(kind="encoder-decoder", position="learned", side_positions=True)
    | dict(embedding_norm=True, head_bias=True),
    "marian": dict(kind="encoder-decoder", halves=True, activation="silu", head_bias=True),
    "mistral": LLAMA
    | dict(position="rotary", halves=True, heads=4, head_width=4, key_value_heads=2, window=3),
    "window, alibi": dict(kind="decoder", position="alibi", window=2, embedding_norm=True),
    "t5, gated": T5
    | dict(head_width=6, activation="geglu_tanh", scale_scores=False, scale_head=True),
    "geglu, grouped": dict(kind="encoder-decoder", activation="geglu", key_value_heads=1)
    | dict(tied=False, head_bias=False),
}
IDS = torch.tensor([[3, 9, 1, 4, 10], [2, 2, 5, 1, 1]])
SOURCE = torch.tensor([[7, 1, 8, 2, 6, 3, 0], [4, 4, 10, 9, 1, 1, 1]])


def model_of(name: str = "", **changes: Any) -> nn.Transformer:
    fields: dict[str, Any] = SMALL | CONFIGURATIONS.get(name, {}) | changes
    model = nn.Transformer(nn.Configuration(**fields), seed=5).double()
    generator = torch.Generator().manual_seed(6)
    with torch.no_grad():  # biases start at 0 and gains at 1, where a mix-up would not show
        for parameter in model.parameters():
            parameter.add_(0.1 * torch.randn(parameter.shape, generator=generator))
    return model


def source_for(model: nn.Transformer) -> Any:
    return SOURCE if model.config.kind == "encoder-decoder" else None


def as_numpy(model: nn.Transformer) -> dict[str, Any]:
    return {name: value.numpy() for name, value in model.state_dict().items()}


class Doubled(torch.nn.Module):
    def forward(self, X: torch.Tensor) -> torch.Tensor:
        return 2 * X
