"""Measure how much of a text occurs in another text, to separate copying from generation."""

from collections.abc import Sequence

from transformer_lib.formulas import checks as range_checks

LARGEST = 0x10FFFF  # an id stands for a character in what is searched


def copied_runs(ids: Sequence[int], known: Sequence[int]) -> list[int]:
    """Return for each token the length of the longest run that contains it and occurs in `known`.

    Args:
        ids: the ids of a text, such as one that a model generated.
        known: the ids of the text from which it may have been copied.

    Raises:
        ValueError: an id is not an integer of 0 or more.

    Source: Lee et al. (2022), "Deduplicating training data makes language models better",
    section 6.2, who measure how much of a model's output occurs in its training data.

    >>> copied_runs([4, 5, 6, 9, 6, 7], [4, 5, 6, 7])
    [3, 3, 3, 0, 2, 2]
    """
    text, source = _searchable(ids), _searchable(known)
    runs, end = [0] * len(text), 0
    for start in range(len(text)):
        # What begins one token later ends at the same place or further on.
        end = max(start, end)
        while end < len(text) and text[start : end + 1] in source:
            end += 1
        for place in range(start, end):
            runs[place] = max(runs[place], end - start)
    return runs


def copied_share(ids: Sequence[int], known: Sequence[int], *, at_least: int) -> float:
    """Return the share of tokens in runs of at least `at_least` tokens that occur in another text.

    Args:
        ids: the ids of a text, at least one.
        known: the ids of the text from which it may have been copied.
        at_least: the number of tokens that a run must have to count as copied.

    Raises:
        ValueError: ids is empty, an id is not an integer of 0 or more, or at_least is not a
            positive integer.

    >>> copied_share([4, 5, 6, 9], [4, 5, 6, 7], at_least=3)
    0.75
    """
    range_checks.count(1, at_least=at_least)
    runs = copied_runs(ids, known)
    if not runs:
        raise ValueError("ids must contain at least one token, got none")
    return sum(length >= at_least for length in runs) / len(runs)


def _searchable(ids: Sequence[int]) -> str:
    try:
        return "".join(map(chr, ids))
    except (TypeError, ValueError):
        raise ValueError(f"ids must be integers from 0 to {LARGEST}, got {ids!r:.80}") from None
