"""Windows of a long array: where they begin, what they hold, and files of ids."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

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


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "too long": (
        dict(length=100),
        "length must be below the 100 ids of the text, .* got 100: take",
    ),
    "length": (dict(length=0), "length must be an integer of 1 or more"),
    "size": (dict(batch_size=0), "batch_size must be an integer of 1 or more"),
    "list": (dict(ids=[1, 2, 3]), "ids must be a numpy array of integers of one axis"),
    "floats": (dict(ids=np.ones(9)), "ids must be a numpy array of integers"),
    "two axes": (dict(ids=np.ones((9, 9), int)), "of one axis"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input(case: str, unhooked: None) -> None:
    changes, message = BAD[case]
    given = dict(ids=IDS, batch_size=2, length=5) | changes
    for call in (window_draws, windows_in_turn):
        with pytest.raises(ValueError, match=message):
            call(**given)
    with pytest.raises(ValueError, match=message):
        get_batch(**given, rng=np.random.default_rng(0))
