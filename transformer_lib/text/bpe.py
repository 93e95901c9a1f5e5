"""Byte-pair encoding turns text into tokens by merging pairs in the order they were learned."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, pairwise

from transformer_lib.text import checks
from transformer_lib.text.pretokenization import in_pieces, special_pattern, whole_pieces

Merge = tuple[bytes, bytes]
CACHED = 1 << 16  # pieces whose ids are remembered,
LONGEST_CACHED = 64  # and their characters at most


class BytePairTokenizer:
    """A tokenizer of bytes and merges, which encodes every text and can produce every byte string.

    Args:
        vocabulary: the bytes of each token by id, from 0; it contains all 256 single bytes.
        merges: the pairs to merge, in the order they were learned; each result must be a token.
        special_tokens: strings that are one token wherever they occur; a string that is not in the
            vocabulary gets the next free id.
        digits_apart: whether each digit is a separate piece.
        all_bytes: False accepts a vocabulary in which bytes are missing and omits these bytes from
            every text, as the package `tokenizers` does.

    Raises:
        ValueError: the vocabulary has gaps, a byte or an operand or result of a merge is missing
            from it, or a special token is empty or given twice.

    Source: Sennrich, Haddow, Birch (2016), section 3.2, for the merges; Radford et al. (2019),
    section 2.2, for merges of bytes.

    >>> letters = [bytes([byte]) for byte in range(256)]
    >>> tokenizer = BytePairTokenizer([*letters, b"an", b"ban"], [(b"a", b"n"), (b"b", b"an")])
    >>> tokenizer.encode("banana"), tokenizer.tokens("banana")
    ([257, 256, 97], [b'ban', b'an', b'a'])
    """

    def __init__(
        self,
        vocabulary: Mapping[int, bytes] | Sequence[bytes],
        merges: Iterable[Merge],
        special_tokens: Iterable[str] = (),
        *,
        digits_apart: bool = False,
        all_bytes: bool = True,
    ) -> None:
        words = _in_order(vocabulary)
        ids = {token: i for i, token in reversed([*enumerate(words)])}
        self.special_ids: dict[str, int] = {}
        for special in checks.special_tokens(special_tokens):
            token = checks.utf8(special)
            if token not in ids:
                ids[token] = len(words)
                words.append(token)
            self.special_ids[special] = ids[token]
        self.vocabulary: tuple[bytes, ...] = tuple(words)
        self.merges: tuple[Merge, ...] = tuple((left, right) for left, right in merges)
        _check_complete(ids, self.merges, all_bytes=all_bytes)
        self._byte_ids = {
            byte: ids[token] for byte in range(256) if (token := bytes([byte])) in ids
        }
        self.digits_apart = digits_apart
        pairs = [(ids[left], ids[right]) for left, right in self.merges]
        self._ranks = {pair: rank for rank, pair in reversed([*enumerate(pairs)])}
        self._results = [ids[left + right] for left, right in self.merges]
        self._cache = _Cache(self._merge_piece)
        self._special = special_pattern(self.special_ids)

    def __len__(self) -> int:
        return len(self.vocabulary)

    @property
    def special_tokens(self) -> tuple[str, ...]:
        """The strings that are one token wherever they occur."""
        return tuple(self.special_ids)

    @property
    def missing_bytes(self) -> list[int]:
        """The bytes that are missing from the vocabulary."""
        return [byte for byte in range(256) if byte not in self._byte_ids]

    @property
    def digest(self) -> str:
        """Sixteen characters that identify this tokenizer."""
        content = repr((self.vocabulary, self.merges, sorted(self.special_ids.items())))
        if self.digits_apart:
            content += "digits apart"
        return hashlib.sha256(content.encode()).hexdigest()[:16]

    def encode(self, text: str, *, special: bool = True) -> list[int]:
        """Return the ids of a text.

        Args:
            text: any text.
            special: whether special tokens in the text are one token; False encodes them like any
                other text, which is right for a text that you do not trust.

        Raises:
            ValueError: text is not a string, or contains half of a surrogate pair.
        """
        checks.text(text=text)
        if not special or self._special is None:
            return self._ordinary(text)
        ids, end = [], 0
        for match in self._special.finditer(text):
            ids += self._ordinary(text[end : match.start()])
            ids.append(self.special_ids[match.group()])
            end = match.end()
        return ids + self._ordinary(text[end:])

    def encode_bytes(self, data: bytes) -> list[int]:
        """Return the ids of bytes, which need not be valid UTF-8.

        Raises:
            ValueError: data is not bytes.
        """
        if not isinstance(data, bytes):
            raise ValueError(f"data must be bytes, got {type(data).__name__}")
        return self._ordinary(data.decode("utf-8", "surrogateescape"))

    def encode_iterable(self, blocks: Iterable[str]) -> Iterator[int]:
        """Yield the ids of a text that is given in blocks, with one block in memory at a time.

        The ids are those of the whole text, wherever the blocks were cut.

        Args:
            blocks: the parts of the text, such as an open file, which yields its lines.

        Raises:
            ValueError: a block is not a string.
        """
        return chain.from_iterable(map(self.encode, whole_pieces(blocks, self.special_ids)))

    def tokens(self, text: str) -> list[bytes]:
        """Return the tokens of a text, each as the bytes that it represents."""
        return [self.vocabulary[i] for i in self.encode(text)]

    def decode_bytes(self, ids: Iterable[int]) -> bytes:
        """Return the bytes that the ids represent.

        Raises:
            ValueError: an id is not an integer from 0 to len(tokenizer) - 1.
        """
        return b"".join([self.vocabulary[i] for i in checks.ids(len(self), ids)])

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text that the ids represent; bytes that are not valid UTF-8 become U+FFFD.

        Raises:
            ValueError: an id is not an integer from 0 to len(tokenizer) - 1.
        """
        return self.decode_bytes(ids).decode("utf-8", "replace")

    def _ordinary(self, text: str) -> list[int]:
        found = in_pieces(text, digits_apart=self.digits_apart)
        return list(chain.from_iterable(map(self._cache.__getitem__, found)))

    def _merge_piece(self, piece: str) -> tuple[int, ...]:
        """Merge the bytes of one piece, always choosing the pair that was learned first."""
        ids = [self._byte_ids[byte] for byte in checks.utf8(piece) if byte in self._byte_ids]
        while len(ids) > 1:
            pair = min(pairwise(ids), key=self._rank)
            if pair not in self._ranks:
                break
            ids = merge_pair(ids, pair, self._results[self._ranks[pair]])
        return tuple(ids)

    def _rank(self, pair: tuple[int, int]) -> int:
        return self._ranks.get(pair, len(self.merges))


def merge_pair(ids: Sequence[int], pair: tuple[int, int], merged: int) -> list[int]:
    """Return ids with every occurrence of a pair replaced by one id, from left to right.

    Args:
        ids: the ids of the tokens of a piece.
        pair: the two ids to replace.
        merged: the id that replaces them.

    Source: Sennrich, Haddow, Birch (2016), algorithm 1.

    >>> merge_pair([1, 1, 1, 2, 1, 1], (1, 1), 3)
    [3, 1, 2, 3]
    """
    found, i, last = [], 0, len(ids) - 1
    while i <= last:
        if i < last and ids[i] == pair[0] and ids[i + 1] == pair[1]:
            found.append(merged)
            i += 2
        else:
            found.append(ids[i])
            i += 1
    return found


class _Cache(dict[str, tuple[int, ...]]):
    """The ids of pieces; what is not in it is computed, and kept while there is room."""

    def __init__(self, merge: Callable[[str], tuple[int, ...]]) -> None:
        super().__init__()
        self.merge = merge

    def __missing__(self, piece: str) -> tuple[int, ...]:
        ids = self.merge(piece)
        if len(self) < CACHED and len(piece) <= LONGEST_CACHED:
            self[piece] = ids
        return ids


def _in_order(vocabulary: Mapping[int, bytes] | Sequence[bytes]) -> list[bytes]:
    words = vocabulary if isinstance(vocabulary, Mapping) else dict(enumerate(vocabulary))
    if sorted(words) != [*range(len(words))]:
        raise ValueError(f"vocabulary must have the ids from 0 to {len(words) - 1} without gaps")
    wrong = [word for word in words.values() if not isinstance(word, bytes) or not word]
    if wrong:
        raise ValueError(f"vocabulary must contain only non-empty bytes, got {wrong[:5]}")
    return [words[i] for i in range(len(words))]


def _check_complete(ids: Mapping[bytes, int], merges: Iterable[Merge], *, all_bytes: bool) -> None:
    lacking = [byte for byte in range(256) if bytes([byte]) not in ids]
    if all_bytes and lacking:
        raise ValueError(f"vocabulary must contain all 256 bytes, but {lacking[:5]} are missing")
    for left, right in merges:
        if lacking_tokens := [t for t in (left, right, left + right) if t not in ids]:
            raise ValueError(
                f"vocabulary must contain each part and result of a merge, but "
                f"{lacking_tokens} are missing"
            )
