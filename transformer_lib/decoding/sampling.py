"""Sampling chooses tokens at random, with temperature, top-k and top-p."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from transformer_lib.decoding import draw as drawing, filters
from transformer_lib.decoding.greedy import extend
from transformer_lib.decoding.next_token import NextLogits
from transformer_lib.decoding.result import LISTED, Decoded, DecodingStep
from transformer_lib.decoding.row import best
from transformer_lib.formulas.softmax import softmax


def sample(
    next_logits: NextLogits,
    prefix: Sequence[int],
    *,
    rng: np.random.Generator,
    end: int | None,
    max_new_tokens: int,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
) -> Decoded:
    """Sample one token after another until the end token or the limit.

    The temperature is applied first, then top-k, then top-p to the tokens that top-k kept. One
    number of `rng` is used per token, so top-k with k = V and top-p with p = 1 sample the same
    tokens as plain sampling.

    Args:
        next_logits: takes the list of ids so far and returns the logits of the next token, (V,).
        prefix: the ids to continue, one or more.
        rng: the source of randomness.
        end: the id that ends a sequence, or None to stop at the limit only.
        max_new_tokens: the maximum number of tokens to add.
        temperature: the number by which logits are divided, positive and finite.
        top_k: sample only from the k most probable tokens, 1 to V.
        top_p: sample only from the fewest tokens whose probabilities total at least p, above 0 and
            at most 1.

    Raises:
        ValueError: an argument is not as described, or next_logits returns anything but one row of
            finite numbers or -inf.

    Source: Holtzman et al. (2020), "The curious case of neural text degeneration", section 3.

    >>> import numpy as np
    >>> table = np.log([[0.1, 0.6, 0.3], [0.8, 0.1, 0.1], [0.5, 0.25, 0.25]])
    >>> rng = np.random.default_rng(0)
    >>> found = sample(
    ...     lambda ids: table[ids[-1]], [2], rng=rng, end=1, max_new_tokens=5, top_k=2
    ... )
    >>> found.steps[0].candidates
    (0, 1)
    """
    drawing.generator(rng)

    def choose(log_p: Any) -> DecodingStep:
        scores = filters.apply_temperature(log_p, temperature)
        if top_k is not None:
            filters.check_count(len(scores), top_k=top_k)
            scores = filters.keep_top_k(scores, top_k)
        if top_p is not None:
            filters.check_share(top_p=top_p)
            scores = filters.keep_top_p(scores, top_p)
        probabilities = softmax(scores)
        possible = np.flatnonzero(probabilities)
        order = possible[best(probabilities[possible], LISTED)]
        chosen = int(drawing.draw(probabilities, rng))
        return DecodingStep(tuple(order.tolist()), tuple(probabilities[order].tolist()), chosen)

    return extend(next_logits, prefix, choose, end=end, max_new_tokens=max_new_tokens)
