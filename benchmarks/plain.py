"""Forty lines of plain torch: GPT-2 with fused attention, what all decoders are measured by."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

Cache = list[tuple[torch.Tensor, torch.Tensor] | None]


class Block(nn.Module):
    """A layer, its norms first."""

    def __init__(self, d: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.ln_1, self.ln_2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.c_attn, self.c_proj = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.c_fc, self.out = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x: torch.Tensor, cache: Cache | None, i: int) -> torch.Tensor:
        """Return x after both sub-layers; the cache, if any, has keys and values so far."""
        batch, n, d = x.shape
        parts = self.c_attn(self.ln_1(x)).split(d, dim=-1)
        q, k, v = (p.view(batch, n, self.heads, -1).transpose(1, 2) for p in parts)
        past = None if cache is None else cache[i]
        if past is not None:
            k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
        if cache is not None:
            cache[i] = (k, v)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=past is None)
        x = x + self.c_proj(mixed.transpose(1, 2).reshape(batch, n, d))
        return x + self.out(F.gelu(self.c_fc(self.ln_2(x)), approximate="tanh"))


class Plain(nn.Module):
    """The whole model, with a tied head."""

    def __init__(self, vocabulary: int, length: int, d: int, heads: int, layers: int) -> None:
        super().__init__()
        self.wte, self.wpe = nn.Embedding(vocabulary, d), nn.Embedding(length, d)
        self.h = nn.ModuleList(Block(d, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(d)

    def forward(self, ids: torch.Tensor, cache: Cache | None = None) -> torch.Tensor:
        """Return logits."""
        first = None if cache is None else cache[0]
        start = 0 if first is None else first[0].shape[2]
        x = self.wte(ids) + self.wpe(torch.arange(start, start + ids.shape[1]))
        for i, block in enumerate(self.h):
            x = block(x, cache, i)
        return self.ln_f(x) @ self.wte.weight.T

    @torch.no_grad()
    def greedy(self, ids: torch.Tensor, count: int) -> torch.Tensor:
        """Return the ids with so many more, each the most probable."""
        cache: Cache = [None] * len(self.h)
        new = ids
        for _ in range(count):
            new = self(new, cache)[:, -1].argmax(-1, keepdim=True)
            ids = torch.cat([ids, new], dim=1)
        return ids


def from_gpt2(model: Any) -> Plain:
    """Return the plain model with the parameters of one of transformers."""
    given = model.config
    sizes = (given.vocab_size, given.n_positions, given.n_embd, given.n_head, given.n_layer)
    plain, renamed = Plain(*sizes), {}
    for name, value in model.transformer.state_dict().items():
        short = name.replace("mlp.c_proj", "out").replace("attn.", "", 1).replace("mlp.", "")
        renamed[short] = value.T if ".c_" in name and name.endswith("weight") else value
    plain.load_state_dict(renamed)
    return plain
