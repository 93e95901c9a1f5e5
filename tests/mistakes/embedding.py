"""Embedding and positions, right, with the arguments that tell mistakes from them."""

import math
from functools import partial

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula, close

RNG = np.random.default_rng(17)
IDS, E = np.array([4, 0, 2, 2, 7]), RNG.normal(size=(11, 9))
NEW, P = RNG.normal(size=(2, 6)), RNG.normal(size=(12, 6))


def embeddings_are_scaled_by_sqrt_d_model(embed):
    return close(embed(np.array([1]), np.ones((2, 9))), np.full((1, 9), 3.0))


def tied_head(E):
    return lambda hidden: tl.tied_logits(hidden, E)


def the_head_learns_with_the_embedding(tie):
    table = E.copy()
    head = tie(table)
    table += 1.0
    return close(head(np.ones((2, 9))), np.tile((E + 1).sum(axis=-1), (2, 1)))


def encoding(n, d_model):
    return tl.sinusoidal(n, d_model)


def is_the_encoding_of_the_paper(function):
    expected = [[0, 1, 0, 1], [math.sin(1), math.cos(1), math.sin(0.01), math.cos(0.01)]]
    return close(function(2, 4), expected)


def add_positions(X_new, n_seen, P):
    return X_new + tl.learned_positions(P, len(X_new), offset=n_seen)


def one_at_a_time_equals_all_at_once(function):
    rows = np.zeros((3, 6))
    return close(np.concatenate([function(rows[i : i + 1], i, P) for i in range(3)]), P[:3])


FORMULAS = {
    "one_hot": Formula(tl.one_hot, [(IDS, 11), (IDS, 8)]),
    "embed": Formula(
        partial(tl.embed, scale=True), [(IDS, E)], [embeddings_are_scaled_by_sqrt_d_model]
    ),
    "tied_head": Formula(tied_head, [], [the_head_learns_with_the_embedding]),
    "encoding": Formula(encoding, [(3, 6), (7, 2)], [is_the_encoding_of_the_paper]),
    "add_positions": Formula(
        add_positions, [(NEW, 0, P), (NEW, 3, P)], [one_at_a_time_equals_all_at_once]
    ),
}
