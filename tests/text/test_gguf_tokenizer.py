"""The tokenizer in the metadata of a GGUF file gives the ids of `tokenizers`."""

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers, trainers

from book.paths import ROOT
from course.published import fetch
from transformer_lib.model.gguf import read_metadata
from transformer_lib.text import save_tokenizer, tokenizer_of_gguf

pytestmark = pytest.mark.slow  # tokenizers are trained


@functools.cache
def lines() -> list[str]:
    """Lines of this repository, and some that no one would write."""
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("transformer_lib/**/*.py")]
    found = {
        line for path in sorted(files) for line in path.read_text(encoding="utf-8").split("\n")
    }
    rng = np.random.default_rng(3)
    ranges = [(1, 128), (48, 58), (32, 33), (128, 0x800), (0x800, 0xD7FF), (0x1F300, 0x1F9FF)]
    drawn = [rng.choice(len(ranges), size=12) for _ in range(300)]
    strange = ["".join(chr(rng.integers(*ranges[kind])) for kind in line) for line in drawn]
    chat = ["<|im_start|>user 12<|im_end|>", "a  5 12", "\x04", "x\x04y", "Ⅷ 8²½"]
    return sorted(found - {""}) + strange + chat


def of_digits(tokenizer: Tokenizer) -> Tokenizer:
    """SmolLM's pieces, as its published tokenizer.json asks `tokenizers` for them."""
    digits = pre_tokenizers.Digits(individual_digits=True)
    of_bytes = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, of_bytes])
    return tokenizer


def metadata_of(tokenizer: Tokenizer, pieces: str) -> dict[str, Any]:
    model = json.loads(tokenizer.to_str())["model"]
    words = sorted(model["vocab"], key=model["vocab"].__getitem__)
    return {
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": pieces,
        "tokenizer.ggml.tokens": words,
        "tokenizer.ggml.token_type": [3 if word.startswith("<|") else 1 for word in words],
        "tokenizer.ggml.merges": [" ".join(pair) for pair in model["merges"]],
    }


@functools.cache
def trained() -> Tokenizer:
    """A tokenizer that met no byte but those of English text, and so lacks the others."""
    tokenizer = of_digits(Tokenizer(models.BPE()))
    special = [AddedToken("<|im_start|>", special=True), AddedToken("<|im_end|>", special=True)]
    trainer = trainers.BpeTrainer(vocab_size=900, special_tokens=special, show_progress=False)
    text = (ROOT / "README.md").read_text(encoding="utf-8").split("\n")
    tokenizer.train_from_iterator(text, trainer)
    return tokenizer


def test_the_tokenizer_of_the_metadata_gives_the_ids_of_tokenizers() -> None:
    ours = tokenizer_of_gguf(metadata_of(trained(), "smollm"))
    assert ours.digits_apart and ours.missing_bytes
    assert len(lines()) > 10_000
    for line in lines()[::20] + lines()[-305:]:
        assert ours.encode(line) == trained().encode(line, add_special_tokens=False).ids, line


def test_a_tokenizer_that_we_lack_is_refused(tmp_path: Path) -> None:
    metadata = metadata_of(trained(), "smollm")
    with pytest.raises(ValueError, match=r"must contain tokenizer\.ggml\.merges"):
        tokenizer_of_gguf({k: v for k, v in metadata.items() if not k.endswith("merges")})
    with pytest.raises(ValueError, match="got 'gpt2' with 'qwen2'"):
        tokenizer_of_gguf(metadata | {"tokenizer.ggml.pre": "qwen2"})
    with pytest.raises(ValueError, match="must contain lists of tokens"):
        tokenizer_of_gguf(metadata | {"tokenizer.ggml.tokens": 7})
    with pytest.raises(ValueError, match="must have all 256 bytes and keep digits together"):
        save_tokenizer(tmp_path / "tokenizer.json", tokenizer_of_gguf(metadata))


@pytest.mark.published
def test_its_tokenizer_gives_the_published_ids() -> None:
    from transformers import AutoTokenizer

    path = fetch.place()
    ours = tokenizer_of_gguf(read_metadata(path))
    theirs = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name).backend_tokenizer
    theirs = of_digits(theirs)
    assert len(lines()) > 10_000
    for line in lines():
        assert ours.encode(line) == theirs.encode(line, add_special_tokens=False).ids, line
