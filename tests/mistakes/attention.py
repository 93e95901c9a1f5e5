"""Softmax and attention, right, with the arguments that tell mistakes from them."""

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula

RNG = np.random.default_rng(7)
Q, K, V = RNG.normal(size=(3, 4)), RNG.normal(size=(5, 4)), RNG.normal(size=(5, 2))
Y, X = RNG.normal(size=(3, 6)), RNG.normal(size=(5, 4))
W_Q, W_K, W_V = RNG.normal(size=(6, 7)), RNG.normal(size=(4, 7)), RNG.normal(size=(4, 2))
SQUARE = RNG.normal(size=(4, 4))


def cross_attention(Y, X, W_Q, W_K, W_V):
    return tl.attention(Y @ W_Q, X @ W_K, X @ W_V)


FORMULAS = {
    "softmax": Formula(tl.softmax, [(X,), (np.array([[1000.0, 900.0], [-1000.0, -999.0]]),)]),
    "attention": Formula(tl.attention, [(Q, K, V)]),
    "cross_attention": Formula(
        cross_attention,
        [(Y, X, W_Q, W_K, W_V), (X[:, ::-1] + 1, X, SQUARE, W_K[:, :4], W_V)],
    ),
}
