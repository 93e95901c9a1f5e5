"""Filters, draws and searches, right, with the arguments that tell mistakes from them."""

import itertools

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula

RNG = np.random.default_rng(29)
SHARES = RNG.dirichlet(np.ones(8))
TIES = np.repeat([1.0, 2.0, 1.0], 20) / 80
TENTHS = np.full(10, 0.1)


class Given(np.random.Generator):
    """A generator that gives one number."""

    def __init__(self, number):
        super().__init__(np.random.PCG64(0))
        self.number = number

    def random(self, size=None):
        return np.full(() if size is None else size, self.number)


def keep_top_k(probabilities, k):
    return tl.softmax(tl.keep_top_k(np.log(probabilities), k))


def top_p(probabilities, p):
    return tl.softmax(tl.keep_top_p(np.log(probabilities), p))


def draw(logits, temperature, u):
    return int(tl.draw(tl.softmax(tl.apply_temperature(logits, temperature)), Given(u)))


def table_of(seed, evenness=1.0):
    """The next token's probabilities after each sequence of up to four of three tokens."""
    rng = np.random.default_rng(seed)
    before = itertools.chain(*(itertools.product(range(3), repeat=n) for n in range(5)))
    return {ids: rng.dirichlet(np.full(3, evenness)) for ids in before}


def greedy(table, end, limit):
    found = tl.greedy_search(logits_of(table), [0], end=end, max_new_tokens=limit)
    return list(found.tokens)


def beam_search(table, end, width, limit, alpha):
    found = tl.beam_search(
        logits_of(table), [0], width=width, end=end, max_new_tokens=limit, alpha=alpha
    )
    return list(found.hypotheses[0].tokens)


def logits_of(table):
    return lambda ids: np.log(table[tuple(ids[1:])])


SEARCHES = [
    (table_of(seed, evenness), 1, width, 4, alpha)
    for seed in range(30)
    for evenness in (1.0, 3.0)
    for width, alpha in ((2, 0.0), (2, 1.0), (2, 2.0), (3, 1.0))
]
DRAWS = [
    (np.array([0.3, 1.2, -0.5, 0.9]), temperature, u)
    for temperature in (0.5, 2.0)
    for u in (0.05, 0.3, 0.55, 0.8, 0.97)
]

LOUD = np.array([1e4, 1e4 + 0.5, 0.0]), 1.0, 0.9
SHARP = np.array([1.0, 0.0]), 0.1, 0.99
FORBIDDEN = np.array([-1e9, 0.0, -1e9]), 1.0, 0.0
EQUALS = {(): np.array([0.2, 0.4, 0.4])}, 0, 1
LAST_OF_ALL = np.array([0.0, 0.0, -1e9]), 1.0, 1 - 2**-53

FORMULAS = {
    "keep_top_k": Formula(keep_top_k, [(SHARES, 3), (TIES, 3), (TIES, 30), (SHARES, 8)]),
    "top_p": Formula(
        top_p,
        [(SHARES, 0.7), (TENTHS, 0.8), (SHARES, 0.01), (np.full(200, 1 / 200), 0.9)],
    ),
    "draw": Formula(
        draw,
        [*DRAWS, LOUD, LAST_OF_ALL, FORBIDDEN, SHARP],
    ),
    "greedy": Formula(
        greedy,
        [*((table_of(seed), 1, limit) for seed in range(20) for limit in (3, 5)), EQUALS],
    ),
    "beam_search": Formula(beam_search, SEARCHES),
}
