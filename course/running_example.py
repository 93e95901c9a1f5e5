"""One sentence through the book: what the trained model does with it in the chapter at hand."""

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

import transformer_lib as tl
from course.languages import TranslationLanguage
from course.next_word import LAYER, MODEL, changed, model, read, vocabulary
from transformer_lib.plot.markup import escape

SENTENCE = "the chefs who went to the store"
TRANSLATED = "they say that the chefs love the store"
WRITTEN = "sie sagen dass die Köche den Laden lieben"
HEAD = 2  # of the last layer, in both models: it finds the word that the next one hangs on
STRONGEST = 0.6  # a tint that still lets the word be read
Array = NDArray[np.float64]


@cache
def steps() -> Mapping[str, Array]:
    """Return every step of the model of the front page on its sentence."""
    _, ids = read(SENTENCE)
    found = tl.trace(*model(), ids)
    return {name: np.asarray(array, dtype=np.float64) for name, array in found.items()}


@cache
def translation() -> tuple[Array, Mapping[str, Array]]:
    """Return the probabilities of the written words and every step of the translation model."""
    language = TranslationLanguage()
    source = language.source_vocabulary.encode(TRANSLATED.split(), end=True)
    target = language.target_vocabulary.encode(WRITTEN.split(), start=True, end=True)
    parameters, config = tl.read_model(MODEL.with_name("translation.safetensors"))
    assert isinstance(config, tl.Configuration)
    found = tl.trace(parameters, config, np.array(target[:-1]), np.array(source))
    rows = tl.softmax(np.asarray(found["logits"], dtype=np.float64))
    return rows[np.arange(len(rows)), target[1:]], found


def shown(stop: str) -> str:
    """Return, in inline HTML, what the trained model does with the sentence in a chapter.

    Raises:
        ValueError: the example has no such stop.

    >>> shown("attention")[:60]
    '<i>the chefs who went to the store</i> … For its last word, '
    """
    if stop not in STOPS:
        raise ValueError(f"stop must be one of {', '.join(STOPS)}, got {stop!r}")
    sentence = TRANSLATED if stop in ("cross-attention", "whole") else SENTENCE
    return f"<i>{sentence}</i> … {STOPS[stop]()}"


def shares(words: list[str], weights: Array) -> str:
    """Return the words, each tinted by its share, with the shares for who cannot see the tint."""
    made = (
        f'<span style="--a:{STRONGEST * weight:.2f}">{escape(word)}'
        f"<small> {weight:.2f}</small></span>"
        for word, weight in zip(words, weights, strict=True)
    )
    return f'<span class="tl-thread">{" ".join(made)}</span>'


def looks(layer: int, head: int) -> Array:
    """Return the weights of the last word in one head, (n,)."""
    row: Array = steps()[LAYER.format(layer, "self_attention.weights")][head, -1]
    return row


def chance(word: str, row: Array | None = None) -> str:
    """Return how probable a word is as the next, to two digits."""
    logits = steps()["logits"][-1] if row is None else row
    return f"{tl.softmax(logits)[vocabulary().tokens.index(word)]:.2f}"


def start(row: Array) -> str:
    """Return the first three numbers of a row."""
    return ", ".join(f"{x:.2f}".replace("-", "−") for x in row[:3]) + ", …"


def length(row: Array) -> str:
    """Return the length of a row, to a whole number."""
    return f"{np.linalg.norm(row):.0f}"


def _why() -> str:
    return (
        f"After these words the model of the front page gives <i>are</i> the probability "
        f"{chance('are')} and <i>is</i> {chance('is')}, although the nearest noun is singular."
    )


def _embedding() -> str:
    words, ids = read(SENTENCE)
    return (
        f"Its last word, <i>{words[-1]}</i>, is token {ids[-1]} of the trained model, and its row "
        f"of the embedding table begins {start(steps()['embedding.tokens'][-1])}"
    )


def _positions() -> str:
    before, wave, after = (
        start(steps()[f"embedding.{name}"][-1]) for name in ("tokens", "positions", "output")
    )
    place = len(read(SENTENCE)[0]) - 1
    return (
        f"The embedding of its last word begins {before} At position {place} the positional "
        f"encoding adds {wave} Their sum begins {after}"
    )


def _attention() -> str:
    words, _ = read(SENTENCE)
    shown = shares(words, looks(1, HEAD))
    return f"For its last word, one head of the second layer has these attention weights: {shown}"


def _heads() -> str:
    words, _ = read(SENTENCE)
    most = [looks(1, head) for head in range(4)]
    named = ", ".join(f"<i>{escape(words[int(w.argmax())])}</i> ({w.max():.2f})" for w in most)
    return f"From its last word, the four heads of the second layer attend most to {named}."


def _mask() -> str:
    _, ids = read(SENTENCE)
    lifted = tl.forward(*model(), ids, attend=changed(lifted=True))[-1]
    row = np.asarray(lifted, dtype=np.float64)
    return (
        f"With its mask, the trained model gives <i>are</i> the probability {chance('are')} and "
        f"<i>is</i> {chance('is')}. Without the mask, <i>are</i> has {chance('are', row)} and "
        f"<i>is</i> {chance('is', row)}."
    )


def _cross_attention() -> str:
    weights = np.asarray(translation()[1]["decoder.layers.1.cross_attention.weights"])
    written = WRITTEN.split()
    shown = shares([*TRANSLATED.split(), "</s>"], weights[HEAD, len(written) - 1])
    so_far = " ".join(written[:-1])
    return (
        f"The translation model has generated <i>{so_far}</i> and is about to generate "
        f"<i>{written[-1]}</i>. One head attends to the source: {shown}"
    )


def _feed_forward() -> str:
    active = [steps()[LAYER.format(layer, "feed_forward.activated")][-1] > 0 for layer in range(2)]
    return (
        f"For its last word, {active[0].sum()} of {len(active[0])} hidden units are above 0 in the "
        f"first layer of the trained model, and {active[1].sum()} in the second."
    )


def _norm() -> str:
    places = [
        length(steps()[LAYER.format(layer, name)][-1])
        for layer, name in ((0, "resid_pre"), (0, "resid_post"), (1, "resid_post"))
    ]
    return (
        "The vector of its last word grows with what the sub-layers add. Its length is "
        f"{places[0]} before the first layer, {places[1]} after it and {places[2]} after the "
        "second, so each sub-layer receives the vector only after a norm."
    )


def _whole() -> str:
    probabilities, _ = translation()
    return (
        f"The translation model generates <i>{WRITTEN}</i>, with the verb at the end, and gives "
        f"each of the {len(probabilities)} tokens, including the end, a probability of at least "
        f"{np.floor(100 * probabilities.min()) / 100:.2f}."
    )


def _head() -> str:
    tokens = vocabulary().tokens
    logits = steps()["logits"][-1]
    best = np.argsort(-logits)[:3]
    said = ", ".join(f"<i>{tokens[i]}</i> {logits[i]:.1f}" for i in best)
    turned = ", ".join(chance(tokens[i]) for i in best)
    return (
        f"The trained model gives a logit to each of {len(logits)} words. The largest logits are "
        f"{said}, and the probabilities of these words are {turned}."
    )


def _training() -> str:
    paid = -np.log(tl.softmax(steps()["logits"][-1])[vocabulary().tokens.index("are")])
    return (
        f"If the next word is <i>are</i>, the loss of the trained model is {paid:.2f} nats. With "
        f"{len(vocabulary())} equally probable words it would be {np.log(len(vocabulary())):.2f}."
    )


def _decoding() -> str:
    parameters, config = model()
    found = tl.greedy_search(
        lambda ids: tl.forward(parameters, config, np.array(ids))[-1],
        [int(i) for i in read(SENTENCE)[1]],
        end=vocabulary().end_id,
        max_new_tokens=12,
    )
    words = " ".join(vocabulary().decode(found.tokens))
    return f"Greedy search continues with <i>{escape(words)}</i> …"


STOPS: dict[str, Callable[[], str]] = {
    "why": _why,
    "embedding": _embedding,
    "positions": _positions,
    "attention": _attention,
    "heads": _heads,
    "mask": _mask,
    "cross-attention": _cross_attention,
    "feed-forward": _feed_forward,
    "norm": _norm,
    "whole": _whole,
    "head": _head,
    "training": _training,
    "decoding": _decoding,
}
