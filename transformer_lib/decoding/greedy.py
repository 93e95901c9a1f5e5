"""Greedy search chooses the most probable token at every step."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from transformer_lib.decoding import next_token
from transformer_lib.decoding.next_token import NextLogits
from transformer_lib.decoding.result import LISTED, Decoded, DecodingStep
from transformer_lib.decoding.row import best


def greedy_search(
    next_logits: NextLogits, prefix: Sequence[int], *, end: int | None, max_new_tokens: int
) -> Decoded:
    """Add the most probable token, the lowest id among equals, until the end token or the limit.

    Args:
        next_logits: takes the list of ids so far and returns the logits of the next token, (V,).
        prefix: the ids to continue, one or more.
        end: the id that ends a sequence, or None to stop at the limit only.
        max_new_tokens: the maximum number of tokens to add.

    Raises:
        ValueError: an argument is not as described, or next_logits returns anything but one row of
            finite numbers or -inf.

    Source: Jurafsky and Martin, "Speech and language processing", 3rd edition draft, section on
    decoding.

    >>> import numpy as np
    >>> table = np.log([[0.1, 0.6, 0.3], [0.8, 0.1, 0.1], [0.5, 0.25, 0.25]])
    >>> found = greedy_search(lambda ids: table[ids[-1]], [2], end=1, max_new_tokens=5)
    >>> found.tokens, round(float(np.exp(found.log_probability)), 4), found.finished
    ((0, 1), 0.3, True)
    """

    def choose(log_p: Any) -> DecodingStep:
        order = best(log_p, LISTED)
        probabilities = np.exp(log_p[order]).tolist()
        return DecodingStep(tuple(order.tolist()), tuple(probabilities), int(order[0]))

    return extend(next_logits, prefix, choose, end=end, max_new_tokens=max_new_tokens)


def extend(
    next_logits: NextLogits,
    prefix: Sequence[int],
    choose: Callable[[Any], DecodingStep],
    *,
    end: int | None,
    max_new_tokens: int,
) -> Decoded:
    """Continue the prefix one token at a time, each chosen by `choose` from log-probabilities."""
    ids = next_token.check_arguments(next_logits, prefix, end, max_new_tokens)
    start, total = len(ids), 0.0
    steps: list[DecodingStep] = []
    while len(steps) < max_new_tokens and (not steps or steps[-1].chosen != end):
        log_p = next_token.next_log_probabilities(next_logits, ids)
        next_token.check_end(end, len(log_p))
        steps.append(choose(log_p))
        ids.append(steps[-1].chosen)
        total += float(log_p[ids[-1]])
    return Decoded(tuple(ids[start:]), total, ids[-1] == end, tuple(steps))
