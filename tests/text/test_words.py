"""A word ends at its boundary: by hand, for every word of a small language, and for any prefix."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st
from tokenizers import Tokenizer, models

from tests.text import peer
from transformer_lib.text import (
    BytePairTokenizer,
    UnitTokenizer,
    as_tokenizer,
    ends_word,
    load_tokenizer,
    word_bits as bits_of,
    words,
)

TOKENS = [" the", " sleep", "s", "."]
ENDS = np.array([True, True, False, True])
#         the  sleep    s    .
TABLE = [
    [0.250, 0.500, 0.125, 0.125],  # after the
    [0.250, 0.125, 0.500, 0.125],  # after sleep
    [0.250, 0.125, 0.125, 0.500],  # after s
    [0.500, 0.250, 0.125, 0.125],  # after the stop
]
START = [0.5, 0.25, 0.125, 0.125]


def logs_of(ids: list[int]) -> np.ndarray:
    return np.log([START, *(TABLE[i] for i in ids)])


def bits(ids: list[int]) -> list[float]:
    found = bits_of(logs_of(ids), np.array(ids), ENDS)
    return [float(each) for each in found]


def test_by_hand_sleeps_may_win_although_its_tokens_begin_with_those_of_sleep() -> None:
    end_of_the, end_of_sleep, end_of_s = 7 / 8, 1 / 2, 7 / 8
    the = -np.log2(1 / 2 * end_of_the)
    sleep = -np.log2(1 / 2 / end_of_the * end_of_sleep)
    sleeps = -np.log2(1 / 2 / end_of_the * 1 / 2 * end_of_s)
    np.testing.assert_allclose(bits([0, 1]), [the, sleep], atol=1e-12)
    np.testing.assert_allclose(bits([0, 1, 2]), [the, sleeps], atol=1e-12)
    # With a stop behind both, the two words keep their bits, and the stop has its own.
    np.testing.assert_allclose(bits([0, 1, 3])[:2], [the, sleep], atol=1e-12)
    np.testing.assert_allclose(bits([0, 1, 3])[2], -np.log2(1 / 8 / end_of_sleep * 7 / 8))


def test_the_probabilities_of_all_words_add_up_to_one() -> None:
    """Every word is a token that begins one and then up to sixty that go on."""
    chances = []
    for first in (0, 1, 3):
        for more in range(60):
            ids = [0, first] + [2] * more
            chances.append(2 ** -bits(ids)[1])
    np.testing.assert_allclose(sum(chances), 1, atol=1e-9)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(0, 2**32 - 1))
def test_words_and_the_last_end_hold_all_bits(ids: list[int], seed: int) -> None:
    logs = np.log(np.random.default_rng(seed).dirichlet(np.ones(4), size=len(ids) + 1))
    of_tokens = -logs[np.arange(len(ids)), ids].sum() / np.log(2)
    of_end = -np.log2(np.exp(logs[-1, ENDS]).sum())
    found = bits_of(logs, np.array(ids), ENDS)
    np.testing.assert_allclose(found.sum(), of_tokens + of_end, atol=1e-9)
    assert (found[1:] >= -1e-9).all() or not ENDS[ids[0]]


BLANKS = [*range(9, 14), *range(28, 33)]
MARKS = [ord(mark) for mark in '!"#%&()*,./:;?@[\\]_{}']


def test_for_any_prefix_a_word_ends_or_goes_on() -> None:
    """Each is summed over its own tokens, listed here by hand, and no token is in both or none."""
    ends = ends_word(LETTERS)
    listed = [*BLANKS, *MARKS, 256, 257]
    goes_on = [i for i in range(len(ends)) if i not in listed]
    assert np.flatnonzero(ends).tolist() == sorted(listed)
    for seed in range(20):
        chances = np.random.default_rng(seed).dirichlet(np.ones(len(ends)))
        np.testing.assert_allclose(chances[ends].sum() + chances[goes_on].sum(), 1, atol=1e-9)


LETTERS = BytePairTokenizer(
    [*(bytes([byte]) for byte in range(256)), b" a"], [(b" ", b"a")], ["<end>"]
)


@pytest.mark.parametrize("text", ["’s", "-made", "‑in", "'t", "a", "é", "漢", "$"])
def test_what_goes_on_with_a_word(text: str) -> None:
    assert not ends_word(with_token(text))[-1]


@pytest.mark.parametrize("text", ["“", "—", "…", "\n\n", "\u00a0a", "(a", "»", " 's", ".", "。"])
def test_what_ends_a_word(text: str) -> None:
    assert ends_word(with_token(text))[-1]


def with_token(text: str) -> BytePairTokenizer:
    return BytePairTokenizer([*LETTERS.vocabulary, text.encode()], [])


def test_a_tokenizer_of_the_package_tokenizers_has_the_same_class(tmp_path: Path) -> None:
    theirs = peer.trained(peer.documents(), 400, ("<end>",))
    theirs.save(str(tmp_path / "tokenizer.json"))
    ours = load_tokenizer(tmp_path / "tokenizer.json")
    np.testing.assert_array_equal(ends_word(as_tokenizer(theirs)), ends_word(ours))


def test_blanks_that_are_written_as_a_bar_are_blanks() -> None:
    vocabulary = [("<unk>", 0.0), ("▁sleep", -1.0), ("s", -1.0), (".", -1.0), ("<0x0A>", -1.0)]
    vocabulary += [("<0xA0>", -1.0)]  # the second byte of à, alone no character
    theirs = Tokenizer(models.Unigram(vocabulary, 0, byte_fallback=True))
    assert ends_word(as_tokenizer(theirs)).tolist() == [False, True, False, True, True, False]


def test_words_of_an_earlier_place_are_kept_together() -> None:
    ids = LETTERS.encode("it's a well-made one.\nBye")
    found = [LETTERS.decode([ids[i] for i in word]) for word in words(ids, ends_word(LETTERS))]
    assert found == ["it's", " a", " well-made", " one", ".", "\nBye"]


def test_what_does_not_fit_is_refused() -> None:
    ends = ends_word(LETTERS)
    with pytest.raises(ValueError, match=r"logs must be \(n \+ 1, V\)"):
        bits_of(np.zeros((2, len(ends))), np.array([1, 2]), ends)
    with pytest.raises(ValueError, match="at least one"):
        bits_of(np.zeros((1, len(ends))), np.array([], int), ends)
    with pytest.raises(ValueError, match="must be a BytePairTokenizer or one of the package"):
        ends_word(UnitTokenizer(["a", " b"], "words"))
    without = as_tokenizer(Tokenizer(models.WordLevel({"a": 0, "b": 1}, "a")))
    with pytest.raises(ValueError, match="begin with the blank before a word"):
        ends_word(without)
