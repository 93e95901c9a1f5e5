"""Plain torch: LLaMA with fused attention, shared keys and one cache, what ours is measured by."""

from typing import Any

import torch
from torch import nn
from torch.nn import functional as F

from benchmarks.plain import Cache


def turned(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Turn pairs of columns that stand half a head apart."""
    one, other = x.chunk(2, dim=-1)
    return x * cos + torch.cat([-other, one], dim=-1) * sin


class Block(nn.Module):
    """A layer, its norms first."""

    def __init__(self, given: Any) -> None:
        super().__init__()
        d, wide, self.head = given.hidden_size, given.intermediate_size, given.head_dim
        own, shared = (
            self.head * heads for heads in (given.num_attention_heads, given.num_key_value_heads)
        )
        self.input_layernorm = nn.RMSNorm(d, eps=given.rms_norm_eps)
        self.post_attention_layernorm = nn.RMSNorm(d, eps=given.rms_norm_eps)
        self.q_proj, self.o_proj = nn.Linear(d, own, bias=False), nn.Linear(own, d, bias=False)
        self.k_proj, self.v_proj = (nn.Linear(d, shared, bias=False) for _ in range(2))
        self.gate_proj, self.up_proj = (nn.Linear(d, wide, bias=False) for _ in range(2))
        self.down_proj = nn.Linear(wide, d, bias=False)

    def forward(self, x: torch.Tensor, turns: Any, cache: Cache, i: int) -> torch.Tensor:
        """Return x after both sub-layers; the cache has keys and values so far."""
        batch, n, _ = x.shape
        normed = self.input_layernorm(x)
        q, k, v = (
            part(normed).view(batch, n, -1, self.head).transpose(1, 2)
            for part in (self.q_proj, self.k_proj, self.v_proj)
        )
        k, v = cache.extend(i, turned(k, *turns), v)
        mixed = F.scaled_dot_product_attention(
            turned(q, *turns), k, v, is_causal=n > 1, enable_gqa=True
        )
        x = x + self.o_proj(mixed.transpose(1, 2).reshape(batch, n, -1))
        normed = self.post_attention_layernorm(x)
        return x + self.down_proj(F.silu(self.gate_proj(normed)) * self.up_proj(normed))


class PlainLlama(nn.Module):
    """The whole model, with the parameters of one of transformers."""

    def __init__(self, theirs: Any) -> None:
        super().__init__()
        self.given = given = theirs.config
        self.layers = nn.ModuleList(Block(given) for _ in range(given.num_hidden_layers))
        self.norm = nn.RMSNorm(given.hidden_size, eps=given.rms_norm_eps)
        self.embed_tokens = nn.Embedding(given.vocab_size, given.hidden_size)
        state = theirs.model.state_dict()
        short = {n.replace("self_attn.", "").replace("mlp.", ""): x for n, x in state.items()}
        self.load_state_dict(short, assign=True)
        self.head = theirs.lm_head.weight
        base, halves = given.rope_parameters["rope_theta"], torch.arange(0, given.head_dim, 2)
        angles = torch.arange(given.max_position_embeddings)[:, None] / base ** (
            halves / given.head_dim
        )
        self.turns = torch.cat([angles, angles], -1)

    def forward(self, ids: torch.Tensor, cache: Cache) -> torch.Tensor:
        """Return the logits of the last position."""
        angles = self.turns[cache.length : cache.length + ids.shape[1]]
        x, turns = self.embed_tokens(ids), (angles.cos(), angles.sin())
        for i, block in enumerate(self.layers):
            x = block(x, turns, cache, i)
        cache.length += ids.shape[1]
        return self.norm(x[:, -1]) @ self.head.T

    @torch.no_grad()
    def greedy(self, ids: torch.Tensor, count: int) -> torch.Tensor:
        """Return the ids with so many more, each the most probable."""
        given, length = self.given, ids.shape[1] + count
        cache = Cache(len(self.layers), len(ids), given.num_key_value_heads, length, given.head_dim)
        new = ids
        for _ in range(count):
            new = self(new, cache).argmax(-1, keepdim=True)
            ids = torch.cat([ids, new], dim=1)
        return ids
