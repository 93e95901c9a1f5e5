"""Words from tokens: the probability of a word includes that the word ends.

The blank before a word belongs to its first token, so the tokens of *sleep* begin *sleeps*, too.
With B, the class of tokens that show that the word before them has ended, the probability of a word
of tokens t_1 ... t_k after a text c is

p(word | c) = p(t_1 ... t_k | c) * p(B | c t_1 ... t_k) / p(B | c)

because t_1 is one of B, and c has ended with p(B | c).
"""

import re
import unicodedata
from collections.abc import Iterable
from typing import SupportsIndex

import numpy as np
from jaxtyping import Bool, Float, Integer

from transformer_lib.text.bpe import BytePairTokenizer
from transformer_lib.text.byte_alphabet import from_printable
from transformer_lib.text.tokenizer import ForeignTokenizer, Tokenizer

INSIDE = "'’-‐‑"
"""Punctuation that goes on with a word: apostrophes and hyphens."""
BLANK = "▁"
"""What the package `tokenizers` writes for a blank where tokens are not bytes."""
ONE_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


def word_bits(
    logs: Float[np.ndarray, "places V"],
    ids: Integer[np.ndarray, " n"],
    ends: Bool[np.ndarray, " V"],
) -> Float[np.ndarray, " words"]:
    """Return the surprisal of each word of a text in bits, up to where the word ends.

    The bits are those of the word's tokens and of its end, without the bits of the end of the word
    before it. They add up to the bits of all tokens and of the last end.

    Args:
        logs: the logarithms of the probabilities before each token and after the last, (n + 1, V).
        ids: the ids of the text, (n,).
        ends: which tokens show that a word has ended, (V,), as `ends_word` returns it.

    Raises:
        ValueError: there is no token, or the shapes do not fit each other.

    Source: Pimentel and Meister (2024); Oh and Schuler (2024).

    Two tokens: 0 begins a word, and 1 goes on with it. Each has probability 1/2.

    >>> half = np.log(np.full((3, 2), 0.5))
    >>> word_bits(half, np.array([0, 1]), np.array([True, False]))
    array([3.])
    >>> word_bits(half, np.array([0, 0]), np.array([True, False]))
    array([2., 1.])
    """
    if not len(ids) or logs.shape != (len(ids) + 1, len(ends)):
        raise ValueError(
            f"logs must be (n + 1, V) for n tokens, at least one, and a class of V, got "
            f"{logs.shape} for {len(ids)} and {len(ends)}"
        )
    firsts = [group[0] for group in words(ids, ends)]
    of_tokens = np.add.reduceat(-logs[np.arange(len(ids)), ids], firsts)
    of_ends = -np.logaddexp.reduce(logs[[*firsts, len(ids)]][:, ends], axis=1, dtype=float)
    of_ends[0] = 0  # no word is before the first
    found: np.ndarray = (of_tokens + np.diff(of_ends)) / np.log(2)
    return found


def words(ids: Iterable[SupportsIndex], ends: Bool[np.ndarray, " V"]) -> list[list[int]]:
    """Return the places of the tokens of each word: a token that ends a word begins the next.

    Args:
        ids: the ids of a text.
        ends: which tokens show that a word has ended, (V,), as `ends_word` returns it.

    >>> words([1, 1, 0, 1], np.array([True, False]))
    [[0, 1], [2, 3]]
    """
    found: list[list[int]] = []
    for place, token in enumerate(ids):
        if not place or ends[token]:
            found.append([])
        found[-1].append(place)
    return found


def ends_word(tokenizer: Tokenizer) -> Bool[np.ndarray, " V"]:
    """Return which tokens show that the word before them has ended, (V,).

    These are the tokens that begin with a blank, a new line or punctuation other than an apostrophe
    or a hyphen, and all special tokens. A token that begins inside a character goes on.

    Args:
        tokenizer: of bytes, or one of the package `tokenizers` whose tokens hold the blank before a
            word.

    Raises:
        ValueError: the tokens do not hold the blank before a word.

    >>> letters = [bytes([byte]) for byte in range(256)]
    >>> ends = ends_word(BytePairTokenizer(letters, [], ["<end>"]))
    >>> [chr(i) for i in range(33, 48) if not ends[i]], bool(ends[[32, 10, 256]].all())
    (['$', "'", '+', '-'], True)
    """
    tokens, special = _spelled(tokenizer)
    if not any(token.startswith(" ") for token in tokens):
        raise ValueError(
            "tokenizer must have tokens that begin with the blank before a word, but it has none"
        )
    return np.array([i in special or _is_end(token) for i, token in enumerate(tokens)])


def _is_end(token: str) -> bool:
    """Whether a token that begins like this one shows that the word before it has ended."""
    first = token[:1]
    is_mark = first != "" and unicodedata.category(first).startswith("P")
    return first.isspace() or (is_mark and first not in INSIDE)


def _spelled(tokenizer: Tokenizer) -> tuple[list[str], set[int]]:
    """Return the text of each token, and the ids of the special ones."""
    if isinstance(tokenizer, BytePairTokenizer):
        special = set(tokenizer.special_ids.values())
        return [token.decode("utf-8", "replace") for token in tokenizer.vocabulary], special
    if not isinstance(tokenizer, ForeignTokenizer):
        raise ValueError(
            "tokenizer must be a BytePairTokenizer or one of the package tokenizers, "
            f"got {type(tokenizer).__name__}"
        )
    inner = tokenizer.tokenizer
    added = inner.get_added_tokens_decoder()
    tokens = [inner.id_to_token(i) or "" for i in range(len(tokenizer))]
    is_bytes = not any(token.startswith(BLANK) for token in tokens)
    texts = [
        token if i in added else _text(token, is_bytes=is_bytes) for i, token in enumerate(tokens)
    ]
    return texts, {i for i, token in added.items() if token.special}


def _text(token: str, *, is_bytes: bool) -> str:
    """Return the text of a token of the package `tokenizers`."""
    if not is_bytes:
        byte = ONE_BYTE.fullmatch(token)
        alone = bytes([int(byte[1], 16)]) if byte else b""
        return alone.decode("utf-8", "replace") or token.replace(BLANK, " ")
    try:
        return from_printable(token).decode("utf-8", "replace")
    except ValueError:
        return token
