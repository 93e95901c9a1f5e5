"""Characters or words as tokens, for comparison with byte-pair encoding."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from transformer_lib.formulas import checks as range_checks
from transformer_lib.text import checks
from transformer_lib.text.bpe import BytePairTokenizer
from transformer_lib.text.pretokenization import pieces, whole_pieces

UNKNOWN = "\ufffd"
UNITS: dict[str, Callable[[str], Iterable[str]]] = {"characters": list, "words": pieces}


class UnitTokenizer:
    """A tokenizer whose tokens are whole characters or words; all others are unknown.

    A word is a piece of GPT-2's pattern, with the space before it.

    Args:
        vocabulary: the distinct characters or words, which get the ids from 1; the unknown token
            has id 0.
        unit: "characters" or "words".

    Raises:
        ValueError: unit is neither of these, or the vocabulary contains a duplicate or anything
            other than strings.

    >>> tokenizer = UnitTokenizer(["It", " is"], "words")
    >>> tokenizer.encode("It is late"), tokenizer.decode([1, 2, 0])
    ([1, 2, 0], 'It is�')
    """

    def __init__(self, vocabulary: Iterable[str], unit: str) -> None:
        if unit not in UNITS:
            raise ValueError(f"unit must be one of {tuple(UNITS)}, got {unit!r}")
        self.unit = unit
        self.vocabulary = (UNKNOWN, *checks.texts(vocabulary=vocabulary))
        self._ids = {token: i for i, token in enumerate(self.vocabulary)}
        if len(self._ids) < len(self.vocabulary):
            raise ValueError(
                "vocabulary must contain each token only once, and not the unknown token"
            )

    def __len__(self) -> int:
        return len(self.vocabulary)

    @property
    def digest(self) -> str:
        """Sixteen characters that identify this tokenizer."""
        content = repr((self.unit, self.vocabulary))
        return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text, with 0 for each unit that is not in the vocabulary.

        Raises:
            ValueError: text is not a string.
        """
        checks.text(text=text)
        return [self._ids.get(token, 0) for token in UNITS[self.unit](text)]

    def encode_iterable(self, blocks: Iterable[str]) -> Iterator[int]:
        """Yield the ids of a text that is given in blocks; they equal the ids of the whole text.

        Raises:
            ValueError: a block is not a string.
        """
        return chain.from_iterable(map(self.encode, whole_pieces(blocks)))

    def tokens(self, text: str) -> list[bytes]:
        """Return the tokens of a text, known or unknown, each as the bytes that it represents."""
        checks.text(text=text)
        return [checks.utf8(token) for token in UNITS[self.unit](text)]

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text that the ids represent, with U+FFFD for unknown tokens.

        Raises:
            ValueError: an id is not an integer from 0 to len(tokenizer) - 1.
        """
        return "".join([self.vocabulary[i] for i in checks.ids(len(self), ids)])


def train_units(texts: Iterable[str], *, unit: str, vocabulary_size: int) -> UnitTokenizer:
    """Return a tokenizer of the most frequent characters or words; ties go to the first one met.

    Args:
        texts: documents.
        unit: "characters" or "words".
        vocabulary_size: the maximum number of tokens, including the unknown token.

    Raises:
        ValueError: texts contains no text, or an argument is not as described.

    >>> train_units(["banana"], unit="characters", vocabulary_size=3).vocabulary
    ('�', 'a', 'n')
    """
    if unit not in UNITS:
        raise ValueError(f"unit must be one of {tuple(UNITS)}, got {unit!r}")
    range_checks.count(2, vocabulary_size=vocabulary_size)
    counts: Counter[str] = Counter()
    for text in checks.texts(texts=texts):
        counts.update(UNITS[unit](text))
    counts.pop(UNKNOWN, None)
    checks.learnable(counts)
    return UnitTokenizer((token for token, _ in counts.most_common(vocabulary_size - 1)), unit)


def byte_tokenizer() -> BytePairTokenizer:
    """Return the tokenizer without merges, whose ids are the bytes of the text.

    >>> byte_tokenizer().encode("né")
    [110, 195, 169]
    """
    return BytePairTokenizer([bytes([byte]) for byte in range(256)], [])
