"""Attention with several heads, right, with the arguments that tell mistakes from it."""

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula, close

RNG = np.random.default_rng(13)
X = RNG.normal(size=(3, 8))
W_Q, W_K, W_V, W_O = RNG.normal(size=(4, 8, 8))
HEADS = RNG.normal(size=(2, 3, 4))


def multi_head_attention(X, W_Q, W_K, W_V, W_O, h):
    return tl.multi_head_attention(X, X, W_Q, W_K, W_V, W_O, h=h)


def each_head_attends_on_its_own(function):
    heads = [
        tl.attention(X @ W_Q[:, c], X @ W_K[:, c], X @ W_V[:, c])
        for c in (slice(0, 4), slice(4, 8))
    ]
    return close(function(X, W_Q, W_K, W_V, W_O, 2), np.concatenate(heads, axis=-1) @ W_O)


def heads_are_groups_of_columns(split):
    return close(split(X, 2), [X[:, :4], X[:, 4:]])


def heads_stand_side_by_side(merge):
    return close(merge(HEADS), np.concatenate([HEADS[0], HEADS[1]], axis=-1))


FORMULAS = {
    "multi_head_attention": Formula(
        multi_head_attention,
        [(X, W_Q, W_K, W_V, W_O, 2), (X, W_Q, W_K, W_V, W_O, 4)],
        [each_head_attends_on_its_own],
    ),
    "split_heads": Formula(tl.split_heads, [(X, 4)], [heads_are_groups_of_columns]),
    "merge_heads": Formula(tl.merge_heads, [(HEADS,)], [heads_stand_side_by_side]),
}
