"""The picture of the front page, for a small decoder and a sentence of its language."""

import numpy as np

from course.small_decoder import HEADS, Arrays, named, stream, unit
from course.style import ASSETS
from transformer_lib import Vocabulary, plot, softmax
from transformer_lib.model.vocabulary import read_words
from transformer_lib.plot.markup import Markup
from transformer_lib.plot.style import style_tag

STYLE = style_tag(ASSETS / "flow/flow.css")
ATTENTION = "decoder.layers.0.self_attention"


def picture(T: Arrays, words: Vocabulary, sentence: str, head: int = 1) -> Markup:
    """Draw a sentence on its way to the next word, with one head, counted from 1, drawn large.

    Raises:
        ValueError: the language lacks a word of the sentence, or the model has no such head.
    """
    if head not in range(1, HEADS + 1):
        raise ValueError(f"head must be from 1 to {HEADS}, got {head}")
    ids = np.array(words.encode(read_words(sentence, words), start=True))
    passed = named(T, ids)
    points, tokens = stream(T, ids), T["E"][ids] * np.sqrt(T["E"].shape[1])
    steps = {"embedding.tokens": tokens, "embedding.positions": points[0] - tokens}
    steps |= {f"{ATTENTION}.weights": passed["W"], f"{ATTENTION}.V": passed["U"]}
    early = softmax(unit(points[:, -1])[0] @ T["E"].T)
    drawn = plot.flow(ids.tolist(), words.tokens, steps, early, head=(0, head - 1), still=True)
    return Markup(drawn.html, drawn.text, (STYLE,))
