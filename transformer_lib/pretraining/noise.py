"""The five noising functions of BART: a text is corrupted, and the model restores it."""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from transformer_lib.decoding.draw import generator
from transformer_lib.formulas import checks
from transformer_lib.pretraining.masking import probability

Tokens = tuple[str, ...]


def token_masking(
    tokens: Sequence[str], rng: np.random.Generator, *, mask: str, share: float = 0.15
) -> Tokens:
    """Replace each of some tokens by a mask.

    Args:
        tokens: the tokens of a text.
        rng: the generator that chooses the tokens; all choices are equally likely.
        mask: the token that replaces each chosen token.
        share: the share of the tokens to replace; their number is rounded and at least one.

    Raises:
        ValueError: rng is not a numpy Generator, share is not between 0 and 1, or no token is
            given.

    Source: Lewis et al. (2020), section 2.2.

    >>> " ".join(token_masking("the cat sat down".split(), np.random.default_rng(0), mask="_"))
    'the cat sat _'
    """
    chosen = _chosen(tokens, rng, share)
    return tuple(mask if i in chosen else token for i, token in enumerate(tokens))


def token_deletion(
    tokens: Sequence[str], rng: np.random.Generator, *, share: float = 0.15
) -> Tokens:
    """Delete some of the tokens, so that nothing shows where they were.

    Raises:
        ValueError: as `token_masking`.

    Source: Lewis et al. (2020), section 2.2.

    >>> " ".join(token_deletion("the cat sat down".split(), np.random.default_rng(0)))
    'the cat sat'
    """
    chosen = _chosen(tokens, rng, share)
    return tuple(token for i, token in enumerate(tokens) if i not in chosen)


def text_infilling(
    tokens: Sequence[str],
    rng: np.random.Generator,
    *,
    mask: str,
    spans: int = 1,
    mean: float = 3.0,
) -> Tokens:
    """Replace each span of tokens, of any length, by one mask; an empty span adds a mask.

    Lengths are sampled from a Poisson distribution, and shortened if the text is too short for
    them. All positions are equally likely.

    Args:
        tokens: the tokens of a text.
        rng: the generator that draws lengths and positions.
        mask: the token that replaces a span.
        spans: the number of spans.
        mean: the mean of the lengths.

    Raises:
        ValueError: rng is not a numpy Generator, mean is not positive, or the text has fewer tokens
            than spans.

    Source: Lewis et al. (2020), section 2.2.

    >>> words = "the cat sat on the mat".split()
    >>> " ".join(text_infilling(words, np.random.default_rng(1), mask="_"))
    'the cat _'
    """
    generator(rng)
    checks.positive(mean=mean)
    checks.count(1, spans=spans)
    checks.count(spans, tokens=len(tokens))
    left, lengths = len(tokens), []
    for _ in range(spans):
        lengths.append(min(int(rng.poisson(mean)), left))
        left -= lengths[-1]
    before = np.sort(rng.integers(0, left + 1, spans)).tolist()
    kept: list[str] = []
    end = 0
    for n, (stay, length) in enumerate(zip(before, lengths, strict=True)):
        start = stay + sum(lengths[:n])
        kept += [*tokens[end:start], mask]
        end = start + length
    return (*kept, *tokens[end:])


def sentence_permutation(
    tokens: Sequence[str], rng: np.random.Generator, *, stop: str = "."
) -> Tokens:
    """Put the sentences, which end at full stops, in a random order, perhaps the original one.

    Raises:
        ValueError: rng is not a numpy Generator.

    Source: Lewis et al. (2020), section 2.2.

    >>> " ".join(sentence_permutation("a b . c . d".split(), np.random.default_rng(0)))
    'd a b . c .'
    """
    generator(rng)
    sentences = sentences_of(tokens, stop)
    return tuple(token for i in rng.permutation(len(sentences)) for token in sentences[i])


def sentences_of(tokens: Sequence[str], stop: str) -> list[Tokens]:
    """Return the sentences of a text, each with the full stop that ends it.

    >>> sentences_of("a b . c".split(), ".")
    [('a', 'b', '.'), ('c',)]
    """
    ends = [0, *(i + 1 for i, token in enumerate(tokens) if token == stop), len(tokens)]
    return [tuple(tokens[a:b]) for a, b in pairwise(ends) if a < b]


def document_rotation(tokens: Sequence[str], rng: np.random.Generator) -> Tokens:
    """Begin the text at a sampled token, and move what comes before that token to the end.

    Raises:
        ValueError: rng is not a numpy Generator, or no token is given.

    Source: Lewis et al. (2020), section 2.2.

    >>> " ".join(document_rotation("the cat sat down".split(), np.random.default_rng(0)))
    'down the cat sat'
    """
    generator(rng)
    checks.count(1, tokens=len(tokens))
    start = int(rng.integers(len(tokens)))
    return (*tokens[start:], *tokens[:start])


def noises(mask: str) -> dict[str, Callable[[Sequence[str], np.random.Generator], Tokens]]:
    """Return the five noising functions by name; each takes tokens and a generator.

    >>> list(noises("_"))[:3]
    ['token masking', 'token deletion', 'text infilling']
    """
    return {
        "token masking": lambda tokens, rng: token_masking(tokens, rng, mask=mask),
        "token deletion": token_deletion,
        "text infilling": lambda tokens, rng: text_infilling(tokens, rng, mask=mask),
        "sentence permutation": sentence_permutation,
        "document rotation": document_rotation,
    }


def _chosen(tokens: Sequence[str], rng: np.random.Generator, share: float) -> set[int]:
    generator(rng)
    probability(share=share)
    checks.count(1, tokens=len(tokens))
    count = max(1, round(share * len(tokens)))
    return set(rng.choice(len(tokens), count, replace=False).tolist())
