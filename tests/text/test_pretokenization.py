"""Where texts are cut: the published pattern, and blocks of a text longer than memory."""

import tracemalloc
from unicodedata import category

import pytest
from hypothesis import given, strategies as st
from tokenizers import pre_tokenizers

from tests.refusals import refusals
from tests.text import peer
from transformer_lib.text import byte_tokenizer, from_printable, pieces, train_bpe, whole_pieces
from transformer_lib.text.pretokenization import gpt2_pattern, in_pieces

THEIRS = pre_tokenizers.ByteLevel(add_prefix_space=False)
ALPHABET = st.sampled_from([*"abzéß漢1٣½²Ⅷ'_.-rest \t\n\r\x0b\x1c\x1f\x85\xa0\u2028\u3000\u200b"])


@given(st.text(ALPHABET) | st.text(st.characters(exclude_categories=["Cs", "Cn"])))
def test_the_pieces_are_those_of_tokenizers(text: str) -> None:
    theirs = [from_printable(piece) for piece, _ in THEIRS.pre_tokenize_str(text)]
    assert [piece.encode() for piece in pieces(text)] == theirs
    assert "".join(pieces(text)) == text


def test_every_character_of_the_lowest_plane_is_of_the_class_that_tokenizers_gives_it() -> None:
    known = [chr(code) for code in range(1 << 16) if category(chr(code)) not in ("Cs", "Cn")]
    for start in range(0, len(known), 100):
        text = "".join(f"a{character}1{character}." for character in known[start : start + 100])
        theirs = [from_printable(piece).decode() for piece, _ in THEIRS.pre_tokenize_str(text)]
        assert pieces(text) == theirs, hex(ord(known[start]))


@pytest.mark.parametrize("digits_apart", [False, True])
def test_a_text_of_the_lowest_plane_is_cut_as_if_it_were_not(digits_apart: bool) -> None:
    known = (chr(code) for code in range(1 << 16) if category(chr(code)) not in ("Cs", "Cn"))
    low = "".join(f"a{character}1{character}. {character}" for character in known)
    whole = gpt2_pattern(digits_apart=digits_apart).findall(low)
    assert in_pieces(low, digits_apart=digits_apart) == whole
    assert in_pieces("𝒳x 🙂.", digits_apart=digits_apart) == ["𝒳x", " 🙂."]


@given(st.lists(st.text(ALPHABET)), st.integers(1, 9), st.sampled_from([(), ("ab", "1ab", "' a")]))
def test_cut_anew_no_piece_and_no_special_token_is_cut(
    blocks: list[str], block_size: int, special_tokens: tuple[str, ...]
) -> None:
    text = "".join(blocks)
    parts = list(whole_pieces(blocks, special_tokens, block_size=block_size))
    assert "".join(parts) == text
    tokenizer = train_bpe(["x"], vocabulary_size=270, special_tokens=special_tokens)
    ids = [i for part in parts for i in tokenizer.encode(part)]
    assert ids == tokenizer.encode(text)
    if not special_tokens:
        assert [piece for part in parts for piece in pieces(part)] == pieces(text)


@pytest.mark.parametrize("block_size", range(1, 40))
def test_a_special_token_is_whole_wherever_the_blocks_end(block_size: int) -> None:
    special_tokens = ("<|end|>", "<|end|><|end|>", "a b")
    tokenizer = train_bpe(["x"], vocabulary_size=270, special_tokens=special_tokens)
    text = "one a b two<|end|>three<|end|><|end|> four<|end|> a bc " * 3
    for blocks in ([*text], text.split("a"), [text[:block_size], text[block_size:]]):
        whole = "".join(blocks)
        parts = list(whole_pieces(blocks, special_tokens, block_size=block_size))
        assert "".join(parts) == whole
        assert [i for part in parts for i in tokenizer.encode(part)] == tokenizer.encode(whole)


def test_a_text_of_many_lines_is_never_held_whole() -> None:
    tokenizer = byte_tokenizer()
    gpt2_pattern(every=False)
    sum(1 for _ in tokenizer.encode_iterable(peer.lines(3000)))
    tracemalloc.start()
    count = sum(1 for _ in tokenizer.encode_iterable(peer.lines(30_000)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count == sum(map(len, peer.lines(30_000))) > 2_000_000
    # A block of 65,536 characters as text, as pieces and as ids; all ids would be 16 million bytes.
    assert peak < 6_000_000


def test_one_endless_word_is_looked_at_few_times() -> None:
    blocks = ["a" * 1000] * 300
    assert list(whole_pieces(blocks, block_size=1000)) == ["a" * 300_000]


test_bad_input = refusals(
    ("text must be a string, got bytes", lambda: pieces(b"a")),
    ("blocks must be an iterable of strings", lambda: list(whole_pieces("ab"))),
    ("blocks must be a string, got int", lambda: list(whole_pieces([3]))),
    ("block_size must be an integer of 1", lambda: list(whole_pieces(["a"], block_size=0))),
)
