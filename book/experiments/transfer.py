"""What a pre-trained encoder is good for: few labels, and few parameters."""

import copy
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import torch

from book.experiments.objectives import masked_encoder
from book.experiments.setting import (
    HELD_OUT,
    LANGUAGE,
    VOCABULARY,
    Figures,
    Words,
    logits_of,
    model_of,
    texts_of,
    trained,
)
from course.languages.review import LABELS, TAGS
from transformer_lib.nn import Transformer
from transformer_lib.training import Batch
from transformer_lib.transfer import (
    TagHead,
    TextHead,
    add_adapters,
    label_batch,
    merge_adapters,
    tag_batch,
    trained_parameters,
    with_head,
)

SIZES = (8, 32, 128)  # labelled sentences
STEPS = 80  # of fine-tuning
FEW = 32  # labelled sentences for the adapter
TESTED = 500
RANKS = (1, 4)
DRAWS = 5  # of the few labels, where one draw would leave too much to luck


class Task(NamedTuple):
    """What few labels are to teach: a batch of so many drawn from a seed, the head, the measure."""

    draw: Callable[[int, int], Batch]
    head: type[TextHead | TagHead]
    classes: int
    measure: Callable[[Transformer, Batch], float]


def ratings(count: int, seed: int) -> Batch:
    """Return first sentences with what was said of the dish."""
    texts = _first_sentences(count, seed)
    return label_batch(texts, [LABELS.index(LANGUAGE.label(t)) for t in texts], VOCABULARY)


def names(count: int, seed: int) -> Batch:
    """Return first sentences with who and where."""
    texts = _first_sentences(count, seed)
    tags = [[TAGS.index(tag) for tag in LANGUAGE.tags(t)] for t in texts]
    return tag_batch(texts, tags, VOCABULARY)


def _first_sentences(count: int, seed: int) -> list[Words]:
    return [LANGUAGE.sentences(t)[0] for t in texts_of(np.random.default_rng(seed), count)]


def with_task(model: Transformer, task: Task, seed: int) -> Transformer:
    """Put the head of a task on a copy of a model."""
    return with_head(model, task.head(model, task.classes, seed=seed))


def tuned(model: Transformer, batch: Batch, seed: int, *, rate: float = 3e-3) -> Transformer:
    """Train a model on a few labelled sentences, again and again."""

    def draw(rng: np.random.Generator) -> Batch:
        rows = torch.from_numpy(rng.choice(len(batch.ids), min(16, len(batch.ids)), replace=False))
        return Batch(batch.ids[rows], batch.targets[rows])

    return trained(model, draw, STEPS, seed, rate=rate)


def right_share(model: Transformer, batch: Batch, least: int = 0) -> float:
    """Return the share of targets that a model finds, of those from this one on."""
    asked = batch.targets >= least
    return float((logits_of(model, batch.ids).argmax(-1) == batch.targets)[asked].double().mean())


RATING = Task(ratings, TextHead, 2, right_share)
NAMES = Task(names, TagHead, 3, partial(right_share, least=1))  # of persons and places


def after_few_labels(model: Transformer, task: Task, size: int, seed: int) -> float:
    """Fine-tune on few labels, drawn several times, and return the mean of what is measured."""
    test = task.draw(TESTED, HELD_OUT)
    found = []
    for i in range(DRAWS):
        few = task.draw(size, 1000 + 10 * seed + i)
        found.append(task.measure(tuned(with_task(model, task, seed), few, seed), test))
    return float(np.mean(found))


def curve(steps: int, seed: int) -> Figures:
    """Fine-tune a pre-trained model, and one that knows nothing, on more and more labels."""
    found: Figures = {"sizes": list(SIZES)}
    start = {"pretrained": masked_encoder(steps, seed), "scratch": model_of("encoder", seed)}
    for what, task in {"rating": RATING, "tags": NAMES}.items():
        test = task.draw(TESTED, HELD_OUT)
        for name, model in start.items():
            made = [
                tuned(with_task(model, task, seed), task.draw(size, 1000 + seed), seed)
                for size in SIZES
            ]
            found[f"{what}_{name}"] = [task.measure(each, test) for each in made]
    return found


def adapter(steps: int, seed: int) -> Figures:
    """Fine-tune all, the head alone, and adapters of low rank."""
    test, few = ratings(TESTED, HELD_OUT), ratings(FEW, 1000 + seed)
    start = with_task(masked_encoder(steps, seed), RATING, seed)
    found: Figures = {}
    for name, rank in [("all", 0), ("head", 0), *((f"rank_{rank}", rank) for rank in RANKS)]:
        model = copy.deepcopy(start)
        if name == "head":
            model.requires_grad_(False)
            model.head.requires_grad_(True)
        if rank:
            add_adapters(model, rank=rank, seed=seed)
        found[f"parameters_{name}"] = trained_parameters(model)
        tuned(model, few, seed, rate=3e-3 if name == "all" else 1e-2)
        found[f"right_{name}"] = right_share(model, test)
        if rank:
            before = logits_of(model, test.ids)
            merge_adapters(model)
            moved = (before - logits_of(model, test.ids)).abs().max()
            found[f"merged_alike_{name}"] = float(moved < 1e-4)
    return found
