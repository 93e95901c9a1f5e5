"""Silence heads of the agreement model of chapter 1, trained with several seeds."""

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any, cast

import numpy as np

from book.experiments.setting import Figures
from book.models import FOLDER, trained
from course.looking import Head, effect, margins, pairs_of, right
from transformer_lib import Configuration, read_model
from transformer_lib.training import read_run

RUN = FOLDER / "agreement_transformer.toml"
PAIRS, DRAWN = 60, 0  # pairs of sentences, and the seed that draws them


def silent_heads(steps: int, seed: int) -> Figures:
    """Train the model with a seed, and return what is left of agreement without some heads.

    Without none, each, every two, and all of each layer; `one` and `two` are those that it needs
    most, by the effect of the subject.
    """
    run = read_run(RUN)
    if run.settings.steps != steps:
        raise ValueError(f"{RUN.name} takes {run.settings.steps} steps, the experiment {steps}")
    kept = RUN.with_suffix(".safetensors")
    file = kept if seed == run.settings.seed else trained(RUN, seed)
    parameters, config = cast(tuple[Any, Configuration], read_model(file))
    pairs = pairs_of(run.language, np.random.default_rng(DRAWN), PAIRS)
    layers, heads = (range(1, count + 1) for count in (config.layers, config.heads))
    every = list(product(layers, heads))

    def without(*silent: Head) -> Any:
        return margins(parameters, config, run.language, pairs, silent)

    def least(sets: Sequence[tuple[Head, ...]]) -> tuple[Head, ...]:
        return min(sets, key=lambda silent: effect(without(*silent)))

    one, two = least([(head,) for head in every]), least(list(combinations(every, 2)))
    figures: Figures = {"one": one[0], "two": two}
    for name, silent in {"": (), "_without_one": one, "_without_two": two}.items():
        found = without(*silent)
        figures |= {f"right{name}": right(found), f"effect{name}": effect(found)}
    grid = [[without((i, k)) for k in heads] for i in layers]
    figures["right_without_each"] = [[right(x).mean() for x in row] for row in grid]
    figures["effect_without_each"] = [[effect(x) for x in row] for row in grid]
    whole = [without(*((i, k) for k in heads)) for i in layers]
    figures["right_without_layer"] = [right(x).mean() for x in whole]
    figures["effect_without_layer"] = [effect(x) for x in whole]
    return figures
