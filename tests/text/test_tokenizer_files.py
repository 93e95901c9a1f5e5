"""Tokenizers on disk: `tokenizers` reads ours, and ours reads its files."""

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, processors

from tests.text import peer
from transformer_lib.text import load_tokenizer, save_tokenizer, train_bpe, train_units

TEXTS = peer.documents()
SPECIAL = ("<|end|>", "<é漢>")
OURS = train_bpe(TEXTS, vocabulary_size=500, special_tokens=SPECIAL)
TEXT = "".join(TEXTS) + "<|end|>It's<é漢> a\n\n  b ☃"


def test_tokenizers_reads_what_we_write(tmp_path: Path) -> None:
    save_tokenizer(tmp_path / "ours.json", OURS)
    theirs = Tokenizer.from_file(str(tmp_path / "ours.json"))
    assert theirs.encode(TEXT).ids == OURS.encode(TEXT)
    assert theirs.decode(OURS.encode(TEXT), skip_special_tokens=False) == TEXT
    assert theirs.get_vocab_size() == len(OURS)


def test_we_read_what_tokenizers_writes(tmp_path: Path) -> None:
    theirs = peer.trained(TEXTS, 500, SPECIAL)
    theirs.add_tokens(["<extra>"])
    theirs.save(str(tmp_path / "theirs.json"))
    ours = load_tokenizer(tmp_path / "theirs.json")
    text = TEXT + "<extra>"
    assert ours.encode(text) == theirs.encode(text).ids
    assert ours.decode(ours.encode(text)) == text


def test_we_read_merges_as_older_versions_wrote_them(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    save_tokenizer(path, OURS)
    told = json.loads(path.read_text(encoding="utf-8"))
    told["model"]["merges"] = [" ".join(pair) for pair in told["model"]["merges"]]
    path.write_text(json.dumps(told), encoding="utf-8")
    assert load_tokenizer(path).digest == OURS.digest


def test_what_is_switched_off_may_be_empty(tmp_path: Path) -> None:
    """As in the published files of GPT-2 and RoBERTa."""
    path = tmp_path / "empty.json"
    save_tokenizer(path, OURS)
    empty = dict.fromkeys(("unk_token", "continuing_subword_prefix", "end_of_word_suffix"), "")
    model(path, **empty, dropout=0.0)
    assert Tokenizer.from_file(str(path)).encode(TEXT).ids == load_tokenizer(path).encode(TEXT)


BEGIN = processors.TemplateProcessing("<|end|> $A", special_tokens=[("<|end|>", 0)])
BYTES = processors.ByteLevel(trim_offsets=True)
AFTER: dict[str, tuple[Any, bool]] = {
    "bytes": (BYTES, False),
    "a template of the text alone": (processors.TemplateProcessing("$A"), False),
    "bytes twice": (processors.Sequence([BYTES, BYTES]), False),
    "a beginning": (BEGIN, True),
    "bytes and a beginning": (processors.Sequence([BYTES, BEGIN]), True),
    "RoBERTa": (processors.RobertaProcessing(("<|end|>", 0), ("<|end|>", 0)), True),
}


@pytest.mark.parametrize("case", AFTER)
def test_what_comes_after_gives_the_same_ids_or_is_refused(case: str, tmp_path: Path) -> None:
    path, (after, adds) = tmp_path / "theirs.json", AFTER[case]
    theirs = peer.trained(TEXTS, 500, SPECIAL)
    theirs.post_processor = after
    theirs.save(str(path))
    if adds:
        with pytest.raises(ValueError, match="post_processor must add no tokens"):
            load_tokenizer(path)
    else:
        assert load_tokenizer(path).encode(TEXT) == theirs.encode(TEXT).ids


@pytest.mark.parametrize("part", ["truncation", "padding"])
def test_a_length_is_refused(part: str, tmp_path: Path) -> None:
    theirs = peer.trained(TEXTS, 500, SPECIAL)
    if part == "truncation":
        theirs.enable_truncation(5)
    else:
        theirs.enable_padding(length=5000)
    theirs.save(str(tmp_path / "theirs.json"))
    with pytest.raises(ValueError, match=f"{part} must be null to give the same ids"):
        load_tokenizer(tmp_path / "theirs.json")


@pytest.mark.parametrize("extra,same", [("<é漢>s", False), ("s<é", False), ("☃☃", True)])
def test_added_tokens_that_are_found_in_turns(extra: str, same: bool, tmp_path: Path) -> None:
    """A normalized one is looked for in what the others left."""
    path = tmp_path / "theirs.json"
    theirs = peer.trained(TEXTS, 500, SPECIAL)
    theirs.add_tokens([AddedToken(extra, normalized=True)])
    theirs.save(str(path))
    if same:
        assert load_tokenizer(path).encode(TEXT) == theirs.encode(TEXT).ids
    else:
        with pytest.raises(ValueError, match="must have the same normalized"):
            load_tokenizer(path)


def test_an_added_token_with_the_bytes_of_another_is_refused(tmp_path: Path) -> None:
    """`tokenizers` then has an id for the text in the one way, and one in the other."""
    theirs = peer.trained(TEXTS, 500, SPECIAL)
    theirs.add_tokens(["  "])
    theirs.save(str(tmp_path / "theirs.json"))
    with pytest.raises(ValueError, match="'  ' is token 500 and has the bytes of 336"):
        load_tokenizer(tmp_path / "theirs.json")


def edited(path: Path, **changes: Any) -> None:
    path.write_text(
        json.dumps(json.loads(path.read_text(encoding="utf-8")) | changes), encoding="utf-8"
    )


def model(path: Path, **changes: Any) -> None:
    edited(path, model=json.loads(path.read_text(encoding="utf-8"))["model"] | changes)


ADDED = {"id": 0, "content": "<|end|>", "single_word": True}
FOREIGN: dict[str, tuple[Any, str]] = {
    "no JSON": (lambda p: p.write_text("<html>", encoding="utf-8"), "is not JSON"),
    "no text": (lambda p: p.write_bytes(b"\xff\xfe\x00"), "is not text in UTF-8"),
    "a list": (
        lambda p: p.write_text("[1]", encoding="utf-8"),
        "must hold a JSON object, got list",
    ),
    "no model": (lambda p: edited(p, model=None), "must hold a model with vocab and merges"),
    "another model": (lambda p: model(p, type="Unigram"), "model must have type = 'BPE'"),
    "dropout": (lambda p: model(p, dropout=0.1), "model must have dropout = None"),
    "merges": (lambda p: model(p, ignore_merges=True), "model must have ignore_merges = False"),
    "byte fallback": (lambda p: model(p, byte_fallback=True), "byte_fallback = False"),
    "normalizer": (lambda p: edited(p, normalizer={"type": "NFC"}), "normalizer must be null"),
    "no pieces": (lambda p: edited(p, pre_tokenizer=None), "pre_tokenizer must have type"),
    "other pieces": (
        lambda p: edited(p, pre_tokenizer={"type": "Metaspace"}),
        "pre_tokenizer must have type = 'ByteLevel'",
    ),
    "a space before": (
        lambda p: edited(p, pre_tokenizer={"type": "ByteLevel", "add_prefix_space": True}),
        "add_prefix_space = False",
    ),
    "whole words": (lambda p: edited(p, added_tokens=[ADDED]), "single_word = False"),
    "three": (lambda p: model(p, merges=[["a", "b", "c"]]), "a merge must be of two tokens"),
    "no merge": (lambda p: model(p, merges=[["ab", "zz"]]), "holds no byte-pair tokenizer"),
    "few tokens": (lambda p: model(p, vocab={"a": 0}), "holds no byte-pair tokenizer"),
    "alphabet": (lambda p: model(p, vocab={"a b": 0}), "must be of GPT-2's alphabet"),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_a_foreign_file(case: str, tmp_path: Path) -> None:
    path = tmp_path / "spoiled.json"
    save_tokenizer(path, OURS)
    spoil, message = FOREIGN[case]
    spoil(path)
    with pytest.raises(ValueError, match=message):
        load_tokenizer(path)


def test_what_the_format_cannot_hold(tmp_path: Path, unhooked: None) -> None:
    words: Any = train_units(TEXTS, unit="words", vocabulary_size=9)
    with pytest.raises(
        ValueError, match="tokenizer must be a BytePairTokenizer, got UnitTokenizer"
    ):
        save_tokenizer(tmp_path / "x.json", words)
    with pytest.raises(ValueError, match="special_tokens must not look like other tokens"):
        save_tokenizer(
            tmp_path / "x.json",
            train_bpe(TEXTS, vocabulary_size=300, special_tokens=["é"]),
        )
    with pytest.raises(FileNotFoundError):
        load_tokenizer(tmp_path / "none.json")
