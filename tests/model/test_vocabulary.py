import numpy as np
import pytest
from hypothesis import given, strategies as st

from tests.refusals import refusals
from transformer_lib import Vocabulary

words = st.lists(st.text(st.characters(categories=["Ll"]), min_size=1), unique=True)


@given(words)
def test_decode_undoes_encode(tokens: list[str]) -> None:
    vocabulary = Vocabulary(tokens)
    ids = vocabulary.encode(tokens, start=True, end=True)
    assert vocabulary.decode(ids) == ["<s>", *tokens, "</s>"]
    assert vocabulary.decode(ids, skip_special=True) == tokens
    assert len(vocabulary) == 4 + len(tokens)


def test_special_tokens_come_first_and_unknown_ones_become_unk() -> None:
    vocabulary = Vocabulary(["a", "b"])
    ids = (vocabulary.unknown_id, vocabulary.padding_id, vocabulary.start_id, vocabulary.end_id)
    assert vocabulary.decode(ids) == ["<unk>", "<pad>", "<s>", "</s>"]
    assert vocabulary.encode(["b", "z"]) == [5, vocabulary.unknown_id]
    assert "b" in vocabulary and "z" not in vocabulary
    assert repr(vocabulary) == "Vocabulary of 6 tokens"


def test_pad() -> None:
    vocabulary = Vocabulary("ab".split())
    assert vocabulary.pad([[4], [4, 5, 4], []]) == [[4, 1, 1], [4, 5, 4], [1, 1, 1]]
    assert vocabulary.pad([[4]], length=2) == [[4, 1]]
    assert vocabulary.pad([]) == []
    with pytest.raises(
        ValueError, match="length must be at least that of the longest sequence, 2, got 1"
    ):
        vocabulary.pad([[4, 5]], length=1)


def test_entries_of_arrays_decode() -> None:
    assert Vocabulary(["a"]).decode(np.array([4, 2])) == ["a", "<s>"]


test_bad_input = refusals(
    (r"tokens must name each token once, got \['a'\]", lambda: Vocabulary(["a", "b", "a"])),
    (r"tokens must name each token once, got \['<s>'\]", lambda: Vocabulary(["<s>"])),
    ("tokens must be a list of strings, got one string 'ab'", lambda: Vocabulary("ab")),
    (r"tokens must all be strings, got \[3\]", lambda: Vocabulary(["a", 3])),
    ("tokens must be a list of strings", lambda: Vocabulary(["a"]).encode("a")),
    (
        r"in the vocabulary, but \['z'\]",
        lambda: Vocabulary(["a"]).encode(["a", "z"], known_only=True),
    ),
    (r"ids must be from 0 to 4, got \[5, -1\]", lambda: Vocabulary(["a"]).decode([5, 0, -1])),
    ("ids must be integers, got 1.0", lambda: Vocabulary(["a"]).decode([1.0])),
    ("ids must be integers, got True", lambda: Vocabulary(["a"]).decode([True])),
)
