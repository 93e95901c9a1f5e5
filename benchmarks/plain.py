"""Plain torch: GPT-2 with fused attention and one cache, what all decoders are measured by."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F


class Cache:
    """Room for the keys and values of all layers, taken once."""

    def __init__(self, layers: int, *shape: int) -> None:
        self.length = 0
        self.rooms = [(torch.empty(shape), torch.empty(shape)) for _ in range(layers)]

    def extend(self, i: int, k: torch.Tensor, v: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the keys and values of layer i so far, the new ones too."""
        n = self.length + k.shape[2]
        for room, new in zip(self.rooms[i], (k, v), strict=True):
            room[:, :, self.length : n] = new
        return self.rooms[i][0][:, :, :n], self.rooms[i][1][:, :, :n]


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
        if cache is not None:
            k, v = cache.extend(i, k, v)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=n > 1)
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
        start = 0 if cache is None else cache.length
        x = self.wte(ids) + self.wpe(torch.arange(start, start + ids.shape[1]))
        for i, block in enumerate(self.h):
            x = block(x, cache, i)
        if cache is not None:
            cache.length += ids.shape[1]
        return self.ln_f(x) @ self.wte.weight.T

    @torch.no_grad()
    def greedy(self, ids: torch.Tensor, count: int) -> torch.Tensor:
        """Return the ids with so many more, each the most probable."""
        heads, d = self.h[0].heads, self.wte.embedding_dim
        length = ids.shape[1] + count
        cache = Cache(len(self.h), len(ids), heads, length, d // heads)
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
