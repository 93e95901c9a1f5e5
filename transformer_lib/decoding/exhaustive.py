"""Exhaustive search scores every possible sequence, for vocabularies that are small enough."""

from collections.abc import Sequence

from transformer_lib.decoding import next_token
from transformer_lib.decoding.beam import length_penalty
from transformer_lib.decoding.next_token import NextLogits
from transformer_lib.decoding.result import Hypothesis


def exhaustive_search(
    next_logits: NextLogits,
    prefix: Sequence[int],
    *,
    end: int | None,
    max_new_tokens: int,
    alpha: float = 0.0,
) -> tuple[Hypothesis, ...]:
    """Score every sequence up to the limit, best first, as the reference for other searches.

    There are up to V ** max_new_tokens sequences. Each one ends at the end token or at the limit.

    Args:
        next_logits: takes the list of ids so far and returns the logits of the next token, (V,).
        prefix: the ids to continue, one or more.
        end: the id that ends a sequence, or None.
        max_new_tokens: the maximum number of tokens to add.
        alpha: exponent of the length penalty, as in `beam_search`.

    Raises:
        ValueError: an argument is not as described, more than 100,000 sequences are possible, or
            next_logits returns anything but one row of finite numbers or -inf.

    Source: Jurafsky and Martin, "Speech and language processing", 3rd edition draft, section on
    beam search (the search tree).

    >>> import numpy as np
    >>> table = np.log([[0.1, 0.6, 0.3], [0.8, 0.1, 0.1], [0.5, 0.45, 0.05]])
    >>> found = exhaustive_search(lambda ids: table[ids[-1]], [2], end=1, max_new_tokens=2)
    >>> len(found), found[0].tokens
    (7, (1,))
    """
    ids = next_token.check_arguments(next_logits, prefix, end, max_new_tokens)
    length_penalty(0, alpha)  # checks alpha before any work is done

    def continuations(tokens: tuple[int, ...], total: float) -> list[Hypothesis]:
        finished = bool(tokens) and tokens[-1] == end
        if finished or len(tokens) == max_new_tokens:
            score = total / length_penalty(len(tokens), alpha)
            return [Hypothesis(tokens, total, score, finished)]
        log_p = next_token.next_log_probabilities(next_logits, [*ids, *tokens]).tolist()
        next_token.check_end(end, len(log_p))
        if len(log_p) ** max_new_tokens > 100_000:
            raise ValueError(
                f"V ** max_new_tokens must be at most 100000, got {len(log_p)} ** {max_new_tokens}"
            )
        possible = [(i, p) for i, p in enumerate(log_p) if p > -float("inf")]
        return [h for i, p in possible for h in continuations((*tokens, i), total + p)]

    return tuple(sorted(continuations((), 0.0), key=lambda h: -h.score))
