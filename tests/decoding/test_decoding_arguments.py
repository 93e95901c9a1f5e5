import math
from functools import partial

import numpy as np
import pytest

import transformer_lib as tl
from tests.refusals import refusals

pytestmark = pytest.mark.usefixtures("unhooked")

METHODS = {
    "greedy": tl.greedy_search,
    "sample": lambda *a, **k: tl.sample(*a, rng=np.random.default_rng(0), **k),
    "beam": lambda *a, **k: tl.beam_search(*a, width=2, **k),
    "exhaustive": tl.exhaustive_search,
}
GOOD = {"next_logits": lambda ids: np.zeros(4), "prefix": [1], "end": 0, "max_new_tokens": 2}


def answer(logits):
    return {"next_logits": lambda ids: logits}


IDS, END = "prefix must be a list of one or more ids", "end must be an id of 0 or more, or None"
LIMIT, SHAPE = (
    "max_new_tokens must be an integer of 1 or more",
    r"next_logits must return shape \(V,\)",
)
FINITE = "next_logits must return numbers that are finite"
BAD = [
    *((IDS, {"prefix": bad}) for bad in ([], np.array([1]), [1.0], [True], [1, -1], [[1]])),
    ("prefix must contain ids below V = 4", {"prefix": [4]}),
    (END, {"end": 1.0}),
    ("end must be an id below V = 4", {"end": 4}),
    (LIMIT, {"max_new_tokens": 2.0}),
    (LIMIT, {"max_new_tokens": None}),
    ("logits must be a numpy array", answer([0.0] * 4)),
    (SHAPE, answer(np.zeros((1, 4)))),
    (SHAPE, answer(np.zeros(0))),
    ("logits must contain real numbers", answer(np.ones(4, bool))),
    *((FINITE, answer(np.array([0, 0, 0, bad]))) for bad in (np.nan, np.inf)),
    (FINITE, answer(np.full(4, -np.inf))),  # nothing is possible
]
test_bad_input = refusals(
    *((message, (method, bad)) for method in METHODS.values() for message, bad in BAD),
    of=lambda given: given[0](**(GOOD | given[1])),
)


@pytest.mark.parametrize("method", METHODS)
def test_integer_logits_are_promoted_and_numpy_integers_are_ids(method):
    options = {"end": np.int64(0), "max_new_tokens": np.int64(2)}
    assert METHODS[method](lambda ids: np.array([0, 1, 2, 3]), [np.int64(1)], **options)


BEAM = partial(tl.beam_search, **GOOD)
test_bad_alpha = refusals(
    *(
        ("alpha must be 0 or more and finite", partial(call, alpha=alpha))
        for alpha in (-0.1, math.inf, math.nan)
        for call in (
            partial(tl.length_penalty, 3),
            partial(BEAM, width=2),
            partial(tl.exhaustive_search, **GOOD),
        )
    )
)
test_bad_sizes = refusals(
    *(
        ("width must be an integer of 1 or more", partial(BEAM, width=bad))
        for bad in (0, -1, 2.0, True, None)
    ),
    *(
        ("length must be an integer of 0 or more", partial(tl.length_penalty, bad, 0.6))
        for bad in (-1, 1.5, True)
    ),
    (
        "must be at most 100000, got 4 ",
        partial(tl.exhaustive_search, **GOOD | {"max_new_tokens": 9}),
    ),
)
