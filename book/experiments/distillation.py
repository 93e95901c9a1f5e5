"""A small student of a larger encoder: what its start and what its teacher's words are worth."""

import copy
from functools import cache

import numpy as np

from book.experiments.objectives import MEASURED, every_text, masked_draw
from book.experiments.setting import (
    CHANCES,
    HELD_OUT,
    LENGTH,
    MASKING,
    Figures,
    held_out,
    ids_of,
    logits_of,
    model_of,
    remembered,
    trained,
)
from book.experiments.transfer import RATING, after_few_labels
from transformer_lib.nn import Transformer
from transformer_lib.pretraining import mask_tokens, masked_log_probabilities
from transformer_lib.scaling import forward_flops, parameter_count
from transformer_lib.training import mean_loss
from transformer_lib.training.batches import IGNORED
from transformer_lib.transfer import distilled_from, every_other_layer, masked_batch

LAYERS, CHOSEN = 5, (0, 2, 4)  # of the teacher, and those the student begins with
STUDENT_STEPS = 200
LABELLED = 32  # sentences


@cache
def teacher(steps: int, seed: int) -> Transformer:
    """Return an encoder of more layers, trained on masks."""
    return remembered("teacher", "encoder", masked_draw, steps, seed, rate=3e-3, layers=LAYERS)


def students(large: Transformer, steps: int, seed: int) -> dict[str, Transformer]:
    """Return small models, by what they begin with and who tells them what is right."""
    small = every_other_layer(large, CHOSEN)
    asks = distilled_from(large)
    new = model_of("encoder", seed, layers=len(CHOSEN))
    return {
        "alone": trained(copy.deepcopy(new), masked_draw, steps, seed),
        "scratch": trained(new, masked_draw, STUDENT_STEPS, seed),
        "layers": trained(copy.deepcopy(small), masked_draw, STUDENT_STEPS, seed),
        "distilled": trained(small, masked_draw, STUDENT_STEPS, seed, loss=asks),
    }


def distillation(steps: int, seed: int) -> Figures:
    """Compare a teacher with students that begin from nothing, from its layers, and ask it too."""
    large = teacher(steps, seed)
    models = {"teacher": large, **students(large, steps, seed)}
    read = mask_tokens(ids_of(held_out(MEASURED)), rng=np.random.default_rng(HELD_OUT), **MASKING)
    least = -masked_log_probabilities(read, every_text(), CHANCES, **MASKING).mean()
    found: Figures = {"floor": least}
    asked = read.targets != IGNORED
    said = logits_of(large, read.ids)[asked].argmax(-1)
    for name, model in models.items():
        agreed = logits_of(model, read.ids)[asked].argmax(-1) == said
        found[f"loss_{name}"] = mean_loss(model, masked_batch(read))
        found[f"agrees_{name}"] = float(agreed.double().mean())
        found[f"rating_{name}"] = after_few_labels(model, RATING, LABELLED, seed)
    for name, model in {"teacher": large, "student": models["distilled"]}.items():
        found[f"parameters_{name}"] = parameter_count(model.config).total
        found[f"flops_{name}"] = forward_flops(model.config, LENGTH).total
    return found
