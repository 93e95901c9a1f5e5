"""A text cut while it is typed: the tokens are the text, and the counts are the tokenizers'."""

import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given, strategies as st

from tests.widgets.test_frames import says_what_is_wrong_and_recovers
from transformer_lib import text, widgets
from transformer_lib.widgets.tokenizer_explorer import LONGEST, cut, cuts

END = "<|end|>"
LEARNED = ["the array is returned, as an array", "naïve 12 345\n\tthe end"]
TOKENIZERS: dict[str, Any] = {
    "bytes": text.byte_tokenizer(),
    "characters": text.train_units(LEARNED, unit="characters", vocabulary_size=20),
    "merges": text.train_bpe(LEARNED, vocabulary_size=275, special_tokens=[END]),
    "words": text.train_units(LEARNED, unit="words", vocabulary_size=9),
}


class Halves:
    """A tokenizer that has encode and decode and nothing else."""

    def encode(self, text: str) -> list[int]:
        return [ord(character) for character in text[::2]]

    def decode(self, ids: Any) -> str:
        return "".join(map(chr, ids))


def explorer(first: str = "the array") -> tuple[Any, Any]:
    _, typed, page = widgets.tokenizer_explorer(TOKENIZERS, first).children
    return typed, page


def counts(html: str) -> dict[str, list[str]]:
    """What stands beside each name."""
    rows = re.findall(r"<p[^>]*><b>(.*?)</b>(.*?)</p>", html)
    return {name: re.findall(r"<span>(.*?)</span>", facts) for name, facts in rows}


def chips(html: str) -> list[list[str]]:
    rows = re.findall(r'<div aria-live="off">(.*?)</div>', html, re.DOTALL)
    return [[unescape(chip) for chip in re.findall(r"<span>(.*?)</span>", row)] for row in rows]


@given(st.text(max_size=LONGEST))
def test_the_tokens_of_any_text_are_the_text(typed: str) -> None:
    for tokenizer in TOKENIZERS.values():
        found = cut(tokenizer, typed)
        assert b"".join(found.pieces) == typed.encode()
        assert len(found.pieces) == len(found.lost) == len(tokenizer.encode(typed))


@given(st.text(max_size=LONGEST))
def test_a_token_is_lost_exactly_where_its_id_is_unknown(typed: str) -> None:
    for name, tokenizer in TOKENIZERS.items():
        found = cut(tokenizer, typed)
        assert found.lost == [
            name in ("characters", "words") and i == 0 and piece != "\ufffd".encode()
            for i, piece in zip(tokenizer.encode(typed), found.pieces, strict=True)
        ]


@given(st.text(max_size=LONGEST))
def test_what_is_shown_is_counted(typed: str) -> None:
    html = cuts(TOKENIZERS, typed).html
    for name, row in zip(TOKENIZERS, chips(html), strict=True):
        count = len(TOKENIZERS[name].encode(typed))
        assert len(row) == count
        assert counts(html)[name][0].split()[0] == str(count)


def test_each_key_cuts_the_text_anew() -> None:
    typed, page = explorer()
    assert typed.continuous_update
    for value in ("the arra", "the arrays", "the arrays ï"):
        typed.value = value
        shown = counts(page.value)
        for name, tokenizer in TOKENIZERS.items():
            count, size = len(tokenizer.encode(value)), len(value.encode())
            assert shown[name][:2] == [f"{count} tokens", f"{count / size:.2f} per byte"]


def test_blanks_broken_bytes_and_unknown_words_are_seen() -> None:
    typed, page = explorer("the ï<b>\n")
    of_bytes, _, merged, words = chips(page.value)
    assert of_bytes == ["t", "h", "e", "␣", "<i>C3</i>", "<i>AF</i>", "<", "b", ">", "↵"]
    assert "".join(merged) == "the" + "".join(of_bytes[3:])
    assert words == ["the", *(f"<del>{piece}</del>" for piece in ("␣ï", "<", "b", ">", "↵"))]
    assert counts(page.value)["words"][2] == "5 unknown"
    assert page.value.count("&lt;</") == 4, "what is typed is no HTML"
    typed.value = "the"
    assert counts(page.value)["words"] == ["1 token", "0.33 per byte"]


def test_a_special_token_is_one_and_no_text_is_none() -> None:
    typed, page = explorer("the")
    typed.value = f"the{END}"
    assert chips(page.value)[2][-1] == END
    typed.value = ""
    assert counts(page.value) == {name: ["0 tokens"] for name in TOKENIZERS}


def test_encode_and_decode_are_enough() -> None:
    _, typed, page = widgets.tokenizer_explorer({"halves": Halves()}, "abcd").children
    assert chips(page.value) == [["a", "c"]]
    typed.value = "é"
    assert counts(page.value) == {"halves": ["1 token", "0.50 per byte"]}


@pytest.mark.parametrize(
    ("value", "says"),
    [("x" * (LONGEST + 1), "at most 400 characters, got 401"), ("\ud83d", "surrogate")],
)
def test_it_says_what_is_wrong_and_recovers(value: str, says: str) -> None:
    says_what_is_wrong_and_recovers(*explorer(), value, says)


def test_what_is_no_tokenizer_is_refused() -> None:
    with pytest.raises(ValueError, match="tokenizers must be one or more by name, got none"):
        widgets.tokenizer_explorer({})
    wrong: Any = {"words": TOKENIZERS["words"], "mine": str.split}
    with pytest.raises(ValueError, match="must have encode and decode, 'mine' is a method_desc"):
        widgets.tokenizer_explorer(wrong)


def test_it_stands_still_and_has_a_stable_text_form() -> None:
    box = widgets.tokenizer_explorer(TOKENIZERS, "the <b>", caption="Guess <i>first</i>.")
    html = box._repr_mimebundle_()["text/html"]
    assert "Guess <i>first</i>." in html and "the &lt;b&gt;</textarea>" in html
    (field,) = re.findall(r"<textarea[^>]*>", html)
    assert "readonly" in field and 'class="tl-start"' in html
    assert repr(box) == "a text cut as you type into bytes, characters, merges, words, live"
