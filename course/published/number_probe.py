"""Can a linear probe tell the number of a subject? w = X' (X X' + lambda I)^-1 y, y = -1 or 1.

new:      tested with nouns that the probe was not fitted to
known:    tested with the nouns that it was fitted to, before other attractors
control:  as known, but each form of a noun has a random label, which only memory can tell
"""

from typing import Any, NamedTuple

import numpy as np

from course.published.looking import Item, Run, plural_of, run, stream
from course.published.model import Published

NOUNS = """key door letter picture book report road window gift song story map ticket author owner
leader doctor student boy player farmer writer bird girl friend teacher king dog horse actor
soldier artist machine river gun bottle chair tower ship lawyer"""
FITTED, TESTED = "room house school tree".split(), "car city garden wall".split()
"""The attractors of the sentences that a probe is fitted to, and of those that it is tested on."""
FOLDS, LABELINGS = 5, 5  # parts of the nouns, and random labelings, over which means are taken
RIDGE = 0.01  # of the mean squared length of the vectors

Array = Any


class Told(NamedTuple):
    """The share that a probe tells right, for each noun."""

    new: Array
    known: Array
    control: Array


def probed(model: Published, nouns: str = NOUNS) -> Run:
    """Return a run on sentences such as "The keys near the house", of each noun eight.

    Raises:
        ValueError: a form of a noun takes several tokens.
    """
    found = []
    for i, noun in enumerate(nouns.split()):
        for places in (FITTED, TESTED):
            place = places[i % len(places)]
            found.append(Item((noun, plural_of(noun)), "near", (place, plural_of(place))))
    return run(model, found, keep=("resid_pre", "resid_post"))


def told(of: Run, layer: int, place: int, seed: int = 0) -> Told:
    """Return what probes tell from the stream after so many layers.

    Args:
        of: as `probed` returns it.
        layer: from 0 to all of the model.
        place: of the word whose vectors are read.
        seed: draws the parts of the nouns and the random labels.

    Source: Hewitt and Liang (2019), "Designing and interpreting probes with control tasks".
    """
    X = stream(of, layer)[:, place].astype(np.float64)
    X = X.reshape(-1, 2, 4, X.shape[-1])  # nouns, fitted or tested, four sentences, columns
    rng = np.random.default_rng(seed)
    number = np.broadcast_to([-1.0, -1.0, 1.0, 1.0], (*X.shape[:1], 4))
    part = rng.permutation(len(X)) % FOLDS
    new = np.zeros(len(X))
    for each in range(FOLDS):
        test = part == each
        new[test] = _right(X[~test, 0], number[~test], X[test, 1], number[test])
    control = np.zeros(len(X))
    for _ in range(LABELINGS):
        labels = np.repeat(rng.choice([-1.0, 1.0], (len(X), 2)), 2, axis=1)  # one for each form
        control += _right(X[:, 0], labels, X[:, 1], labels) / LABELINGS
    return Told(new, _right(X[:, 0], number, X[:, 1], number), control)


def _right(X: Array, y: Array, asked: Array, answers: Array) -> Array:
    """Fit a probe to sentences of some nouns, and return the share right of each asked noun."""
    flat, middle, offset = X.reshape(-1, X.shape[-1]), X.mean(axis=(0, 1)), y.mean()
    flat = flat - middle
    products = flat @ flat.T
    ridge = RIDGE * np.trace(products) / len(products) * np.eye(len(products))
    w = flat.T @ np.linalg.solve(products + ridge, y.ravel() - offset)
    return (((asked - middle) @ w + offset > 0) == (answers > 0)).mean(axis=1)
