"""One sentence through a trained model, stop by stop: what the front page opens with."""

from collections.abc import Sequence
from functools import cache

import numpy as np

import transformer_lib as tl
from course.next_word import Head, changed, model, next_words, read
from transformer_lib import plot
from transformer_lib.plot.markup import Markup, escape

SHOWN = 8  # of the 32 columns of a row
LAYER = "decoder.layers.{}.{}"


@cache
def drawing(here: str) -> Markup:
    """Draw the model small, with one box lit."""
    layers, place = model()[1].layers, model()[1].place
    return plot.architecture("decoder", layers=layers, place=place, here=here, small=True)


def flow(sentence: str, silent: Head | None = None, lifted: bool = False) -> Markup:
    """Step one sentence through the model in eight stops, each with its place in the drawing.

    Args:
        sentence: words of the model's vocabulary, apart by spaces.
        silent: a head that hands over nothing.
        lifted: whether the words see those behind them.

    Raises:
        ValueError: as `read` and `changed`.
    """
    words, ids = read(sentence)
    attend = changed(silent, lifted)
    kept = tl.trace(*model(), ids, attend=attend)
    steps = {name: np.asarray(array) for name, array in kept.items()}
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
        heads = [
            f"head {head + 1}{' (silent)' * ((layer, head) == silent)}"
            for head in range(len(weights))
        ]
        return plot.heat_map(weights, heads, words, title=f"layer {layer + 1}", decimals=2)

    stops: list[tuple[str, str, str, Markup]] = [
        ("words", "Each word becomes a number. Which word comes next?", "", chips(words, ids)),
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
            f"Each word looks {'both ways' if lifted else 'back'}, here with four heads. "
            f"These are the shares of {last}.",
            "Masked self-attention",
            looks(0),
        ),
        (
            "sum",
            "What the heads found is added to the row: it keeps what it had.",
            "Add",
            rows(LAYER.format(0, "resid_mid")),
        ),
        (
            "compute",
            f"Each row is worked on alone. For {last}, {awake} of {len(hidden)} inner numbers "
            "are above 0.",
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
            next_words(sentence, attend),
        ),
    ]
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
