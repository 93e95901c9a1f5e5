# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import codecs
from collections import Counter
from itertools import pairwise


def count_pairs__counter(words):
    """Write the whole text out and count, in a Counter."""
    text = [tokens for tokens, times in words.items() for _ in range(times)]
    return Counter(pair for tokens in text for pair in pairwise(tokens))


def merge__recursion(tokens, pair):
    """Look at the first two and leave the rest to another call."""

    def rest(start):
        if start >= len(tokens):
            return []
        if tuple(tokens[start : start + 2]) == pair:
            return ["".join(pair), *rest(start + 2)]
        return [tokens[start], *rest(start + 1)]

    return rest(0)


def merge__look_back(tokens, pair):
    """Ask of each token whether the one before it still waits."""
    merged, waiting = [], False
    for token in tokens:
        if waiting and token == pair[1]:
            merged[-1] += token
            waiting = False
        else:
            merged.append(token)
            waiting = token == pair[0]
    return merged


def encode__by_rank(word, merges):
    """Look for the pair of the lowest rank, one place at a time."""
    ranks, tokens = {pair: n for n, pair in enumerate(merges)}, list(word)
    while len(tokens) > 1:
        rank, i = min((ranks.get(p, len(merges)), i) for i, p in enumerate(pairwise(tokens)))
        if rank == len(merges):
            break
        tokens = [*tokens[:i], tokens[i] + tokens[i + 1], *tokens[i + 2 :]]
    return tokens


def decode__incremental(ids, vocabulary, special):
    """Feed a decoder that remembers half a character."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    text = "".join(decoder.decode(bytes(vocabulary[i])) for i in ids if i not in special)
    return text + decoder.decode(b"", final=True)


def mended_split__groups(documents, every):
    """Group first, then number the groups."""
    keys = [" ".join(document.lower().split()) for document in documents]
    order = list(dict.fromkeys(keys))
    chosen = {key for n, key in enumerate(order, 1) if n % every == 0}
    pairs = list(zip(documents, keys, strict=True))
    return [d for d, k in pairs if k not in chosen], [d for d, k in pairs if k in chosen]


def hand_bits__rounded(given):
    """Round to three decimals."""
    total = given["hand_a"] + given["hand_b"] + given["hand_c"]
    size = given["hand_bytes"]
    return [round(total / 3, 3), round(total / size, 3), round(5 * given["hand_d"] / size, 3)]


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "c", "because": given["prediction_letters"][2]}
