"""A step of training beside the same model made of torch's.

The model has the shape of the original base model, narrower and with fewer layers.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional as F

import transformer_lib as tl
from transformer_lib.training import Batch

CONFIG = tl.Configuration(
    kind="encoder-decoder",
    vocabulary_size=1000,
    d_model=128,
    heads=8,
    layers=2,
    d_ff=512,
    dropout=0.0,
    padding_id=1,
)
# name: sentences, tokens of the longest
CASES = {"32 sentences of up to 20 tokens": (32, 20), "16 sentences of up to 100": (16, 100)}


class Theirs(torch.nn.Module):
    """The model of CONFIG, made of torch.nn's layers."""

    def __init__(self) -> None:
        super().__init__()
        d, sizes = CONFIG.d_model, (CONFIG.d_model, CONFIG.heads, CONFIG.d_ff)
        options: dict[str, Any] = {"dropout": 0.0, "batch_first": True}
        self.tokens = torch.nn.Embedding(CONFIG.vocabulary_size, d)
        encoder = torch.nn.TransformerEncoderLayer(*sizes, **options)
        decoder = torch.nn.TransformerDecoderLayer(*sizes, **options)
        self.encoder = torch.nn.TransformerEncoder(encoder, CONFIG.layers)
        self.decoder = torch.nn.TransformerDecoder(decoder, CONFIG.layers)
        torch.nn.init.normal_(self.tokens.weight, std=d**-0.5)
        self.register_buffer("positions", tl.sinusoidal(512, d, like=self.tokens.weight))

    def embed(self, ids: torch.Tensor) -> torch.Tensor:
        """Return scaled embeddings with their positions."""
        scaled = self.tokens(ids) * math.sqrt(CONFIG.d_model)
        return scaled + self.positions[: ids.shape[1]]  # type: ignore[index]

    def forward(self, ids: torch.Tensor, source: torch.Tensor) -> torch.Tensor:
        """Return logits by the tied head."""
        padding, later = source == CONFIG.padding_id, ~tl.causal_mask(ids.shape[1], like=ids)
        memory = self.encoder(self.embed(source), src_key_padding_mask=padding)
        hidden = self.decoder(
            self.embed(ids),
            memory,
            tgt_mask=later,
            tgt_key_padding_mask=ids == CONFIG.padding_id,
            memory_key_padding_mask=padding,
        )
        return hidden @ self.tokens.weight.T


def their_loss(model: Theirs, batch: Batch) -> torch.Tensor:
    """Return the mean loss over the real tokens."""
    assert batch.source is not None
    logits = model(batch.ids, batch.source)
    return F.cross_entropy(logits.flatten(0, 1), batch.targets.flatten())


def batch_of(sentences: int, longest: int) -> Batch:
    """Return a padded batch of random ids: sentences are from half as long to as long."""
    rng = torch.Generator().manual_seed(0)
    shape = (3, sentences, longest)
    ids, targets, source = torch.randint(4, CONFIG.vocabulary_size, shape, generator=rng)
    lengths = torch.randint(longest // 2, longest + 1, (sentences, 1), generator=rng)
    padded = torch.arange(longest) >= lengths
    pad = CONFIG.padding_id or 0
    return Batch(
        ids.masked_fill(padded, pad),
        targets.masked_fill(padded, -100),
        source.masked_fill(padded, pad),
    )


def next_loss(logits: Callable[[torch.Tensor], torch.Tensor], ids: torch.Tensor) -> torch.Tensor:
    """Return the mean loss of a decoder over the tokens that follow."""
    return F.cross_entropy(logits(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())


def step(model: Any, loss: Callable[[], torch.Tensor]) -> Callable[[], None]:
    """Return what takes one step: loss, gradient, clipping, AdamW."""
    adam = torch.optim.AdamW(model.parameters(), lr=1e-4, fused=True)

    def once() -> None:
        adam.zero_grad()
        loss().backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()

    return once
