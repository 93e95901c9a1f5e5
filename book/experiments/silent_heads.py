"""Silence each head of the agreement model of chapter 1, trained with several seeds."""

import numpy as np

from book.experiments.setting import Figures
from book.models import FOLDER, trained
from course.looking import margins, pairs_of, right, right_without_each
from transformer_lib import read_model
from transformer_lib.training import read_run

RUN = FOLDER / "agreement_transformer.toml"
PAIRS, DRAWN = 60, 0  # pairs of sentences, and the seed that draws them


def silent_heads(steps: int, seed: int) -> Figures:
    """Train the model with a seed, and return what stays right without each of its heads."""
    run = read_run(RUN)
    if run.settings.steps != steps:
        raise ValueError(f"{RUN.name} takes {run.settings.steps} steps, the experiment {steps}")
    kept = RUN.with_suffix(".safetensors")
    parameters, config = read_model(kept if seed == run.settings.seed else trained(RUN, seed))
    pairs = pairs_of(run.language, np.random.default_rng(DRAWN), PAIRS)
    without = right_without_each(parameters, config, run.language, pairs)
    layer, head = np.unravel_index(without.argmin(), without.shape)
    most = margins(parameters, config, run.language, pairs, (int(layer) + 1, int(head) + 1))
    whole = margins(parameters, config, run.language, pairs)
    return {
        "right": right(whole).mean(),
        "right_without": without,
        "layer": int(layer) + 1,
        "head": int(head) + 1,
        "right_by_number": right(most),
        "effect": (whole[:, 1] - whole[:, 0]).mean(),
        "effect_without": (most[:, 1] - most[:, 0]).mean(),
    }
