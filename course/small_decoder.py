"""A decoder of one layer in NumPy, with its gradients and its training written out by hand.

Up to `loss_and_gradients` these are the lines of *The whole model on one page*, where a reader
meets them one by one and may break them; a test compares both.
"""

import functools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from transformer_lib import sinusoidal, softmax as checked_softmax

HEADS = 4
softmax = checked_softmax.formula  # unchecked: a training calls it thousands of times
Array = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int64]
Arrays = dict[str, Array]
Batch = tuple[Ids, Ids]
"""Ids that are read, and the next words, -1 where there is none; both (sentences, words)."""


@functools.cache
def positions(n: int, D: int) -> Array:
    """Return the vectors of so many positions, (n, D)."""
    found: Array = sinusoidal(n, D)
    return found


def split(X: Array) -> Array:
    """Return one matrix for each head."""
    return X.reshape(*X.shape[:-1], HEADS, -1).swapaxes(-2, -3)


def join(X: Array) -> Array:
    """Return the heads side by side again."""
    return X.swapaxes(-2, -3).reshape(*X.shape[:-3], X.shape[-2], -1)


def unit(X: Array) -> tuple[Array, Array]:
    """Return the norm of each vector, and what it divided by."""
    scale = np.sqrt(X.var(-1, keepdims=True) + 1e-5)
    return (X - X.mean(-1, keepdims=True)) / scale, scale


def forward(T: Arrays, ids: Ids) -> tuple[Array, tuple[Array, ...]]:
    """Return the logits of ids (..., words), and every value on the way."""
    n, D = ids.shape[-1], T["E"].shape[1]
    X = T["E"][ids] * np.sqrt(D) + positions(n, D)
    A, a = unit(X)
    Q, K, U = (split(A @ T[name]) for name in ("W_Q", "W_K", "W_V"))
    scores = Q @ K.mT / np.sqrt(D / HEADS)
    W = softmax(np.where(np.tri(n, dtype=bool), scores, -np.inf))
    H = join(W @ U)
    X = X + H @ T["W_O"]
    F, f = unit(X)
    R = np.maximum(F @ T["W_1"], 0)
    Y, y = unit(X + R @ T["W_2"])
    return Y @ T["E"].T, (A, a, Q, K, U, W, H, F, f, R, Y, y)


def named(T: Arrays, ids: Ids) -> Arrays:
    """Return every value on the way of ids by its letter, as the page names it."""
    return dict(zip("AaQKUWHFfRYy", forward(T, ids)[1], strict=True))


def stream(T: Arrays, ids: Ids) -> Array:
    """Return the vectors of one sentence at the start, after attention and after feed-forward."""
    n, D = len(ids), T["E"].shape[1]
    passed = named(T, ids)
    start = T["E"][ids] * np.sqrt(D) + positions(n, D)
    return np.cumsum([start, passed["H"] @ T["W_O"], passed["R"] @ T["W_2"]], axis=0)


def unit_back(dY: Array, Y: Array, scale: Array) -> Any:
    """Return the gradient of what a norm read."""
    along = Y * (dY * Y).mean(-1, keepdims=True)
    return (dY - dY.mean(-1, keepdims=True) - along) / scale


def product_back(X: Array, dZ: Array) -> Any:
    """Return the gradient of W where Z = X W."""
    return X.reshape(-1, X.shape[-1]).T @ dZ.reshape(-1, dZ.shape[-1])


def loss_and_gradients(T: Arrays, ids: Ids, targets: Ids) -> tuple[float, Arrays]:
    """Return the mean loss of the next words, and its gradient with respect to each array."""
    logits, (A, a, Q, K, U, W, H, F, f, R, Y, y) = forward(T, ids)
    row, place = np.nonzero(targets >= 0)  # padding has the target -1
    right = (row, place, targets[row, place])
    dL = softmax(logits) * (targets >= 0)[..., None] / len(row)
    loss = -np.log(dL[right] * len(row)).mean()
    dL[right] -= 1 / len(row)
    G = {"E": product_back(dL, Y)}
    dX = unit_back(dL @ T["E"], Y, y)
    G["W_2"] = product_back(R, dX)
    dR = dX @ T["W_2"].T * (R > 0)
    G["W_1"] = product_back(F, dR)
    dX = dX + unit_back(dR @ T["W_1"].T, F, f)
    G["W_O"] = product_back(H, dX)
    dH = split(dX @ T["W_O"].T)
    dW = dH @ U.mT
    dS = W * (dW - (W * dW).sum(-1, keepdims=True)) / np.sqrt(U.shape[-1])
    dA = 0 * A
    for name, d in (("W_Q", dS @ K), ("W_K", dS.mT @ Q), ("W_V", W.mT @ dH)):
        G[name] = product_back(A, join(d))
        dA = dA + join(d) @ T[name].T
    dX = dX + unit_back(dA, A, a)
    np.add.at(G["E"], ids, dX * np.sqrt(T["E"].shape[1]))
    return loss, G


def start(rng: np.random.Generator, vocabulary_size: int, d_model: int = 32) -> Arrays:
    """Return small random numbers to begin with, for heads that share d_model columns."""
    if d_model % (2 * HEADS):
        raise ValueError(f"d_model must be a multiple of {2 * HEADS}, got {d_model}")
    shapes = {f"W_{name}": (d_model, d_model) for name in "QKVO"}
    shapes |= {"E": (vocabulary_size, d_model)}
    shapes |= {"W_1": (d_model, 4 * d_model), "W_2": (4 * d_model, d_model)}
    return {name: rng.normal(0, d_model**-0.5, shape) for name, shape in shapes.items()}


def schedule(t: int, steps: int) -> float:
    """Return the share of the learning rate at a step, from 1: it grows over 50 steps and falls."""
    return min(1, t / 50, 2 * (1 - t / steps))


def train(
    T: Arrays, draw_batch: Callable[[], Batch], *, steps: int = 400, rate: float = 0.01
) -> Iterator[float]:
    """Change T by Adam, one step each time that the next loss is asked for.

    The rate grows over 50 steps and falls to 0 in a straight line over the last half.
    """
    flat = np.concatenate([T[name].ravel() for name in T])
    ends = np.cumsum([T[name].size for name in T])[:-1]
    for name, part in zip(T, np.split(flat, ends), strict=True):
        T[name] = part.reshape(T[name].shape)  # a view: each step is one for all arrays
    mean, square = 0 * flat, 0 * flat
    for t in range(1, steps + 1):
        loss, G = loss_and_gradients(T, *draw_batch())
        now = rate * schedule(t, steps)
        g = np.concatenate([G[name].ravel() for name in T])
        mean += 0.1 * (g - mean)
        square += 0.01 * (g**2 - square)
        typical = np.sqrt(square / (1 - 0.99**t)) + 1e-8
        flat -= now * mean / (1 - 0.9**t) / typical
        yield loss
