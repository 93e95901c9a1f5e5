"""Norms, the residual path and the feed-forward network, right, with telling arguments."""

from functools import partial

import numpy as np

import transformer_lib as tl
from tests.mistakes.formula import Formula

RNG = np.random.default_rng(19)
X = RNG.normal(size=(2, 3, 4))
GAIN, BIAS = RNG.normal(size=(2, 4))
ROWS, WEIGHTS = RNG.normal(size=(5, 4)), RNG.normal(size=(2, 4, 4))
NETWORK = [RNG.normal(size=shape) for shape in ((4, 4), (4,), (4, 4), (4,))]


def layer_norm(X, gain, bias, eps):
    return tl.layer_norm(X, gain, bias, eps=eps)


def rms_norm(X, gain, eps):
    return tl.rms_norm(X, gain, eps=eps)


def through_layers(X, weights, place):
    norm = partial(tl.layer_norm, eps=1e-14)
    for W in weights:
        X = tl.sublayer(X, lambda rows, W=W: np.maximum(0, rows @ W), norm, place)
    return norm(X) if place == "pre" else X


def feed_forward(X, W_1, b_1, W_2, b_2, activation):
    bend = {"relu": tl.relu, "gelu": tl.gelu}[activation]
    return tl.feed_forward(X, W_1, W_2, b_1, b_2, activation=bend)


FORMULAS = {
    "layer_norm": Formula(layer_norm, [(X, GAIN, BIAS, 0.1)]),
    "rms_norm": Formula(rms_norm, [(X, GAIN, 0.1)]),
    "through_layers": Formula(
        through_layers,
        [(ROWS, WEIGHTS, "pre"), (ROWS, WEIGHTS, "post"), (ROWS, [], "post")],
    ),
    "feed_forward": Formula(feed_forward, [(X, *NETWORK, "relu"), (X, *NETWORK, "gelu")]),
}
