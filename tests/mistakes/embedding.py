"""Embedding and positions, right, with the arguments that tell mistakes from them."""

from functools import partial

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula, close

RNG = np.random.default_rng(17)
IDS, E = np.array([4, 0, 2, 2, 7]), RNG.normal(size=(11, 9))
NEW, P = RNG.normal(size=(2, 6)), RNG.normal(size=(12, 6))


def tied_head(E):
    return lambda hidden: tl.tied_logits(hidden, E)


def the_head_learns_with_the_embedding(tie):
    table = E.copy()
    head = tie(table)
    table += 1.0
    return close(head(np.ones((2, 9))), np.tile((E + 1).sum(axis=-1), (2, 1)))


def encoding(n, d_model):
    return tl.sinusoidal(n, d_model)


def add_positions(X_new, n_seen, P):
    return X_new + tl.learned_positions(P, len(X_new), offset=n_seen)


FORMULAS = {
    "one_hot": Formula(tl.one_hot, [(IDS, 11), (IDS, 8)]),
    "embed": Formula(partial(tl.embed, scale=True), [(IDS, E)]),
    "tied_head": Formula(tied_head, [], [the_head_learns_with_the_embedding]),
    "encoding": Formula(encoding, [(3, 6), (7, 2)]),
    "add_positions": Formula(add_positions, [(NEW, 0, P), (NEW, 3, P)]),
}
