"""What an encoder-decoder is asked: span corruption and the five noises, each beside its floor."""

from collections.abc import Callable, Iterable
from functools import partial

import numpy as np

from book.experiments.setting import (
    CHANCES,
    HELD_OUT,
    LISTED,
    VOCABULARY,
    Figures,
    Words,
    held_out,
    model_of,
    texts_of,
    trained,
)
from course.languages.review import MASK, SENTINELS
from transformer_lib.pretraining import (
    Outcome,
    corrupt_spans,
    draw_spans,
    noise_outcomes,
    noises,
    span_count,
    span_outcomes,
    target_log_probabilities,
)
from transformer_lib.training import Batch, mean_loss
from transformer_lib.transfer import source_batch

Example = tuple[Words, Words]
Change = Callable[[Words, np.random.Generator], Words]
Spoil = Callable[[Words, np.random.Generator], Example]
BATCH = 64
MEASURED = 400  # texts
SHARE, MEAN = 0.3, 2.0  # of the spans, as the chapter shows them: two in most texts


def spans(steps: int, seed: int) -> Figures:
    """Measure the loss of what T5 is asked."""
    outcomes = partial(span_outcomes, sentinels=SENTINELS, share=SHARE, mean=MEAN)
    return _beside_floor(_gaps, outcomes, steps, seed)


def noise(steps: int, seed: int) -> Figures:
    """Measure the loss of what BART is asked, one model a noise."""
    found: Figures = {}
    for name, change in noises(MASK).items():
        outcomes = partial(noise_outcomes, name, mask=MASK)
        figures = _beside_floor(partial(_rewritten, change), outcomes, steps, seed)
        found |= {f"{name.replace(' ', '_')}_{key}": value for key, value in figures.items()}
    return found


def _rewritten(change: Change, words: Words, rng: np.random.Generator) -> Example:
    return change(words, rng), words


def _gaps(words: Words, rng: np.random.Generator) -> Example:
    chosen = draw_spans(len(words), *span_count(len(words), SHARE, MEAN), rng)
    source, target = corrupt_spans(words, chosen, SENTINELS)
    return source, target


def _beside_floor(
    spoil: Spoil, outcomes: Callable[[Words], Iterable[Outcome]], steps: int, seed: int
) -> Figures:
    """Train on spoiled texts; return the loss a token, and the least that is possible."""

    def draw(rng: np.random.Generator) -> Batch:
        return source_batch([spoil(words, rng) for words in texts_of(rng, BATCH)], VOCABULARY)

    model = trained(model_of("encoder-decoder", seed), draw, steps, seed, rate=5e-3)
    rng = np.random.default_rng(HELD_OUT)
    examples = [spoil(words, rng) for words in held_out(MEASURED)]
    tokens = sum(len(target) + 1 for _, target in examples)
    chances = dict(zip(LISTED, CHANCES, strict=True))
    certain = target_log_probabilities(examples, chances, outcomes).sum()
    loss = mean_loss(model, source_batch(examples, VOCABULARY))
    return {"loss": loss, "floor": abs(certain) / tokens}  # never -0
