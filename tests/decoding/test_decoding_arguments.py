import math

import numpy as np
import pytest

import transformer_lib as tl

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


BAD = {
    "no function": ({"next_logits": np.zeros(4)}, "next_logits must be callable"),
    "empty prefix": ({"prefix": []}, "prefix must be a list of one or more ids"),
    "prefix array": ({"prefix": np.array([1])}, "prefix must be a list"),
    "prefix text": ({"prefix": "the"}, "prefix must be a list"),
    "prefix floats": ({"prefix": [1.0]}, "prefix must be a list"),
    "prefix booleans": ({"prefix": [True]}, "prefix must be a list"),
    "prefix negative": ({"prefix": [1, -1]}, "prefix must be a list"),
    "prefix nested": ({"prefix": [[1]]}, "prefix must be a list"),
    "prefix id too large": ({"prefix": [4]}, "prefix must hold ids below V = 4"),
    "end negative": ({"end": -1}, "end must be an id of 0 or more, or None"),
    "end float": ({"end": 1.0}, "end must be an id of 0 or more, or None"),
    "end too large": ({"end": 4}, "end must be an id below V = 4"),
    "no tokens": ({"max_new_tokens": 0}, "max_new_tokens must be an integer of 1 or more"),
    "limit float": ({"max_new_tokens": 2.0}, "max_new_tokens must be an integer of 1 or more"),
    "limit None": ({"max_new_tokens": None}, "max_new_tokens must be an integer of 1 or more"),
    "logits list": (answer([0.0] * 4), "logits must be a numpy array"),
    "logits rank": (answer(np.zeros((1, 4))), r"next_logits must return shape \(V,\)"),
    "logits empty": (answer(np.zeros(0)), r"next_logits must return shape \(V,\)"),
    "logits boolean": (answer(np.ones(4, bool)), "logits must hold real numbers"),
    "logits nan": (answer(np.array([0, 0, 0, np.nan])), "next_logits must return finite"),
    "logits inf": (answer(np.array([0, 0, 0, np.inf])), "next_logits must return finite"),
    "nothing possible": (answer(np.full(4, -np.inf)), "next_logits must return finite"),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("case", BAD)
def test_bad_input(method, case):
    change, message = BAD[case]
    arguments = GOOD | change
    with pytest.raises(ValueError, match=message):
        METHODS[method](arguments.pop("next_logits"), arguments.pop("prefix"), **arguments)


@pytest.mark.parametrize("method", METHODS)
def test_integer_logits_are_promoted_and_numpy_integers_are_ids(method):
    options = {"end": np.int64(0), "max_new_tokens": np.int64(2)}
    assert METHODS[method](lambda ids: np.array([0, 1, 2, 3]), [np.int64(1)], **options)


@pytest.mark.parametrize("alpha", [-0.1, math.inf, math.nan])
def test_bad_alpha(alpha):
    for call in (
        lambda: tl.length_penalty(3, alpha),
        lambda: tl.beam_search(
            lambda i: np.zeros(4), [1], width=2, end=0, max_new_tokens=2, alpha=alpha
        ),
        lambda: tl.exhaustive_search(
            lambda i: np.zeros(4), [1], end=0, max_new_tokens=2, alpha=alpha
        ),
    ):
        with pytest.raises(ValueError, match="alpha must be 0 or more and finite"):
            call()


@pytest.mark.parametrize("width", [0, -1, 2.0, True, None])
def test_bad_width(width):
    with pytest.raises(ValueError, match="width must be an integer of 1 or more"):
        tl.beam_search(lambda ids: np.zeros(4), [1], width=width, end=0, max_new_tokens=2)


@pytest.mark.parametrize("length", [-1, 1.5, True])
def test_bad_length(length):
    with pytest.raises(ValueError, match="length must be an integer of 0 or more"):
        tl.length_penalty(length, 0.6)


def test_bad_rng():
    with pytest.raises(ValueError, match="rng must be a numpy"):
        tl.sample(lambda ids: np.zeros(4), [1], rng=0, end=0, max_new_tokens=2)


def test_too_many_sequences():
    with pytest.raises(ValueError, match="must be at most 100000, got 4 "):
        tl.exhaustive_search(lambda ids: np.zeros(4), [1], end=0, max_new_tokens=9)
