"""Windows of a long array: where they begin, what they hold, and files of ids."""

from collections import Counter
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.refusals import refusals
from transformer_lib.training import get_batch, window_draws, windows_in_turn

IDS = np.arange(100, 200, dtype=np.uint16)


def test_a_target_is_the_next_id_and_every_start_is_as_likely() -> None:
    rng, starts = np.random.default_rng(0), Counter[int]()
    for _ in range(300):
        batch = get_batch(IDS, batch_size=32, length=7, rng=rng)
        assert batch.ids.shape == batch.targets.shape == (32, 7)
        assert (batch.ids[:, 1:] == batch.targets[:, :-1]).all()
        assert (batch.targets == batch.ids + 1).all()
        starts.update(batch.ids[:, 0].tolist())
    assert set(starts) == set(range(100, 193))  # the last window and its last target end the text
    expected = 300 * 32 / 93
    assert max(abs(n - expected) for n in starts.values()) < 5 * expected**0.5


def test_the_same_generator_gives_the_same_windows() -> None:
    draws = window_draws(IDS, batch_size=3, length=5)
    one, other = (draws(np.random.default_rng(4)) for _ in range(2))
    assert (one.ids == other.ids).all()


@pytest.mark.parametrize("count", [8, 9, 10, 30, 31, 37])
def test_windows_in_turn_have_each_target_once(count: int) -> None:
    batches = windows_in_turn(IDS[:count], batch_size=4, length=3)
    targets = [i for batch in batches for i in batch.targets.flatten().tolist()]
    assert targets == IDS[1:count].tolist()
    assert all(len(batch.ids) <= 4 for batch in batches)


BAD: list[tuple[str, dict[str, Any]]] = [
    ("length must be below the 100 ids of the text, .* got 100: take", dict(length=100)),
    ("length must be an integer of 1 or more", dict(length=0)),
    ("batch_size must be an integer of 1 or more", dict(batch_size=0)),
    ("ids must be a numpy array of integers of one axis", dict(ids=[1, 2, 3])),
    ("ids must be a numpy array of integers", dict(ids=np.ones(9))),
    ("of one axis", dict(ids=np.ones((9, 9), int))),
]
CALLS = (window_draws, windows_in_turn, partial(get_batch, rng=np.random.default_rng(0)))
test_bad_input = refusals(
    *((message, (call, bad)) for call in CALLS for message, bad in BAD),
    of=lambda given: given[0](**(dict(ids=IDS, batch_size=2, length=5) | given[1])),
)
