"""Each module on its own calls the formula of its name with its own parameters."""

from typing import Any

import pytest
import torch

import transformer_lib as tl
from transformer_lib import nn
from transformer_lib.transfer import TagHead, add_adapters

X = torch.randn(2, 3, 8, generator=torch.Generator().manual_seed(0))


def configuration(**changes: Any) -> nn.Configuration:
    fields: dict[str, Any] = dict(kind="encoder-decoder", vocabulary_size=5, d_model=8, heads=4)
    return nn.Configuration(**(fields | dict(layers=2, d_ff=12, dropout=0.0) | changes))


def test_self_attention_with_rotary_positions_turns_and_cross_attention_does_not() -> None:
    module = nn.MultiHeadAttention(configuration(position="rotary", base=100.0, heads=2))
    named = module.arrays()
    turned = tl.multi_head_attention(X, X, **named, h=2, rotary_base=100.0)
    torch.testing.assert_close(module(X), turned)
    torch.testing.assert_close(module(X, X), tl.multi_head_attention(X, X, **named, h=2))


def test_a_printed_model_shows_its_sizes() -> None:
    sizes = dict(vocabulary_size=11, d_model=8, heads=4, key_value_heads=2, layers=3, d_ff=12)
    config = nn.Configuration(kind="decoder", position="learned", max_length=9, **sizes)
    model = nn.Transformer(config, attention="fused")
    count = sum(p.numel() for p in model.parameters())
    says = [
        f"kind='decoder', vocabulary_size=11, d_model=8, heads=4, layers=3, d_ff=12, {count:,}",
        "tokens=(11, 8), positions=(9, 8)",
        "4 heads, 2 of keys and values, fused, W_Q=(8, 8), W_K=(8, 4), W_V=(8, 4), W_O=(8, 8)",
        "FeedForward(W_1=(8, 12), W_2=(12, 8), b_1=(12,), b_2=(8,))",
        "Norm(gain=(8,), bias=(8,))",
    ]
    shown = repr(model)
    assert [each for each in says if each not in shown] == []
    add_adapters(model, rank=5)
    assert "LowRank(A=(8, 5), B=(5, 4))" in repr(model)
    recurrent = repr(nn.RecurrentModel("rnn", vocabulary_size=11, d_model=8))
    assert "tokens=(11, 8)" in recurrent and "W_h=(8, 8)" in recurrent
    assert repr(TagHead(model, 7)) == "TagHead(W=(8, 7), b=(7,))"


@pytest.mark.parametrize("make", [nn.MultiHeadAttention, nn.FeedForward, nn.Norm])
@pytest.mark.usefixtures("unhooked")
def test_a_part_alone_refuses_rows_of_another_width(make: Any) -> None:
    config = nn.Configuration(kind="decoder", vocabulary_size=11, d_model=8, heads=2, layers=1)
    with pytest.raises(ValueError, match=r"X must have shape \(5, 8\), got shape \(5, 6\)"):
        make(config)(torch.ones(5, 6))
