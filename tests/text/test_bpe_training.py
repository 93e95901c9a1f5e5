"""Which merges are learned: those of the package `tokenizers`, and those of a count made anew."""

import tracemalloc
from collections import Counter
from itertools import pairwise

import pytest

from tests.refusals import refusals
from tests.text import peer
from transformer_lib.text import BytePairTokenizer, merge_pair, pieces, train_bpe, whole_pieces
from transformer_lib.text.byte_alphabet import BYTES
from transformer_lib.text.pair_table import PairTable


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("special_tokens", [(), ("<|end|>", "<|pad|>")])
def test_the_merges_and_ids_are_those_of_tokenizers(
    seed: int, special_tokens: tuple[str, ...]
) -> None:
    texts = peer.documents(seed)
    theirs = peer.trained(texts, 700, special_tokens)
    ours = train_bpe(texts, vocabulary_size=700, special_tokens=special_tokens)
    assert len(ours.merges) > 300
    assert ours.merges == peer.merges_of(theirs)
    assert [ours.encode(text) for text in texts] == [theirs.encode(text).ids for text in texts]


def counted_anew(texts: list[str], size: int) -> tuple[tuple[bytes, bytes], ...]:
    """Learn as CS336 describes it, with all pairs counted again for each merge."""
    words = Counter(tuple(bytes([b]) for b in p.encode()) for text in texts for p in pieces(text))
    merges: list[tuple[bytes, bytes]] = []
    while len(merges) < size - 256:
        counts: Counter[tuple[bytes, bytes]] = Counter()
        for word, frequency in words.items():
            for pair in pairwise(word):
                counts[pair] += frequency
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        joined: Counter[tuple[bytes, ...]] = Counter()
        for word, frequency in words.items():
            ids = dict(enumerate(sorted({*word, b"".join(best)})))
            back = {token: i for i, token in ids.items()}
            new = merge_pair(
                [back[token] for token in word],
                (back.get(best[0], -1), back.get(best[1], -1)),
                back[b"".join(best)],
            )
            joined[tuple(ids[i] for i in new)] += frequency
        words = joined
    return tuple(merges)


def test_ties_go_to_the_greatest_pair_and_counts_stay_right() -> None:
    texts = peer.documents(3, count=8)
    expected = counted_anew(texts, 500)
    assert train_bpe(texts, vocabulary_size=500, ties="greatest").merges == expected
    assert train_bpe(texts, vocabulary_size=500).merges != expected


def test_a_prefix_is_smaller_than_what_it_begins() -> None:
    # Once a and b are one, (x, ab) and (x, a) both stand twice.
    texts = ["ab"] * 5 + ["xa", "xa", "xab", "xab"]
    merges = train_bpe(texts, vocabulary_size=258, ties="greatest").merges
    assert merges == ((b"a", b"b"), (b"x", b"ab"))


def test_a_text_larger_than_what_is_held_is_learned_from() -> None:
    once = train_bpe(["".join(peer.lines(100))], vocabulary_size=280)
    tracemalloc.start()
    made = train_bpe(whole_pieces(peer.lines(60_000)), vocabulary_size=280)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # The text has four million characters; of those, a block is held, and each piece once.
    assert peak < 2_000_000 < sum(map(len, peer.lines(60_000))) / 2
    assert made.merges == once.merges, "the same hundred lines, six hundred times"


def test_pairs_are_not_counted_across_special_tokens() -> None:
    texts = ["ab<|end|>ab<|end|>cdcdcdcd"]
    tokenizer = train_bpe(texts, vocabulary_size=259, special_tokens=["<|end|>"])
    assert tokenizer.special_ids == {"<|end|>": 0}
    assert tokenizer.vocabulary[1:257] == tuple(bytes([byte]) for byte in BYTES)
    assert tokenizer.merges == ((b"c", b"d"), (b"cd", b"cd"))


def test_two_merges_that_give_the_same_bytes_share_an_id() -> None:
    # ba is merged first, then aa: baaa is ba aa and caaa is c aa a, both hold aaa in two ways.
    texts = ["ba " * 9 + "xaa " * 8 + "baaa " * 4 + "aaab"]
    tokenizer = train_bpe(texts, vocabulary_size=275)
    assert len(set(tokenizer.vocabulary)) == len(tokenizer)
    assert tokenizer.decode(tokenizer.encode(texts[0])) == texts[0]


def test_it_ends_where_no_pair_is_left() -> None:
    tokenizer = train_bpe(["aaaa"], vocabulary_size=1000)
    assert tokenizer.merges == ((b"a", b"a"), (b"aa", b"aa"))
    assert len(tokenizer) == 258


def test_a_pair_that_overlaps_itself_is_counted_at_each_place() -> None:
    table = PairTable([[7, 7, 7, 7, 7]], [3])
    assert table.counts == {(7, 7): 12}
    assert table.merge((7, 7), 8) == {(8, 8), (8, 7)}
    assert +Counter(table.counts) == {(8, 8): 3, (8, 7): 3}


GOOD = dict(texts=["a text"], vocabulary_size=300, special_tokens=["<|end|>"])
test_bad_input = refusals(
    ("vocabulary_size must be at least 257, for 256 bytes", dict(vocabulary_size=255)),
    ("vocabulary_size must be an integer of 1 or more", dict(vocabulary_size=300.5)),
    ("ties must be one of", dict(ties="first")),
    ("special_tokens must be different", dict(special_tokens=["a", "a"])),
    ("special_tokens must be an iterable", dict(special_tokens="<|end|>")),
    ("special_tokens must be different and not empty", dict(special_tokens=[""])),
    ("texts must contain some text, but they are empty", dict(texts=[])),
    ("texts must contain some text", dict(texts=["", ""])),
    ("texts must be an iterable of strings, got str", dict(texts="a text")),
    ("texts must be a string, got bytes", dict(texts=[b"a text"])),
    of=lambda changes: train_bpe(**(GOOD | changes)),
)


def test_a_trained_tokenizer_is_one_of_the_vocabulary_and_merges_that_it_shows() -> None:
    ours = train_bpe(peer.documents(), vocabulary_size=400, special_tokens=["<|end|>"])
    again = BytePairTokenizer(ours.vocabulary, ours.merges, ours.special_tokens)
    assert again.digest == ours.digest
    text = "abc<|end|>d漢é"
    assert again.encode(text) == ours.encode(text)
