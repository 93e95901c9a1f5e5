# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 17: TASK__MISTAKE stands in for TASK and must lose its points."""

from collections import Counter
from itertools import pairwise

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__longer_is_worse": "ab",  # Take rare for bad.
    "prediction__divided_by_nothing": "cd",  # Forget what the loss is divided by.
    "prediction__softmax_shrinks": "ba",  # Think that more choices make each cheaper.
    "slip__the_tie": "bba",  # Suspect the tie of the second line.
    "slip__the_tie_of_the_last": "dba",  # Mend the last line by breaking its tie the other way.
    "slip__the_longest": "dcd",  # Ask for the pair with the longest token.
}


def count_pairs__times__each_word_once(words):
    """Forget how often a word stands."""
    return dict(Counter(pair for tokens in words for pair in pairwise(tokens)))


def count_pairs__again__once_a_word(words):
    """Count a pair once where a word holds it twice."""
    counts = Counter()
    for tokens, times in words.items():
        for pair in set(pairwise(tokens)):
            counts[pair] += times
    return dict(counts)


def count_pairs__times__again__across_words(words):
    """Count the end of one word with the start of the next."""
    text = [token for tokens, times in words.items() for token in tokens * times]
    return dict(Counter(pairwise(text)))


def merge__places__only_the_first(tokens, pair):
    """Stop after one merge."""
    for i in range(len(tokens) - 1):
        if (tokens[i], tokens[i + 1]) == pair:
            return [*tokens[:i], tokens[i] + tokens[i + 1], *tokens[i + 2 :]]
    return list(tokens)


def merge__left__from_the_right(tokens, pair):
    """Go from right to left."""
    merged, i = [], len(tokens) - 1
    while i >= 0:
        joined = i > 0 and (tokens[i - 1], tokens[i]) == pair
        merged.insert(0, tokens[i - 1] + tokens[i] if joined else tokens[i])
        i -= 2 if joined else 1
    return merged


def merge__whole__by_what_it_gives(tokens, pair):
    """Join any two tokens that spell what the pair spells."""
    merged, i = [], 0
    while i < len(tokens):
        joined = i + 1 < len(tokens) and tokens[i] + tokens[i + 1] == "".join(pair)
        merged.append(tokens[i] + tokens[i + 1] if joined else tokens[i])
        i += 2 if joined else 1
    return merged


def merge__places__drops_the_last(tokens, pair):
    """Look at pairs alone, so that a last token without a partner is lost."""
    merged, i = [], 0
    while i < len(tokens) - 1:
        joined = (tokens[i], tokens[i + 1]) == pair
        merged.append(tokens[i] + tokens[i + 1] if joined else tokens[i])
        i += 2 if joined else 1
    return merged


def encode__first__longest_match(word, merges):
    """Take the longest known token from the left, as WordPiece does."""
    known, tokens = {left + right for left, right in merges}, []
    while word:
        size = next(n for n in range(len(word), 0, -1) if n == 1 or word[:n] in known)
        tokens.append(word[:size])
        word = word[size:]
    return tokens


def encode__everywhere__each_pair_once(word, merges):
    """Join each pair in one place only."""
    tokens = list(word)
    for pair in merges:
        for i, here in enumerate(pairwise(tokens)):
            if here == pair:
                tokens[i : i + 2] = ["".join(pair)]
                break
    return tokens


def encode__first__last_learned_first(word, merges):
    """Prefer what was learned last."""
    tokens = list(word)
    while True:
        found = [(merges.index(p), i) for i, p in enumerate(pairwise(tokens)) if p in merges]
        if not found:
            return tokens
        _, i = max(found)
        tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]


def bytes_of(ids, vocabulary):
    """Join the bytes of tokens."""
    return bytes(byte for i in ids for byte in vocabulary[i])


def decode__bytes__token_by_token(ids, vocabulary, special):
    """Decode each token by itself."""
    kept = [i for i in ids if i not in special]
    return "".join(bytes(vocabulary[i]).decode("utf-8", "replace") for i in kept)


def decode__special__stops_at_special(ids, vocabulary, special):
    """End at the first special token."""
    end = next((n for n, i in enumerate(ids) if i in special), len(ids))
    return bytes_of(ids[:end], vocabulary).decode("utf-8", "replace")


def decode__broken__drops_what_is_broken(ids, vocabulary, special):
    """Leave out bytes that are no text."""
    kept = [i for i in ids if i not in special]
    return bytes_of(kept, vocabulary).decode("utf-8", "ignore")


def decode__special__special_by_its_bytes(ids, vocabulary, special):
    """Take the name of a special token out of the text, whoever spelled it."""
    text = bytes_of(ids, vocabulary)
    for i in special:
        text = text.replace(bytes(vocabulary[i]), b"")
    return text.decode("utf-8", "replace")


def decode__bytes__broken__a_character_a_byte(ids, vocabulary, special):
    """Take each byte for a character."""
    return "".join(chr(byte) for i in ids if i not in special for byte in vocabulary[i])


def totals(given):
    """Return the bits of the first model, the bytes, and the bits of the second."""
    first = sum(given[f"hand_{letter}"] for letter in "abc")
    return first, given["hand_bytes"], 5 * given["hand_d"]


def hand_bits__token__second__nats(given):
    """Take the natural logarithm."""
    first, size, second = totals(given)
    return [0.6931 * first / 3, 0.6931 * first / size, 0.6931 * second / size]


def hand_bits__byte__second__mean_over_bytes(given):
    """Divide the mean of the tokens by the bytes."""
    first, size, second = totals(given)
    return [first / 3, first / 3 / size, second / 5 / size]


def hand_bits__second__one_token(given):
    """Forget that the second model has five tokens."""
    first, size, second = totals(given)
    return [first / 3, first / size, second / 5 / size]


def hand_bits__second__bytes_per_bit(given):
    """Turn the fraction of the second model around."""
    first, size, second = totals(given)
    return [first / 3, first / size, size / second]


def mended_split__forms__exact_copies(documents, every):
    """Find only documents that are equal to the letter."""
    train, test, sides = [], [], {}
    for document in documents:
        if document not in sides:
            sides[document] = test if (len(sides) + 1) % every == 0 else train
        sides[document].append(document)
    return train, test


def mended_split__counted__counts_copies(documents, every):
    """Number all documents, new or not."""
    train, test, sides = [], [], {}
    for number, document in enumerate(documents, start=1):
        words = tuple(document.lower().split())
        sides.setdefault(words, test if number % every == 0 else train).append(document)
    return train, test


def mended_split__copies__forms__copies_to_training(documents, every):
    """Put what stood there before into training."""
    train, test, seen = [], [], set()
    for document in documents:
        words = tuple(document.lower().split())
        new = words not in seen
        seen.add(words)
        (test if new and len(seen) % every == 0 else train).append(document)
    return train, test
