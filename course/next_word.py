"""The model of the front page: what it reads, how it may be changed, and its picture."""

from functools import cache
from itertools import cycle
from typing import Any

import numpy as np

import transformer_lib as tl
from course.languages.agreement import PLURAL, SINGULAR, AgreementLanguage
from course.root import FOLDER
from transformer_lib import plot
from transformer_lib.model.vocabulary import Vocabulary, read_words
from transformer_lib.plot.markup import Markup

MODEL = FOLDER / "models/agreement_transformer.safetensors"
VERBS = (*SINGULAR, *PLURAL)
LAYER = "decoder.layers.{}.{}"
PARTS = ("resid_mid", "resid_post")
FINDER = (1, 2)  # the head that finds the subject
SENTENCES = (
    "the chefs who went to the store",
    "the chef who went to the stores",
    "dragons who sat on the mat",
    "the cats who ate the blackberry and went to the store",
)
"""Those that the front page offers."""

LINKS = tuple(
    f"chapters/{name}.html"
    for name in ("17_tokens", "02_embeddings", "attention", "09_add_and_norm", "13_decoding")
)

Head = tuple[int, int]
"""A layer and a head in it, both from 0."""


@cache
def model() -> tuple[dict[str, Any], Any]:
    """Return the weights and the configuration of the model that chapter 01 meets."""
    return tl.read_model(MODEL)


@cache
def vocabulary() -> Vocabulary:
    """Return the words that the model knows."""
    return AgreementLanguage().vocabulary


def read(sentence: str) -> tuple[list[str], np.ndarray]:
    """Return the words of a sentence after the start, and their ids.

    Raises:
        ValueError: the model does not know a word, or there are too many.
    """
    ids = np.array(vocabulary().encode(read_words(sentence, vocabulary()), start=True))
    return vocabulary().decode(ids), ids


def picture(sentence: str) -> Markup:
    """Draw a sentence on its way through the model, with the head that finds the subject large.

    Raises:
        ValueError: as `read`.
    """
    weights, config = model()
    ids = read(sentence)[1]
    steps = tl.trace(weights, config, ids)
    points = [f"{LAYER.format(i, at)}" for i in range(config.layers) for at in PARTS]
    stream = np.array([np.asarray(steps[at])[-1] for at in ("embedding.output", *points)])
    gain, bias = (weights[f"decoder.norm.{name}"] for name in ("gain", "bias"))
    logits = tl.layer_norm(stream, gain, bias, eps=config.eps) @ weights["embedding.tokens"].T
    return plot.flow(
        ids.tolist(), vocabulary().tokens, steps, tl.softmax(logits),
        verbs=VERBS, head=FINDER, links=LINKS, examples=SENTENCES,
    )  # fmt: skip


def changed(silent: Head | None = None, lifted: bool = False) -> Any:
    """Return an attention in which one head hands over nothing, or words see those behind them.

    Args:
        silent: the head.
        lifted: whether the mask is.

    Raises:
        ValueError: the model has no such head.
    """
    config = model()[1]
    if silent and not (silent[0] in range(config.layers) and silent[1] in range(config.heads)):
        raise ValueError(f"silent must be a layer and a head of the model, got {silent}")
    layers = cycle(range(config.layers))

    def attend(Q: Any, K: Any, V: Any, mask: Any = None, **options: Any) -> Any:
        steps = tl.attention_steps(Q, K, V, None if lifted else mask, **options)
        if silent and next(layers) == silent[0]:
            steps.output[..., silent[1], :, :] = 0
        return steps

    return attend
