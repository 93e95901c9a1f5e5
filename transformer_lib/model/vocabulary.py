"""The vocabulary, which assigns an id to each token, and a reader of typed words."""

import operator
from collections.abc import Iterable, Sequence
from typing import Any

UNKNOWN, PADDING, START, END = SPECIAL_TOKENS = ("<unk>", "<pad>", "<s>", "</s>")
MOST_WORDS = 40  # of a typed sentence
MOST_NAMED = 60


class Vocabulary:
    """Tokens and their ids: four special tokens come first, then the given tokens in their order.

    Args:
        tokens: the ordinary tokens, each once.

    Raises:
        ValueError: tokens is a string, contains anything other than strings, repeats a token or
            contains a special token.

    Source: Devlin et al. (2019), section 3, and Sutskever et al. (2014), section 3.1, use such
    special tokens.

    >>> vocabulary = Vocabulary(["the", "cat"])
    >>> vocabulary.encode(["the", "dog"]), vocabulary.decode([5, 3])
    ([4, 0], ['cat', '</s>'])
    """

    def __init__(self, tokens: Iterable[str]) -> None:
        self.tokens: tuple[str, ...] = (*SPECIAL_TOKENS, *strings(tokens=tokens))
        self._ids = {token: i for i, token in enumerate(self.tokens)}
        if len(self._ids) < len(self.tokens):
            repeated = sorted({token for token in self.tokens if self.tokens.count(token) > 1})
            raise ValueError(f"tokens must name each token once, got {repeated} more than once")
        self.unknown_id, self.padding_id, self.start_id, self.end_id = range(len(SPECIAL_TOKENS))

    def __len__(self) -> int:
        return len(self.tokens)

    def __contains__(self, token: object) -> bool:
        return token in self._ids

    def __repr__(self) -> str:
        return f"Vocabulary of {len(self)} tokens"

    def encode(
        self,
        tokens: Iterable[str],
        *,
        start: bool = False,
        end: bool = False,
        known_only: bool = False,
    ) -> list[int]:
        """Return the ids of tokens; a token that is not in the vocabulary becomes <unk>.

        Args:
            tokens: the tokens of one sequence.
            start: put <s> before the tokens.
            end: put </s> after the tokens.
            known_only: raise an error for unknown tokens instead.

        Raises:
            ValueError: tokens is a string or contains anything other than strings, or a token is
                unknown and `known_only` is set.
        """
        given = strings(tokens=tokens)
        unknown = [token for token in given if token not in self._ids]
        if known_only and unknown:
            raise ValueError(f"tokens must all be in the vocabulary, but {unknown} are not")
        ids = [self._ids.get(token, self.unknown_id) for token in given]
        return [self.start_id] * start + ids + [self.end_id] * end

    def decode(self, ids: Iterable[Any], *, skip_special: bool = False) -> list[str]:
        """Return the tokens with these ids.

        Raises:
            ValueError: an id is not an integer from 0 to len(vocabulary) - 1.
        """
        given = [_integer(i) for i in ids]
        wrong = [i for i in given if not 0 <= i < len(self)]
        if wrong:
            raise ValueError(f"ids must be from 0 to {len(self) - 1}, got {wrong}")
        first = len(SPECIAL_TOKENS) if skip_special else 0
        return [self.tokens[i] for i in given if i >= first]

    def pad(self, sequences: Sequence[Sequence[int]], length: int | None = None) -> list[list[int]]:
        """Append <pad> to the sequences of ids, so that all sequences are equally long.

        Raises:
            ValueError: a sequence is longer than `length`.
        """
        longest = max((len(ids) for ids in sequences), default=0)
        length = longest if length is None else length
        if longest > length:
            raise ValueError(
                f"length must be at least that of the longest sequence, {longest}, got {length}"
            )
        return [[*ids, *[self.padding_id] * (length - len(ids))] for ids in sequences]


def read_words(text: str, vocabulary: Vocabulary) -> list[str]:
    """Split a typed sentence into known words; if a word is unknown, its case is ignored.

    >>> read_words("The cat", Vocabulary(["the", "cat"]))  # a phone begins with a capital letter
    ['the', 'cat']

    Raises:
        ValueError: a word is not in the vocabulary, or the sentence has more than 40 words.
    """
    known = {word.casefold(): word for word in reversed(vocabulary.tokens)}
    typed = text.split()
    words = [word if word in vocabulary else known.get(word.casefold(), word) for word in typed]
    unknown = sorted({word for word in words if word not in vocabulary})
    if unknown:
        raise ValueError(f"the model does not know {', '.join(unknown)}{_words_of(vocabulary)}")
    if len(words) > MOST_WORDS:
        raise ValueError(f"type at most {MOST_WORDS} words, got {len(words)}")
    return words


def strings(**given: Iterable[str]) -> tuple[str, ...]:
    """Return the one named sequence as a tuple; raise ValueError unless all items are strings."""
    ((name, words),) = given.items()
    if isinstance(words, str):
        raise ValueError(f"{name} must be a list of strings, got one string {words!r}: split it")
    if not isinstance(words, Iterable):
        raise ValueError(f"{name} must be a list of strings, got {words!r}")
    found = tuple(words)
    wrong = [word for word in found if not isinstance(word, str)]
    if wrong:
        raise ValueError(f"{name} must all be strings, got {wrong}")
    return found


def _words_of(vocabulary: Vocabulary) -> str:
    """Return a sentence with the words of a vocabulary, where they are few enough to read."""
    words = sorted(vocabulary.tokens[len(SPECIAL_TOKENS) :], key=str.casefold)
    return f". It knows: {', '.join(words)}" if 0 < len(words) <= MOST_NAMED else ""


def _integer(i: Any) -> int:
    # Entries of numpy and torch arrays of ids are welcome, numbers with a fraction are not.
    if isinstance(i, bool) or not hasattr(i, "__index__"):
        raise ValueError(f"ids must be integers, got {i!r}")
    return operator.index(i)
