"""Runs of tokens that stand in another text, beside a search of every run."""

import pytest
from hypothesis import given, strategies as st

from tests.refusals import refusals
from transformer_lib.text import copied_runs, copied_share

ids = st.lists(st.integers(0, 3), max_size=14)


def by_search(text: list[int], known: list[int]) -> list[int]:
    """Every run of the text, looked for at every place of the other."""
    found = [0] * len(text)
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            run = text[start:end]
            if any(known[i : i + len(run)] == run for i in range(len(known))):
                found[start:end] = [max(n, len(run)) for n in found[start:end]]
    return found


@given(text=ids, known=ids)
def test_it_finds_the_longest_run_around_each_token(text: list[int], known: list[int]) -> None:
    assert copied_runs(text, known) == by_search(text, known)


def test_what_is_copied_whole_and_what_is_not() -> None:
    known = list(range(40, 60))
    assert copied_runs(known[3:9], known) == [6] * 6
    assert copied_runs([1, 2], known) == [0, 0] == copied_runs([1, 2], [])
    assert copied_share([1, *known[3:9]], known, at_least=6) == 6 / 7
    assert copied_share([1, *known[3:9]], known, at_least=7) == 0


@pytest.mark.parametrize("wrong", [0xD800, 0x10FFFF, 2049])
def test_any_id_can_be_looked_for(wrong: int) -> None:
    assert copied_runs([wrong, 7], [7, wrong]) == [1, 1]


test_bad_arguments = refusals(
    ("ids must be integers from 0", lambda: copied_runs([-1], [1])),
    ("ids must contain at least one token", lambda: copied_share([], [1], at_least=2)),
    ("at_least must be an integer of 1 or more", lambda: copied_share([1], [1], at_least=0)),
)
