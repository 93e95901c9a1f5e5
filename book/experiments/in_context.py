"""A decoder that reads examples of a task before the question, beside one fine-tuned on them."""

import copy
from functools import cache, partial
from typing import NamedTuple

import numpy as np
import torch

from book.experiments.setting import Figures, logits_of, remembered, trained
from transformer_lib.model.vocabulary import Vocabulary
from transformer_lib.nn import Transformer
from transformer_lib.training import Batch
from transformer_lib.training.batches import IGNORED

LETTERS, ANSWERS = "abcdefghijkl", "1234"
CODES = Vocabulary([*LETTERS, *ANSWERS])
FIRST_LETTER, FIRST_ANSWER = CODES.encode(["a", "1"])
KNOWN = 16  # codes that training texts are written in
SHOWN = 8  # examples in a prompt
BATCH = 64
PROMPTS = 400
TUNED = 40  # prompts, each of which makes a model of its own
TUNING = 60  # steps on the examples of one prompt


class Prompts(NamedTuple):
    """Examples of one code each, and a question: a letter, and its number in that code."""

    letters: np.ndarray  # (prompts, SHOWN + 1), the last one is asked
    numbers: np.ndarray


@cache
def known_codes() -> np.ndarray:
    """Return the codes of the training texts: a number from 0 to 3 for each letter."""
    return _codes(np.random.default_rng(0), KNOWN)


def _codes(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.integers(len(ANSWERS), size=(count, len(LETTERS)))


def ids_of_prompts(prompts: Prompts) -> np.ndarray:
    """Return <s>, and each letter with its number behind it."""
    pairs = np.stack([prompts.letters + FIRST_LETTER, prompts.numbers + FIRST_ANSWER], axis=-1)
    rows = pairs.reshape(len(pairs), -1)
    return np.insert(rows, 0, CODES.start_id, axis=1)


def prompt_batch(prompts: Prompts) -> Batch:
    """Return prompts as a batch that asks for each number and for no letter."""
    ids = torch.from_numpy(ids_of_prompts(prompts))
    targets = ids[:, 1:].clone()
    targets[:, ::2] = IGNORED
    return Batch(ids[:, :-1], targets)


@cache
def decoder(steps: int, seed: int) -> Transformer:
    """Return a decoder that was trained on texts, each in one of the known codes."""

    def draw(rng: np.random.Generator) -> Batch:
        codes = known_codes()[rng.integers(KNOWN, size=BATCH)]
        return prompt_batch(drawn_prompts(codes, rng, repeats=False))

    return remembered("in_context", "decoder", draw, steps, seed, vocabulary_size=len(CODES))


def drawn_prompts(codes: np.ndarray, rng: np.random.Generator, *, repeats: bool) -> Prompts:
    """Draw letters that differ, and ask for one that was shown, or for another."""
    letters = np.stack([rng.permutation(len(LETTERS))[: SHOWN + 1] for _ in codes])
    if repeats:
        letters[:, -1] = letters[np.arange(len(codes)), rng.integers(SHOWN, size=len(codes))]
    return Prompts(letters, np.take_along_axis(codes, letters, axis=1))


def in_context(steps: int, seed: int) -> Figures:
    """Answer from a prompt, and after fine-tuning on what stands in it, in codes old and new."""
    model, rng = decoder(steps, seed), np.random.default_rng(100 + seed)
    old = known_codes()[rng.integers(KNOWN, size=PROMPTS)]
    prompts = drawn_prompts(old, rng, repeats=False)
    found: Figures = {
        "shown": list(range(SHOWN + 1)),
        "right": _right_at(model, prompts),
        "best": _best(prompts),
    }
    new = drawn_prompts(_codes(rng, PROMPTS), rng, repeats=True)
    for name, asked in (("known", prompts), ("new", new)):
        found[f"{name}_in_context"] = _right_at(model, asked)[-1]
        found[f"{name}_tuned"] = _tuned_right(model, asked, seed)
    return found


def _right_at(model: Transformer, prompts: Prompts) -> list[float]:
    """Return the share of right answers after 0, 1, 2, ... examples."""
    said = logits_of(model, ids_of_prompts(prompts)[:, :-1])[:, 1::2].argmax(-1).numpy()
    shares: list[float] = (said == prompts.numbers + FIRST_ANSWER).mean(axis=0).tolist()
    return shares


def _best(prompts: Prompts) -> list[float]:
    """Return the share of right answers if the known codes are weighed by Bayes' rule."""
    codes = known_codes()[:, prompts.letters]  # (codes, prompts, places)
    fits = (codes == prompts.numbers).cumprod(axis=-1)
    before = np.concatenate([np.ones_like(fits[..., :1]), fits[..., :-1]], axis=-1)
    votes = np.stack([(before * (codes == n)).sum(axis=0) for n in range(len(ANSWERS))])
    best: list[float] = (votes.max(axis=0) / votes.sum(axis=0)).mean(axis=0).tolist()
    return best


def _same(batch: Batch, rng: np.random.Generator) -> Batch:
    return batch


def _tuned_right(model: Transformer, prompts: Prompts, seed: int) -> float:
    """Fine-tune on the examples of a prompt, one a row, and ask without them; over prompts."""
    right = []
    for letters, numbers in zip(prompts.letters[:TUNED], prompts.numbers[:TUNED], strict=True):
        rows = prompt_batch(Prompts(letters[:-1, None], numbers[:-1, None]))
        tuned = trained(copy.deepcopy(model), partial(_same, rows), TUNING, seed)
        asked = prompt_batch(Prompts(letters[-1:, None], numbers[-1:, None]))
        said = logits_of(tuned, asked.ids)[0, -1].argmax()
        right.append(bool(said == numbers[-1] + FIRST_ANSWER))
    return float(np.mean(right))
