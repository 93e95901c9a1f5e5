"""The training tasks, each with its loss beside the least that is possible."""

from functools import cache
from typing import Any

import numpy as np
import torch

from book.experiments.setting import (
    CHANCES,
    HELD_OUT,
    LANGUAGE,
    LENGTH,
    LISTED,
    MASKING,
    TEXTS,
    VOCABULARY,
    Figures,
    Words,
    held_out,
    ids_of,
    logits_of,
    remembered,
    texts_of,
)
from transformer_lib.nn import Transformer
from transformer_lib.pretraining import (
    mask_tokens,
    masked_log_probabilities,
)
from transformer_lib.training import Batch, language_model_batch, mean_loss
from transformer_lib.transfer import masked_batch

BATCH = 64
DECODER_STEPS = 500  # it is asked at every word, so it needs fewer
MEASURED = 400  # texts


def masked_draw(rng: np.random.Generator) -> Batch:
    """Draw texts with masks."""
    ids = every_text()[rng.choice(len(LISTED), BATCH, p=CHANCES)]
    return masked_batch(mask_tokens(ids, rng=rng, **MASKING))


@cache
def every_text() -> Any:
    """Return all texts of the language as ids."""
    return ids_of(LISTED)


@cache
def masked_encoder(steps: int, seed: int) -> Transformer:
    """Return an encoder that was trained on masked texts alone."""
    return remembered("masked", "encoder", masked_draw, steps, seed)


@cache
def left_to_right(steps: int, seed: int) -> Transformer:
    """Return a decoder that was trained on texts."""

    def draw(rng: np.random.Generator) -> Batch:
        return language_model_batch(texts_of(rng, BATCH), VOCABULARY)

    return remembered("causal", "decoder", draw, steps, seed)


def masked(steps: int, seed: int) -> Figures:
    """Measure the loss of masked words."""
    rng = np.random.default_rng(HELD_OUT)
    read = mask_tokens(ids_of(held_out(MEASURED)), rng=rng, **MASKING)
    least = -masked_log_probabilities(read, every_text(), CHANCES, **MASKING).mean()
    return {"loss": mean_loss(masked_encoder(steps, seed), masked_batch(read)), "floor": least}


def causal(steps: int, seed: int) -> Figures:
    """Measure the loss from left to right."""
    texts = held_out(MEASURED)
    tokens = sum(len(text) + 1 for text in texts)
    least = -sum(LANGUAGE.log_probability(text) for text in texts) / tokens
    loss = mean_loss(left_to_right(steps, seed), language_model_batch(texts, VOCABULARY))
    return {"loss": loss, "floor": least}


def directions(steps: int, seed: int) -> Figures:
    """Fill one gap and write whole texts, with both context sides and with one."""
    encoder, decoder = masked_encoder(steps, seed), left_to_right(DECODER_STEPS, seed)
    rng = np.random.default_rng(HELD_OUT)
    texts = held_out(MEASURED)
    ids = ids_of(texts)
    rows, gaps = np.arange(len(texts)), np.array([1 + rng.integers(len(t)) for t in texts])
    right = ids[rows, gaps]
    read = ids.copy()
    read[rows, gaps] = MASKING["mask_id"]
    both = logits_of(encoder, read)[rows, gaps].log_softmax(-1).numpy()
    left = logits_of(decoder, ids)[rows, gaps - 1].log_softmax(-1).numpy()
    tried = _tried(decoder, ids, rows, gaps)
    return {
        **_gap("encoder", both, right),
        **_gap("decoder", left, right),
        **_gap("decoder_trying_all", tried, right),
        **dict(zip(("both_floor", "left_floor"), _gap_floors(texts, gaps), strict=True)),
        "written_by_decoder": _in_language(_sampled(decoder, 200)),
        "written_by_encoder_at_once": _in_language(_filled(encoder, 200, at_once=True)),
        "written_by_encoder_in_turn": _in_language(_filled(encoder, 200, at_once=False)),
    }


def _gap(name: str, log_p: np.ndarray, right: np.ndarray) -> Figures:
    rows = np.arange(len(right))
    return {
        f"{name}_loss": -log_p[rows, right].mean(),
        f"{name}_right": (log_p.argmax(-1) == right).mean(),
    }


def _tried(decoder: Transformer, ids: np.ndarray, rows: np.ndarray, gaps: np.ndarray) -> np.ndarray:
    """Return log probabilities of each word in the gap, by those of the whole texts."""
    total = np.full((len(ids), len(VOCABULARY)), -np.inf)
    for word in LANGUAGE.word_ids:
        tried = ids.copy()
        tried[rows, gaps] = word
        log_p = logits_of(decoder, tried[:, :-1]).log_softmax(-1).numpy()
        said = np.take_along_axis(log_p, tried[:, 1:, None], axis=-1)[..., 0]
        total[:, word] = (said * (tried[:, 1:] != VOCABULARY.padding_id)).sum(axis=1)
    return total - np.logaddexp.reduce(total, axis=1, keepdims=True)


def _gap_floors(texts: list[Words], gaps: np.ndarray) -> tuple[float, float]:
    """Return the least loss of one word with all others, and with those before it."""
    both, left = [], []
    for text, gap in zip(texts, gaps, strict=True):
        i = gap - 1
        others = (TEXTS.get((*text[:i], w, *text[i + 1 :]), 0) for w in LANGUAGE.grammar.words)
        both.append(TEXTS[text] / sum(others))
        left.append(LANGUAGE.grammar.next_probabilities(text[:i])[text[i]])
    return float(-np.log(both).mean()), float(-np.log(left).mean())


def _sampled(decoder: Transformer, count: int) -> np.ndarray:
    """Let the decoder write texts, token by token, each drawn."""
    rng = np.random.default_rng(HELD_OUT)
    ids = np.full((count, 1), VOCABULARY.start_id)
    while ids.shape[1] < LENGTH:
        ids = np.append(ids, _drawn(logits_of(decoder, ids)[:, -1], rng)[:, None], axis=1)
    return ids


def _filled(encoder: Transformer, count: int, *, at_once: bool) -> np.ndarray:
    """Let the encoder write texts of known lengths from nothing but masks."""
    rng = np.random.default_rng(HELD_OUT)
    texts = held_out(count)
    ids: np.ndarray = ids_of(texts)
    words = np.isin(ids, LANGUAGE.word_ids)
    ids[words] = MASKING["mask_id"]
    said = logits_of(encoder, ids)
    for place in range(1, ids.shape[1] - 1):
        said = said if at_once else logits_of(encoder, ids)
        drawn = _drawn(said[:, place], rng)
        ids[:, place] = np.where(words[:, place], drawn, ids[:, place])
    return ids


def _drawn(logits: torch.Tensor, rng: np.random.Generator) -> Any:
    cumulative: Any = logits.double().softmax(-1).cumsum(-1).numpy()
    return (cumulative < rng.random((len(cumulative), 1)) * cumulative[:, -1:]).sum(axis=-1)


def _in_language(ids: np.ndarray) -> float:
    end = VOCABULARY.end_id
    whole = [row[1 : row.index(end)] if end in row else row[1:] for row in ids.tolist()]
    return float(np.mean([tuple(VOCABULARY.decode(row)) in TEXTS for row in whole]))
