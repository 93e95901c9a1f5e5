"""Attention with several heads, right, with the arguments that tell mistakes from it."""

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula

RNG = np.random.default_rng(13)
X = RNG.normal(size=(3, 8))
W_Q, W_K, W_V, W_O = RNG.normal(size=(4, 8, 8))
HEADS = RNG.normal(size=(2, 3, 4))


def multi_head_attention(X, W_Q, W_K, W_V, W_O, h):
    return tl.multi_head_attention(X, X, W_Q, W_K, W_V, W_O, h=h)


FORMULAS = {
    "multi_head_attention": Formula(
        multi_head_attention,
        [(X, W_Q, W_K, W_V, W_O, 2), (X, W_Q, W_K, W_V, W_O, 4)],
    ),
    "split_heads": Formula(tl.split_heads, [(X, 4)]),
    "merge_heads": Formula(tl.merge_heads, [(HEADS,)]),
}
