"""The heads of a model on any sentence, alive where there is a kernel."""

from typing import Any

import ipywidgets
import numpy as np

from transformer_lib.formulas.configuration import Configuration
from transformer_lib.formulas.model import forward_steps
from transformer_lib.formulas.parameters import Parameters
from transformer_lib.formulas.vocabulary import Vocabulary
from transformer_lib.plot.heat_map import heat_map
from transformer_lib.plot.markup import Markup
from transformer_lib.widgets.box import Box
from transformer_lib.widgets.live import NOTE, read_words, shown_or_refused


def live_attention(
    parameters: Parameters,
    config: Configuration,
    vocabulary: Vocabulary,
    sentence: str,
    *,
    decimals: int = 2,
) -> Box:
    """Let the reader type a sentence and see the self-attention of any layer and head.

    The model is an encoder or a decoder; it runs through the formulas, in numpy without torch.

    Args:
        parameters: numpy arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of the model.
        vocabulary: the model's; its <s> stands before the sentence.
        sentence: the first sentence, words apart by spaces.
        decimals: how many decimals each weight shows.

    Raises:
        ValueError: the model is an encoder-decoder or has no layer. What is typed later never
            raises: the explorer shows what is wrong with it.
    """
    if config.kind == "encoder-decoder" or config.layers == 0:
        raise ValueError(
            "config must be of an encoder or a decoder with layers, "
            f"got kind {config.kind!r} with {config.layers}"
        )
    typed = ipywidgets.Text(value=sentence, description="sentence", continuous_update=False)
    typed.layout = {"width": "auto", "max_width": "34rem"}
    layer = _choice("layer", config.layers)
    head = _choice("head", config.heads)
    shown = ipywidgets.HTML()

    def picture() -> Markup:
        words, weights = self_attention(parameters, config, vocabulary, typed.value)
        title = f"layer {layer.value}, head {head.value}"
        chosen = weights[layer.value][head.value]
        return heat_map(chosen, words, words, title=title, decimals=decimals)

    def update(_: object = None) -> None:
        shown.value = shown_or_refused(picture)

    for field in (typed, layer, head):
        field.observe(update, names="value")
    update()
    row = ipywidgets.HBox([layer, head], layout={"flex_flow": "row wrap"})
    about = f"attention of {config.layers} layers of {config.heads} heads, live"
    return Box([ipywidgets.HTML(NOTE), typed, row, shown], about)


def self_attention(
    parameters: Parameters, config: Configuration, vocabulary: Vocabulary, sentence: str
) -> tuple[list[str], list[Any]]:
    """Return the tokens of a sentence and, for each layer, the weights of its heads, (h, n, n).

    Raises:
        ValueError: the model does not know a word, or there are too many.
    """
    ids = vocabulary.encode(read_words(sentence, vocabulary), start=True)
    steps = forward_steps(parameters, config, np.asarray(ids))
    stack = steps.decoder or steps.encoder
    layers = stack.layers if stack else ()
    weights = [layer.self_attention.inner.weights for layer in layers]
    return vocabulary.decode(ids), weights


def _choice(name: str, count: int) -> Any:
    return ipywidgets.Dropdown(options=range(count), description=name, layout={"width": "10em"})
