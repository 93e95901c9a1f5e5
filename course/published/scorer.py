"""A decoder that gives each word of a sentence its bits: the published model, or any other."""

import functools
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import tokenizers
import torch

from course.published import ask
from course.published.model import START
from transformer_lib import families, nn
from transformer_lib.model.files import read_json
from transformer_lib.model.gguf import read_metadata
from transformer_lib.text import ForeignTokenizer, ends_word, tokenizer_of_gguf, word_bits, words

BOS = "bos_token"
NAMED = {"tokenizer_config.json": BOS, "special_tokens_map.json": BOS, "config.json": f"{BOS}_id"}
"""Where a folder names the token before a text, in the order in which `transformers` looks."""


class Scorer(NamedTuple):
    """A decoder, its tokenizer, the id before each sentence, and the class that ends a word."""

    model: nn.Transformer
    encode: Callable[[str], list[int]]
    decode: Callable[[Iterable[int]], str]
    start: int
    ends: Any  # (V,)


def scorer(path: Path | None = None, start: str | None = None) -> Scorer:
    """Read a decoder and its tokenizer.

    Args:
        path: a folder with config.json, safetensors and tokenizer.json, or a GGUF file; the
            published model of the course unless given.
        start: the token before each sentence; that which the files name unless given.

    Raises:
        SystemExit: the published model is not there.
        ValueError: a file is missing or broken, the model is no decoder with a head, or there is no
            such token.
    """
    model, tokenizer, named = _opened(path) if path else (*ask.model_and_tokenizer(), START)
    size, ends = model.config.vocabulary_size, ends_word(tokenizer)
    if len(ends) > size:
        raise ValueError(f"the tokenizer has {len(ends)} tokens, but the model has {size}")
    ends = np.append(ends, np.zeros(size - len(ends), bool))  # rows of the head without a token
    if isinstance(tokenizer, ForeignTokenizer):
        ids, encode = tokenizer.tokenizer.get_vocab(), tokenizer.encode
        tokenizer.tokenizer.encode_special_tokens = True  # as text, where a sentence has one
    else:
        ids, encode = tokenizer.special_ids, functools.partial(tokenizer.encode, special=False)
    first = named if start is None else start
    if not isinstance(id_ := ids.get(first, first), int):
        raise ValueError(f"--start must name a token that begins a text, got {first}")
    return Scorer(model, encode, tokenizer.decode, id_, ends)


def _opened(path: Path) -> tuple[nn.Transformer, Any, str | int | None]:
    """Return a model, its tokenizer, and the token that begins a text, or its id."""
    if not path.exists():
        raise ValueError(f"{path} does not exist")
    model = families.load(path, dtype=torch.float32, attention="fused")
    if model.config.kind != "decoder" or model.config.headless:
        kind = read_json(path / "config.json", ())["model_type"]
        raise ValueError(f"{path} must hold a decoder with a head, got {kind} without one")
    if path.is_file():
        metadata = read_metadata(path)
        return model, tokenizer_of_gguf(metadata), metadata.get(f"tokenizer.ggml.{BOS}_id")
    try:
        tokenizer = ForeignTokenizer(tokenizers.Tokenizer.from_file(str(path / "tokenizer.json")))
    except Exception as error:  # the package raises no other class
        raise ValueError(f"{path} must contain a tokenizer.json: {error}") from None
    read = (read_json(path / x, ()).get(key) for x, key in NAMED.items() if (path / x).is_file())
    named = next((x for x in read if x is not None), None)
    return model, tokenizer, named["content"] if isinstance(named, dict) else named


def logarithms(ids: Sequence[int], by: Scorer) -> Any:
    """Return the logarithms of the probabilities before each token and after the last, (n + 1, V).

    Each sentence is computed alone, so no number depends on the other sentences.
    """
    with torch.no_grad():
        logits = by.model(torch.tensor([[by.start, *ids]]))[0]
    return logits.double().log_softmax(-1).numpy()


def of_words(ids: Sequence[int], by: Scorer) -> list[tuple[str, float]]:
    """Return each word of a sentence with its bits, up to where the word ends."""
    bits = word_bits(logarithms(ids, by), np.array(ids), by.ends)
    texts = [by.decode([ids[i] for i in group]).strip() for group in words(ids, by.ends)]
    return list(zip(texts, map(float, bits), strict=True))
