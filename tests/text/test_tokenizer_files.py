"""Tokenizers on disk: `tokenizers` reads ours, and ours reads its files."""

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import AddedToken, Tokenizer, processors

from tests.refusals import refusals
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
    content = json.loads(path.read_text(encoding="utf-8"))
    content["model"]["merges"] = [" ".join(pair) for pair in content["model"]["merges"]]
    path.write_text(json.dumps(content), encoding="utf-8")
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
ADDS = "post_processor must add no tokens"
TURNS = "must have the same normalized"  # which are looked for in what the others left


def after(processor: Any) -> Any:
    return lambda theirs: setattr(theirs, "post_processor", processor)


def normalized(token: str) -> Any:
    return lambda theirs: theirs.add_tokens([AddedToken(token, normalized=True)])


CHANGES: dict[str, tuple[Any, str]] = {
    "bytes": (after(BYTES), ""),
    "a template of the text alone": (after(processors.TemplateProcessing("$A")), ""),
    "bytes twice": (after(processors.Sequence([BYTES, BYTES])), ""),
    "a beginning": (after(BEGIN), ADDS),
    "bytes and a beginning": (after(processors.Sequence([BYTES, BEGIN])), ADDS),
    "RoBERTa": (after(processors.RobertaProcessing(("<|end|>", 0), ("<|end|>", 0))), ADDS),
    "truncation": (lambda theirs: theirs.enable_truncation(5), "truncation must be null"),
    "padding": (lambda theirs: theirs.enable_padding(length=5000), "padding must be null"),
    "found in turns": (normalized("<é漢>s"), TURNS),
    "found in turns too": (normalized("s<é"), TURNS),
    "found at once": (normalized("☃☃"), ""),
    # `tokenizers` then has an id for the text in the one way, and one in the other.
    "bytes of another": (
        lambda theirs: theirs.add_tokens(["  "]),
        "'  ' is token 500 and has the bytes of 336",
    ),
}


@pytest.mark.parametrize("case", CHANGES)
def test_a_changed_tokenizer_gives_the_same_ids_or_is_refused(case: str, tmp_path: Path) -> None:
    path, (change, refusal) = tmp_path / "theirs.json", CHANGES[case]
    theirs = peer.trained(TEXTS, 500, SPECIAL)
    change(theirs)
    theirs.save(str(path))
    if refusal:
        with pytest.raises(ValueError, match=refusal):
            load_tokenizer(path)
    else:
        assert load_tokenizer(path).encode(TEXT) == theirs.encode(TEXT).ids


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
        "must contain a JSON object, got list",
    ),
    "no model": (lambda p: edited(p, model=None), "must contain a model with vocab and merges"),
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
    "no merge": (lambda p: model(p, merges=[["ab", "zz"]]), "contains no byte-pair tokenizer"),
    "few tokens": (lambda p: model(p, vocab={"a": 0}), "contains no byte-pair tokenizer"),
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


WORDS: Any = train_units(TEXTS, unit="words", vocabulary_size=9)
LIKE_ANOTHER = train_bpe(TEXTS, vocabulary_size=300, special_tokens=["é"])
test_what_the_format_cannot_hold = refusals(
    ("tokenizer must be a BytePairTokenizer, got UnitTokenizer", WORDS),
    ("special_tokens must not look like other tokens", LIKE_ANOTHER),
    of=lambda tokenizer: save_tokenizer("/dev/null", tokenizer),
)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_tokenizer(tmp_path / "none.json")
