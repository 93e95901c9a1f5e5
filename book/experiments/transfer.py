"""What a pre-trained encoder is good for: few labels, and few parameters."""

import copy
from collections.abc import Callable

import numpy as np
import torch

from book.experiments.objectives import masked_encoder
from book.experiments.setting import (
    HELD_OUT,
    LANGUAGE,
    VOCABULARY,
    Figures,
    logits_of,
    model_of,
    texts_of,
    trained,
)
from course.languages.review import LABELS, TAGS
from transformer_lib.nn import Transformer
from transformer_lib.training import Batch
from transformer_lib.training.batches import IGNORED
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


def labelled(task: str, count: int, seed: int) -> Batch:
    """Return first sentences with what was said of the dish, or with who and where."""
    texts = [LANGUAGE.sentences(t)[0] for t in texts_of(np.random.default_rng(seed), count)]
    if task == "rating":
        return label_batch(texts, [LABELS.index(LANGUAGE.label(t)) for t in texts], VOCABULARY)
    tags = [[TAGS.index(tag) for tag in LANGUAGE.tags(t)] for t in texts]
    return tag_batch(texts, tags, VOCABULARY)


def ratings(count: int, seed: int) -> Batch:
    """Return first sentences with what was said of the dish."""
    return labelled("rating", count, seed)


def with_task(model: Transformer, task: str, seed: int) -> Transformer:
    """Put the head of a task on a copy of a model."""
    head = TextHead(model, 2, seed=seed) if task == "rating" else TagHead(model, 3, seed=seed)
    return with_head(model, head)


def tuned(model: Transformer, batch: Batch, seed: int, *, rate: float = 3e-3) -> Transformer:
    """Train a model on a few labelled sentences, again and again."""

    def draw(rng: np.random.Generator) -> Batch:
        rows = torch.from_numpy(rng.choice(len(batch.ids), min(16, len(batch.ids)), replace=False))
        return Batch(batch.ids[rows], batch.targets[rows])

    return trained(model, draw, STEPS, seed, rate=rate)


def right_share(model: Transformer, batch: Batch) -> float:
    """Return the share of targets that a model finds."""
    asked = batch.targets != IGNORED
    return float((logits_of(model, batch.ids).argmax(-1) == batch.targets)[asked].double().mean())


def names_right(model: Transformer, batch: Batch) -> float:
    """Return the share of names, persons and places, whose tag is right."""
    names = batch.targets > 0
    return float((logits_of(model, batch.ids).argmax(-1) == batch.targets)[names].double().mean())


def after_few_labels(
    model: Transformer,
    draw: Callable[[int, int], Batch],
    size: int,
    seed: int,
    *,
    measure: Callable[[Transformer, Batch], float] = right_share,
) -> float:
    """Fine-tune on few labels, drawn several times, and return the mean of what is measured.

    `draw` takes how many and a seed; with tags a row has a target for each word.
    """
    test = draw(TESTED, HELD_OUT)
    tags = test.targets.ndim == 2
    found = []
    for i in range(DRAWS):
        start = with_task(model, "tags" if tags else "rating", seed)
        found.append(measure(tuned(start, draw(size, 1000 + 10 * seed + i), seed), test))
    return float(np.mean(found))


def curve(steps: int, seed: int) -> Figures:
    """Fine-tune a pre-trained model, and one that knows nothing, on more and more labels."""
    found: Figures = {"sizes": list(SIZES)}
    start = {"pretrained": masked_encoder(steps, seed), "scratch": model_of("encoder", seed)}
    for task, measure in (("rating", right_share), ("tags", names_right)):
        test = labelled(task, TESTED, HELD_OUT)
        for name, model in start.items():
            found[f"{task}_{name}"] = [
                measure(
                    tuned(with_task(model, task, seed), labelled(task, size, 1000 + seed), seed),
                    test,
                )
                for size in SIZES
            ]
    return found


def adapter(steps: int, seed: int) -> Figures:
    """Fine-tune all, the head alone, and adapters of low rank."""
    test, few = (labelled("rating", n, s) for n, s in ((TESTED, HELD_OUT), (FEW, 1000 + seed)))
    start = with_task(masked_encoder(steps, seed), "rating", seed)
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
