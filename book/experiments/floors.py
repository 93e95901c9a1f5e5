"""The floors of chapter 15 by enumeration: every text, and every way of spoiling it."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache, partial

from book.experiments.denoising import MEAN, SHARE
from book.experiments.setting import CHANCES, LISTED, Figures, Words
from course.languages.review import MASK, SENTINELS
from transformer_lib.pretraining import Outcome, noise_outcomes, noises, span_outcomes

TEXTS = dict(zip(LISTED, CHANCES.tolist(), strict=True))


@cache
def floors() -> Figures:
    """Return the least loss of each task of the encoder-decoder, and of one gap."""
    found = {"spans": floor(partial(span_outcomes, sentinels=SENTINELS, share=SHARE, mean=MEAN))}
    for name in noises(MASK):
        found[name.replace(" ", "_")] = floor(partial(noise_outcomes, name, mask=MASK))
    return {**found, **gaps()}


def floor(
    outcomes: Callable[[Words], Iterable[Outcome]], texts: dict[Words, float] = TEXTS
) -> float:
    """Return the least loss a token of the targets, each with its end.

    No two texts may give the same source with the same target.
    """
    sources: dict[Words, float] = defaultdict(float)
    certain = tokens = 0.0
    for words, p in texts.items():
        ways: dict[tuple[Words, Words], float] = defaultdict(float)
        for source, target, q in outcomes(words):
            ways[source, target] += p * q
            tokens += p * q * (len(target) + 1)
        certain += sum(each * math.log(each) for each in ways.values())
        for (source, _), each in ways.items():
            sources[source] += each
    return max(0.0, sum(p * math.log(p) for p in sources.values()) - certain) / tokens


def gaps(texts: dict[Words, float] = TEXTS) -> Figures:
    """Return the least loss of one word with all others, and with those before it."""
    others: dict[tuple[Words, Words], float] = defaultdict(float)
    begun: dict[Words, float] = defaultdict(float)
    for text, p in texts.items():
        for i in range(len(text)):
            begun[text[:i]] += p
            others[text[:i], text[i + 1 :]] += p
        begun[text] += p
    both = left = 0.0
    for text, p in texts.items():
        for i in range(len(text)):
            both -= p / len(text) * math.log(p / others[text[:i], text[i + 1 :]])
            left -= p / len(text) * math.log(begun[text[: i + 1]] / begun[text[:i]])
    return {"both": both, "left": left}
