"""Train byte-pair encoding: find the pairs to merge, with counts that are kept up to date."""

from collections import Counter
from collections.abc import Iterable

from transformer_lib.formulas import checks as range_checks
from transformer_lib.text import checks
from transformer_lib.text.bpe import BytePairTokenizer, Merge
from transformer_lib.text.byte_alphabet import BYTES
from transformer_lib.text.pair_queue import PairQueue
from transformer_lib.text.pair_table import PairTable
from transformer_lib.text.pretokenization import pieces, special_pattern

TIES = ("lowest ids", "greatest")


def train_bpe(
    texts: Iterable[str],
    *,
    vocabulary_size: int,
    special_tokens: Iterable[str] = (),
    ties: str = "lowest ids",
) -> BytePairTokenizer:
    """Learn byte-pair encoding by repeatedly merging the most frequent pair.

    Ids are assigned to the special tokens, then to the bytes in GPT-2's order, and then to the
    result of each merge. The vocabulary is smaller than requested if the texts have no pair left.

    Args:
        texts: documents, or the parts of a document that `whole_pieces` cuts; no pair is counted
            across two texts, across a special token or across a border of GPT-2's pieces.
        vocabulary_size: the final number of tokens, at least the bytes and special tokens.
        special_tokens: strings that are one token wherever they occur.
        ties: which of several equally frequent pairs is merged: the one with the "lowest ids", as
            in the package `tokenizers`, or the "greatest" by its bytes, as in Stanford's course
            CS336.

    Raises:
        ValueError: texts contains no text, vocabulary_size is below the number of bytes and special
            tokens, or an argument is not as described.

    Source: Sennrich, Haddow, Birch (2016), section 3.2 and algorithm 1.

    >>> train_bpe(["low lower lowest"], vocabulary_size=259).merges
    ((b'l', b'o'), (b'lo', b'w'), (b' ', b'low'))
    """
    if ties not in TIES:
        raise ValueError(f"ties must be one of {TIES}, got {ties!r}")
    specials = checks.special_tokens(special_tokens)
    words = dict.fromkeys([checks.utf8(s) for s in specials] + [bytes([byte]) for byte in BYTES])
    range_checks.count(1, vocabulary_size=vocabulary_size)
    if vocabulary_size < len(words):
        raise ValueError(
            f"vocabulary_size must be at least {len(words)}, for 256 bytes and the special tokens, "
            f"got {vocabulary_size}"
        )
    counts = piece_counts(texts, specials)
    vocabulary, merges = _learn(counts, list(words), vocabulary_size, greatest=ties == "greatest")
    return BytePairTokenizer(vocabulary, merges, specials)


def piece_counts(texts: Iterable[str], special_tokens: Iterable[str] = ()) -> Counter[str]:
    """Count GPT-2's pieces in the texts, outside the special tokens.

    Raises:
        ValueError: texts is a single string or contains no text.

    >>> piece_counts(["a cat and a cat"]).most_common(2)
    [(' cat', 2), ('a', 1)]
    """
    counts: Counter[str] = Counter()
    special = special_pattern(special_tokens)
    for text in checks.texts(texts=texts):
        for part in special.split(text) if special else [text]:
            counts.update(pieces(part))
    checks.learnable(counts)
    return counts


def _learn(
    counts: Counter[str], vocabulary: list[bytes], size: int, *, greatest: bool
) -> tuple[list[bytes], list[Merge]]:
    """Merge until the vocabulary has its size."""
    ids = {token: i for i, token in enumerate(vocabulary)}
    words = [[ids[bytes([byte])] for byte in checks.utf8(piece)] for piece in counts]
    table = PairTable(words, [*counts.values()])
    queue = PairQueue(table.counts, vocabulary, greatest=greatest)
    merges: list[Merge] = []
    while len(vocabulary) < size and (pair := queue.pop()):
        left, right = vocabulary[pair[0]], vocabulary[pair[1]]
        merges.append((left, right))
        # Two merges may give the same bytes, as a + bc and ab + c do: they share one id.
        merged = ids.setdefault(left + right, len(vocabulary))
        if merged == len(vocabulary):
            vocabulary.append(left + right)
        queue.push(table.merge(pair, merged))
    return vocabulary, merges
