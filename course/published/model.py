"""The published model as numpy arrays: what it predicts in a sentence, and what it answers."""

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from course.published import fetch
from course.published.einsum import EinsumMatrix
from transformer_lib import cached_next_logits, forward, log_softmax, trace
from transformer_lib.families.gguf import load_arrays
from transformer_lib.model.cache import Cache
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.gguf import read_entries, read_metadata
from transformer_lib.text import (
    BytePairTokenizer,
    ends_word,
    tokenizer_of_gguf,
    word_bits,
    words,
)

START, END = "<|endoftext|>", "<|im_end|>"
SYSTEM = "You are a helpful AI assistant named SmolLM, trained by Hugging Face"
CUT = " … (cut after {} tokens)"
"""What stands behind an answer that has reached the most tokens."""
LONGEST = 60
"""The most tokens of a sentence, so that a browser answers within seconds."""
ROOM = 590_000_000
"""Bytes that the model, its tokenizer and a sentence take in a page."""
NOT_LOADED = "The model is not loaded: press Load a real model on this page, or call make real."


Part = tuple[int, int | None]
"""A layer and its head, both counted from 1; None stands for the whole layer."""


class Published(NamedTuple):
    """A model that was read: arrays by name, configuration, tokenizer, and what ends a word."""

    parameters: dict[str, Any]
    config: Configuration
    tokenizer: BytePairTokenizer
    ends: Any  # which tokens show that a word has ended, (V,)

    def __call__(self, ids: Any) -> Any:
        """Return the logits of one text, (n, V), or of several of one length, (texts, n, V).

        What the texts begin with together is computed once.
        """
        ids = np.asarray(ids)
        same = (ids == ids[0]).all(axis=0) if ids.ndim == 2 and len(ids) > 1 else np.zeros(1, bool)
        shared = int(np.append(same[:-1], False).argmin())
        if not shared:
            return forward(self.parameters, self.config, ids)
        cache = Cache.empty(self.config.layers)
        before = forward(self.parameters, self.config, ids[:1, :shared], cache=cache)
        for layer in cache.layers:
            kept = (np.asarray(x) for x in (layer.own.K, layer.own.V))
            layer.own.K, layer.own.V = (np.repeat(x, len(ids), axis=0) for x in kept)
        after = forward(self.parameters, self.config, ids, cache=cache)
        return np.concatenate([np.repeat(before, len(ids), axis=0), after], axis=1)

    def trace(self, ids: Any) -> dict[str, Any]:
        """Return every intermediate result of one text by name."""
        return trace(self.parameters, self.config, np.asarray(ids))


class Seen(NamedTuple):
    """A sentence of n tokens after the start token, and what the model computed for it."""

    tokens: list[str]
    words: list[str]
    bits: list[float]  # the surprisal of each word, up to where it ends
    weights: Any  # of all heads, (layers, heads, n + 1, n + 1)
    following: Any  # the probabilities of the next token, (V,)


@functools.cache
def opened(path: Path) -> Published:
    """Read the file, once.

    Raises:
        FileNotFoundError: it is not there.
        ValueError: it is broken or holds another architecture.
    """
    in_page = sys.platform == "emscripten"
    if in_page:
        # A page's memory grows in steps of 100 MB and never shrinks. One step for all is smaller.
        np.empty(ROOM, np.uint8)
    parameters, config = load_arrays(path)
    if in_page:
        parameters = {n: x.view(EinsumMatrix) if x.ndim == 2 else x for n, x in parameters.items()}
    tokenizer = tokenizer_of_gguf(read_metadata(path))
    return Published(parameters, config, tokenizer, ends_word(tokenizer))


def loaded() -> Published:
    """Return the model that `make real` fetched, or that the reader of a page has loaded.

    Raises:
        FileNotFoundError: nobody has.
    """
    if not (opened.cache_info().currsize or fetch.is_there()):
        raise FileNotFoundError(NOT_LOADED)
    return opened(fetch.place())


def shorten(path: Path) -> None:
    """Leave of a file only what comes before its second layer, for who reads how it is stored."""
    later = (e.start for name, e in read_entries(path).items() if name.startswith("blk.1."))
    os.truncate(path, min(later))


def see(model: Published, sentence: str, without: Part | None = None) -> Seen:
    """Compute the surprisal of each word, all attention weights and the next token.

    Args:
        model: as `opened` reads it.
        sentence: one to `LONGEST` tokens; special tokens in it are read as any other text.
        without: a layer and its head that adds nothing, or None for the whole layer.

    Raises:
        ValueError: the sentence has no token or too many, or there is no such head.
    """
    parameters, config, tokenizer = model.parameters, model.config, model.tokenizer
    ids = tokenizer.encode(plain(sentence), special=False)
    if not 1 <= len(ids) <= LONGEST:
        raise ValueError(f"A sentence must have 1 to {LONGEST} tokens, but this has {len(ids)}.")
    if without is not None:
        parameters = silenced(parameters, config, *without)
    rows = np.array([*tokenizer.encode(START), *ids])
    steps = trace(parameters, config, rows)
    logs = log_softmax(np.asarray(steps["logits"], np.float64))
    bits = word_bits(logs, np.array(ids), model.ends)
    groups = words(ids, model.ends)
    names = [f"decoder.layers.{i}.self_attention.weights" for i in range(config.layers)]
    return Seen(
        tokens=[tokenizer.decode([i]).strip() or "␣" for i in ids],
        words=[tokenizer.decode([ids[i] for i in group]).strip() for group in groups],
        bits=[float(each) for each in bits],
        weights=np.stack([steps[name] for name in names]),
        following=np.exp(logs[-1]),
    )


def plain(sentence: str) -> str:
    r"""Return a sentence with one blank between words, whatever was typed or pasted there.

    >>> plain(" The  keys\u00a0are ")
    'The keys are'
    """
    return " ".join(sentence.split())


def silenced(
    parameters: dict[str, Any], config: Configuration, layer: int, head: int | None
) -> dict[str, Any]:
    """Return the arrays of a model in which a head, or where it is None a layer, adds nothing.

    What a part adds goes through a last matrix, whose rows are 0 then. Both are counted from 1.
    """
    if not (1 <= layer <= config.layers and (head is None or 1 <= head <= config.heads)):
        what = f"layer {layer}" if head is None else f"head {head} in layer {layer}"
        raise ValueError(f"There is no {what}.")
    name = f"decoder.layers.{layer - 1}"
    W_O = parameters[f"{name}.self_attention.W_O"].copy()
    width = len(W_O) // config.heads
    W_O[slice(None) if head is None else slice((head - 1) * width, head * width)] = 0
    changed = {f"{name}.self_attention.W_O": W_O}
    if head is None:
        changed[f"{name}.feed_forward.W_2"] = 0 * parameters[f"{name}.feed_forward.W_2"]
    return parameters | changed


def prompt(question: str, tokenizer: BytePairTokenizer) -> list[int]:
    """The ids of a chat in the form that the model was trained on, up to where its answer begins.

    A special token in the question is read as any other text.
    """
    before = f"<|im_start|>system\n{SYSTEM}{END}\n<|im_start|>user\n"
    after = f"{END}\n<|im_start|>assistant\n"
    asked = tokenizer.encode(question, special=False)
    return tokenizer.encode(before) + asked + tokenizer.encode(after)


def answers(
    model: Published,
    question: str,
    tokens: int = 100,
    without: Part | None = None,
) -> Iterator[str]:
    """Give the answer as far as it is written, after each token, the most probable one.

    Args:
        model: as `opened` reads it.
        question: in English.
        tokens: the most that the answer may have; behind the last of them it says that it is cut.
        without: a layer and its head that adds nothing, or None for the whole layer.
    """
    parameters, config, tokenizer = model.parameters, model.config, model.tokenizer
    if without is not None:
        parameters = silenced(parameters, config, *without)
    next_logits, end = cached_next_logits(parameters, config), tokenizer.special_ids[END]
    ids = prompt(question, tokenizer)
    # `greedy_search` sorts the whole vocabulary at each step, which is slow in a browser.
    for made in range(1, tokens + 1):
        ids.append(int(np.argmax(next_logits(ids))))
        if ids[-1] == end:
            return
        yield tokenizer.decode(ids[-made:]) + CUT.format(tokens) * (made == tokens)
