"""One sentence through a trained model, stop by stop: what the front page opens with."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import transformer_lib as tl
from transformer_lib import plot
from transformer_lib.languages.agreement import PLURAL, SINGULAR, AgreementLanguage
from transformer_lib.plot.markup import Markup, escape

ROOT = Path(__file__).resolve().parent.parent
MODEL = ROOT / "chapters/models/agreement_transformer.safetensors"
VERBS = (*SINGULAR, *PLURAL)
SHOWN = 8  # of the 32 columns of a row
LAYER = "decoder.layers.{}.{}"


@cache
def model() -> tuple[dict[str, Any], Any]:
    """Return the weights and the configuration of the model that chapter 01 meets."""
    return tl.read_model(MODEL)


def read(sentence: str) -> tuple[list[str], np.ndarray]:
    """Return the words of a sentence after the start, and their ids."""
    vocabulary = AgreementLanguage().vocabulary
    ids = np.array([vocabulary.start_id, *vocabulary.encode(sentence.split())])
    return [vocabulary.tokens[i] for i in ids], ids


def next_verb(sentence: str, attend: Any = None) -> Markup:
    """Show how probable each verb is as the next word, with another attention if one is given."""
    _, ids = read(sentence)
    probabilities = tl.softmax(tl.forward(*model(), ids, attend=attend)[-1])
    vocabulary = AgreementLanguage().vocabulary
    words = ["and", *VERBS]
    return plot.bars([probabilities[vocabulary.tokens.index(word)] for word in words], words)


def without(layer: int, head: int) -> Any:
    """Return an attention for `next_verb` in which one head hands over nothing."""
    calls = iter(range(model()[1].layers))

    def attend(Q: Any, K: Any, V: Any, mask: Any = None, **options: Any) -> Any:
        steps = tl.attention_steps(Q, K, V, mask, **options)
        if next(calls) == layer:
            steps.output[..., head, :, :] = 0
        return steps

    return attend


def unmasked(Q: Any, K: Any, V: Any, mask: Any = None, **options: Any) -> Any:
    """Attend to the words behind too: the mask is lifted."""
    return tl.attention_steps(Q, K, V, None, **options)


def flow(sentence: str) -> Markup:
    """Step one sentence through the model in eight stops, each with its place in the drawing."""
    words, ids = read(sentence)
    steps = {name: np.asarray(array) for name, array in tl.trace(*model(), ids).items()}
    last, width = f"<i>{escape(words[-1])}</i>", steps["embedding.tokens"].shape[1]
    hidden = steps[LAYER.format(0, "feed_forward.activated")][-1]
    awake = int((hidden > 0).sum())

    def rows(name: str) -> Markup:
        columns = [str(i + 1) for i in range(SHOWN)]
        return plot.heat_map(
            steps[name][:, :SHOWN], words, columns, title=name, meaning="scores", decimals=1
        )

    def looks(layer: int) -> Markup:
        weights = steps[LAYER.format(layer, "self_attention.weights")][:, -1]
        heads = [f"head {head + 1}" for head in range(len(weights))]
        return plot.heat_map(weights, heads, words, title=f"layer {layer + 1}", decimals=2)

    stops: list[tuple[str, str, str, Markup]] = [
        ("words", "Each word is a number. The next word is to be guessed.", "", chips(words, ids)),
        (
            "embedding",
            f"Each number picks its row of {width} learned numbers; you see the first {SHOWN}.",
            "Embedding",
            rows("embedding.tokens"),
        ),
        (
            "positions",
            "To each row the wave of its place is added. Now the order counts.",
            "Positions",
            rows("embedding.output"),
        ),
        (
            "attention",
            f"Each word looks back, here with four heads. These are the shares of {last}.",
            "Masked self-attention",
            looks(0),
        ),
        (
            "sum",
            "What the heads found is added to what was there: the row stays, and learns.",
            "Add",
            rows(LAYER.format(0, "resid_mid")),
        ),
        (
            "compute",
            f"Each row is worked on alone. For {last}, {awake} of {len(hidden)} hidden units wake.",
            "Feed-forward",
            rows(LAYER.format(0, "resid_post")),
        ),
        (
            "again",
            f"A second layer does it all again with better rows. Where does {last} look now?",
            "Masked self-attention",
            looks(1),
        ),
        (
            "guess",
            "The last row scores every word, and the softmax makes probabilities of the scores.",
            "Softmax",
            next_verb(sentence),
        ),
    ]

    def drawing(here: str) -> Markup:
        layers, place = model()[1].layers, model()[1].place
        return plot.architecture("decoder", layers=layers, place=place, here=here, small=True)

    drawn = [(name, says, plot.row(drawing(here), shown)) for name, says, here, shown in stops]
    return plot.stepper(f"{sentence} …", drawn)


def chips(words: Sequence[str], ids: np.ndarray) -> Markup:
    """Show words as chips with their ids below, and a gap for the next."""
    made = "".join(
        f'<span class="tl-chip">{escape(word)}<small>{i}</small></span>'
        for word, i in zip(words, ids, strict=True)
    )
    text = " ".join(f"{word}/{i}" for word, i in zip(words, ids, strict=True))
    return Markup(f'<div class="tl-chips">{made}<span class="tl-chip">?</span></div>', f"{text} ?")
