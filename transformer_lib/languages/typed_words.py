"""Words that somebody typed, as a vocabulary has them."""

from transformer_lib.languages.vocabulary import SPECIAL_TOKENS, Vocabulary

MOST_WORDS = 40
MOST_NAMED = 60


def read_words(text: str, vocabulary: Vocabulary) -> list[str]:
    """Split a typed sentence into known words; of a word that is unknown, case does not matter.

    >>> read_words("The cat", Vocabulary(["the", "cat"]))  # a phone begins with a capital letter
    ['the', 'cat']

    Raises:
        ValueError: a word is not in the vocabulary, or there are more than 40.
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


def _words_of(vocabulary: Vocabulary) -> str:
    """Return a sentence with the words of a vocabulary, where they are few enough to read."""
    words = sorted(vocabulary.tokens[len(SPECIAL_TOKENS) :], key=str.casefold)
    return f". It knows: {', '.join(words)}" if 0 < len(words) <= MOST_NAMED else ""
