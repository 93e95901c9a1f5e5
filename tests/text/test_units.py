"""Bytes, characters and words as tokens, and tokenizers of others in their place."""

import pytest
from hypothesis import given, strategies as st

from tests.refusals import refusals
from tests.text import peer
from transformer_lib.text import (
    Tokenizer,
    UnitTokenizer,
    as_tokenizer,
    byte_tokenizer,
    train_bpe,
    train_units,
)
from transformer_lib.text.units import UNKNOWN

TEXTS = ["the cat and the dog", "the end"]


@given(st.text())
def test_bytes_are_ids(text: str) -> None:
    assert byte_tokenizer().encode(text) == list(text.encode())


@pytest.mark.parametrize(
    ("unit", "first"), [("characters", (" ", "t", "e")), ("words", ("the", " cat", " and"))]
)
def test_the_most_frequent_units_are_known(unit: str, first: tuple[str, ...]) -> None:
    tokenizer = train_units(TEXTS, unit=unit, vocabulary_size=4)
    assert tokenizer.vocabulary[1:] == first
    with_unknown = train_units([f"{UNKNOWN} {UNKNOWN}", *TEXTS], unit=unit, vocabulary_size=4)
    assert with_unknown.vocabulary.count(UNKNOWN) == 1
    everything = train_units(TEXTS, unit=unit, vocabulary_size=100)
    for text in TEXTS:
        assert everything.decode(everything.encode(text)) == text
        assert list(everything.encode_iterable([*text])) == everything.encode(text)


def test_what_was_never_met_is_unknown() -> None:
    words = UnitTokenizer(["the", " cat"], "words")
    assert words.encode("the dog cat") == [1, 0, 2]
    assert words.decode([1, 0, 2]) == "the\ufffd cat"
    assert words.tokens("the dog") == [b"the", b" dog"]
    assert UnitTokenizer(["the", " cat"], "characters").digest != words.digest


def test_a_tokenizer_of_the_package_tokenizers_stands_in_the_place_of_ours() -> None:
    texts = peer.documents()
    theirs = as_tokenizer(peer.trained(texts, 400, ("<|end|>",)))
    ours = train_bpe(texts, vocabulary_size=400, special_tokens=["<|end|>"])
    assert as_tokenizer(ours) is ours
    text = f"{texts[0]}<|end|>{texts[1]}"
    ids = ours.encode(text)
    assert theirs.encode(text) == list(theirs.encode_iterable([text[:7], text[7:]])) == ids
    assert theirs.decode(ids) == text
    assert len(theirs) == len(ours) == 400
    assert theirs.digest != as_tokenizer(peer.trained(texts, 401)).digest
    assert isinstance(train_units(TEXTS, unit="words", vocabulary_size=9), Tokenizer)


test_bad_input = refusals(
    ("unit must be one of", lambda: UnitTokenizer(["a"], "letters")),
    ("unit must be one of", lambda: train_units(TEXTS, unit="x", vocabulary_size=9)),
    ("must contain each token only once", lambda: UnitTokenizer(["a", "a"], "words")),
    ("an integer of 2 or more", lambda: train_units(TEXTS, unit="words", vocabulary_size=1)),
    ("there is nothing to learn", lambda: train_units([""], unit="words", vocabulary_size=9)),
    ("ids must be integers from 0 to 1", lambda: UnitTokenizer(["a"], "words").decode([2])),
    ("text must be a string, got int", lambda: UnitTokenizer(["a"], "words").encode(3)),
    ("tokenizer must be one of transformer_lib.text or of", lambda: as_tokenizer("gpt2")),
)
