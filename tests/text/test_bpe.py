"""Encoding and decoding: the ids of `tokenizers`, and every text and every byte string back."""

import random
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.refusals import refusals
from tests.text import peer
from transformer_lib.text import BytePairTokenizer, byte_tokenizer, train_bpe
from transformer_lib.text.bpe import LONGEST_CACHED

END = "<|end|>"
TEXTS = [*peer.documents(), "It's 2 cats,  isn't it?\n\n  We'll see; they've 10 ½ ٣ \x85\x1c."]
OURS = train_bpe(TEXTS, vocabulary_size=600, special_tokens=[END, END + END])
THEIRS = peer.trained(TEXTS, 600, (END, END + END))
# Characters that Python's Unicode data does not know may be letters in that of `tokenizers`.
KNOWN = st.text(st.characters(exclude_categories=["Cs", "Cn"]))
LIKE_TEXT = st.lists(st.sampled_from([*"abé漢 \n\t'1½.\x85\x1c\u2003", "'s", "'ll", " ", END]))


@given(KNOWN)
def test_any_text_gets_the_ids_of_tokenizers(text: str) -> None:
    assert OURS.encode(text) == THEIRS.encode(text).ids


@given(LIKE_TEXT.map("".join))
def test_so_does_a_text_of_words_spaces_and_special_tokens(text: str) -> None:
    assert OURS.encode(text) == THEIRS.encode(text).ids
    assert OURS.decode(OURS.encode(text)) == text


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    assert OURS.decode(OURS.encode(text)) == text
    assert OURS.decode(OURS.encode(text, special=False)) == text
    assert b"".join(OURS.tokens(text)) == text.encode()


@given(st.binary())
def test_any_bytes_come_back(data: bytes) -> None:
    assert OURS.decode_bytes(OURS.encode_bytes(data)) == data


@given(st.lists(st.integers(0, len(OURS) - 1)))
def test_any_ids_give_a_text(ids: list[int]) -> None:
    assert OURS.decode(ids) == OURS.decode_bytes(ids).decode("utf-8", "replace")


@given(LIKE_TEXT, st.integers(0, 99))
def test_a_text_in_blocks_gets_the_ids_of_the_whole(parts: list[str], seed: int) -> None:
    text = "".join(parts)
    cuts = sorted(random.Random(seed).choices(range(len(text) + 1), k=3))
    blocks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert list(OURS.encode_iterable(blocks)) == OURS.encode(text)


def test_the_longest_special_token_wins_and_can_be_read_as_text() -> None:
    assert OURS.encode(f"a{END}{END}{END}") == [*OURS.encode("a"), 1, 0]
    ids = OURS.encode(END, special=False)
    assert 0 not in ids and OURS.decode(ids) == END


LETTERS = [bytes([byte]) for byte in range(256)]


@pytest.mark.parametrize("twice", [[], [(b"a", b"b")]])
def test_a_pair_is_merged_in_the_order_of_learning_not_of_ids(twice: Any) -> None:
    """A pair that is listed twice keeps its first rank."""
    merges = [(b"a", b"b"), (b"b", b"c"), *twice]
    assert BytePairTokenizer([*LETTERS, b"bc", b"ab"], merges).tokens("abc") == [b"ab", b"c"]


def test_a_special_token_outside_the_vocabulary_gets_the_next_id() -> None:
    tokenizer = BytePairTokenizer([*LETTERS, b"<a>"], [], ["<b>", "<a>"])
    assert tokenizer.special_ids == {"<b>": 257, "<a>": 256}
    assert len(tokenizer) == 258


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("transformer_lib.text.bpe.CACHED", 10)
    tokenizer = byte_tokenizer()
    for i in range(30):
        assert tokenizer.encode(str(i)) == list(str(i).encode())
    assert len(tokenizer._cache) == 10
    fresh = byte_tokenizer()
    fresh.encode("x" * (LONGEST_CACHED + 1))
    assert not fresh._cache


test_bad_input = refusals(
    ("must contain all 256 bytes, but .* missing", lambda: BytePairTokenizer(LETTERS[1:], [])),
    ("must have the ids from 0 to 0 without", lambda: BytePairTokenizer({1: b"a"}, [])),
    ("vocabulary must contain only non-empty bytes", lambda: BytePairTokenizer(["a"], [])),
    ("vocabulary must contain only non-empty bytes", lambda: BytePairTokenizer([b""], [])),
    ("each part and result of a merge", lambda: BytePairTokenizer(LETTERS, [(b"a", b"b")])),
    ("special_tokens must be a string", lambda: BytePairTokenizer(LETTERS, [], [3])),
    ("text must be a string, got bytes", lambda: OURS.encode(b"a")),
    ("text must be Unicode text, but it contains half", lambda: OURS.encode("a\ud800")),
    ("data must be bytes, got str", lambda: OURS.encode_bytes("a")),
    (r"ids must be integers from 0 to 599, got \[600\]", lambda: OURS.decode([600])),
    ("ids must be integers from 0 to 599", lambda: OURS.decode([-1])),
    ("ids must be integers from 0 to 599", lambda: OURS.decode([1.0])),
    ("blocks must be an iterable of strings", lambda: list(OURS.encode_iterable("ab"))),
)
