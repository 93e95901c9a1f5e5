"""Next-sentence prediction: what a second task beside the masks is good for, and what it costs."""

from functools import cache

import numpy as np
import torch

from book.experiments.objectives import BATCH, MEASURED, masked_encoder
from book.experiments.setting import (
    CHANCES,
    HELD_OUT,
    LANGUAGE,
    LISTED,
    MASKING,
    VOCABULARY,
    Figures,
    held_out,
    ids_of,
    remembered,
    texts_of,
)
from book.experiments.transfer import NAMES, RATING, after_few_labels
from course.languages.review import ENDINGS, LABELS
from transformer_lib.nn import Transformer
from transformer_lib.pretraining import (
    SentencePair,
    follows_probability,
    mask_tokens,
    sentence_pairs,
)
from transformer_lib.training import Batch, mean_loss
from transformer_lib.transfer import label_batch, masked_batch, two_task_loss, two_tasks

LABELLED = {"rating": 32, "names": 8, "fits": 128}  # texts; with more, nothing is left to learn


@cache
def pair_encoder(steps: int, seed: int, *, asked: bool) -> Transformer:
    """Return an encoder trained on masks in pairs, half of them false, and perhaps asked which."""

    def draw(rng: np.random.Generator) -> Batch:
        pairs = sentence_pairs([LANGUAGE.sentences(t) for t in texts_of(rng, BATCH)], rng)
        read = masked_batch(mask_tokens(_ids(pairs), rng=rng, **MASKING))
        return two_tasks(read, [pair.follows for pair in pairs]) if asked else read

    if asked:
        return remembered("two_tasks", "encoder", draw, steps, seed, loss=two_task_loss, classes=2)
    return remembered("pairs", "encoder", draw, steps, seed)


def next_sentence(steps: int, seed: int) -> Figures:
    """Compare encoders with the second task, with its texts alone, and with neither."""
    models = {
        "asked": pair_encoder(steps, seed, asked=True),
        "pairs": pair_encoder(steps, seed, asked=False),
        "without": masked_encoder(steps, seed),
    }
    found = _follows(models["asked"])
    for name, model in models.items():
        found[f"masked_{name}"] = _masked_loss(model)
        for what, task in {"rating": RATING, "names": NAMES, "fits": FITS}.items():
            found[f"{what}_{name}"] = after_few_labels(model, task, LABELLED[what], seed)
    return found


def fits(count: int, seed: int) -> Batch:
    """Return whole texts, and whether the person does what fits to what they said."""
    rng = np.random.default_rng(seed)
    texts, labels = texts_of(rng, count), rng.integers(2, size=count).tolist()
    found = []
    for text, label in zip(texts, labels, strict=True):
        said = LANGUAGE.label(text)
        does = ENDINGS[said if label else LABELS[1 - LABELS.index(said)]]
        found.append((*text[:-2], does[rng.integers(len(does))], text[-1]))
    return label_batch(found, labels, VOCABULARY)


FITS = RATING._replace(draw=fits)


def _masked_loss(model: Transformer) -> float:
    rng = np.random.default_rng(HELD_OUT)
    return mean_loss(
        model, masked_batch(mask_tokens(ids_of(held_out(MEASURED)), rng=rng, **MASKING))
    )


def _follows(model: Transformer) -> Figures:
    """Return how well a model tells false pairs from true ones, and the best that is possible."""
    rng = np.random.default_rng(HELD_OUT)
    pairs = sentence_pairs([LANGUAGE.sentences(t) for t in held_out(MEASURED)], rng)
    split = [LANGUAGE.sentences(text) for text in LISTED]
    chances = {(one, two): p for (one, two), p in zip(split, CHANCES.tolist(), strict=True)}
    right = np.array([pair.follows for pair in pairs])
    best = np.array([follows_probability(pair, chances) for pair in pairs])
    with torch.no_grad():
        said = model.classify(torch.from_numpy(_ids(pairs))).softmax(-1)[:, 1].numpy()
    return {
        "follows_by_names": (np.array([a[0] == b[0] for a, b, _ in pairs]) == right).mean(),
        "follows_right": ((said > 0.5) == right).mean(),
        "follows_best": ((best > 0.5) == right).mean(),
        "follows_loss": -np.log(np.where(right, said, 1 - said)).mean(),
        "follows_floor": -np.log(np.where(right, best, 1 - best)).mean(),
    }


def _ids(pairs: list[SentencePair]) -> np.ndarray:
    """Return pairs as ids, all rows of one length, so that a false pair cannot be told by it."""
    found: np.ndarray = ids_of([pair.first + pair.second for pair in pairs])
    return found
