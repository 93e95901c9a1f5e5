"""Softmax and attention, right, with the arguments that tell mistakes from them."""

import math

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula, close

RNG = np.random.default_rng(7)
Q, K, V = RNG.normal(size=(3, 4)), RNG.normal(size=(5, 4)), RNG.normal(size=(5, 2))
Y, X = RNG.normal(size=(3, 6)), RNG.normal(size=(5, 4))
W_Q, W_K, W_V = RNG.normal(size=(6, 7)), RNG.normal(size=(4, 7)), RNG.normal(size=(4, 2))
SQUARE = RNG.normal(size=(4, 4))


def rows_sum_to_one(softmax):
    return close(softmax(X).sum(axis=-1), np.ones(5))


def survives_large_scores(softmax):
    return close(softmax(np.array([[1e4, 0.0], [0.0, 0.0]])), [[1, 0], [0.5, 0.5]])


def scores_are_divided_by_sqrt_d_k(attention):
    # d_k = 4: the scores 2 log 9 and 0 become log 9 and 0, so the weights are 0.9 and 0.1.
    q = np.array([[2.0, 0.0, 0.0, 0.0]])
    k = np.array([[math.log(9), 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    return close(attention(q, k, np.array([[1.0], [0.0]])), [[0.9]])


def cross_attention(Y, X, W_Q, W_K, W_V):
    return tl.attention(Y @ W_Q, X @ W_K, X @ W_V)


def order_of_the_memory_does_not_matter(function):
    turned = function(Y, X[::-1].copy(), W_Q, W_K, W_V)
    return close(turned, function(Y, X, W_Q, W_K, W_V))


def the_memory_is_read(function):
    one = function(Y[:, :4], X, W_Q[:4], W_K, W_V)
    return not close(function(Y[:, :4], 2 * X, W_Q[:4], W_K, W_V), one)


FORMULAS = {
    "softmax": Formula(
        tl.softmax,
        [(X,), (np.array([[1000.0, 900.0], [-1000.0, -999.0]]),)],
        [rows_sum_to_one, survives_large_scores],
    ),
    "attention": Formula(tl.attention, [(Q, K, V)], [scores_are_divided_by_sqrt_d_k]),
    "cross_attention": Formula(
        cross_attention,
        [(Y, X, W_Q, W_K, W_V), (X[:, ::-1] + 1, X, SQUARE, W_K[:, :4], W_V)],
        [order_of_the_memory_does_not_matter, the_memory_is_read],
    ),
}
