"""The heads of a model on any sentence, which is interactive if a kernel runs."""

from typing import Any, NamedTuple

import ipywidgets
import numpy as np

from transformer_lib.decoding.greedy import greedy_search
from transformer_lib.model.configuration import Configuration
from transformer_lib.model.forward import trace
from transformer_lib.model.next_logits import cached_next_logits
from transformer_lib.model.parameters import Parameters
from transformer_lib.model.vocabulary import MOST_WORDS, Vocabulary, read_words
from transformer_lib.plot.heat_map import heat_map
from transformer_lib.plot.markup import Markup
from transformer_lib.widgets.box import Box, following


class Heads(NamedTuple):
    """The weights of each layer, (h, n_q, n_k), with the tokens of their rows and columns."""

    rows: list[str]
    columns: list[str]
    weights: list[Any]


def live_attention(
    parameters: Parameters,
    config: Configuration,
    vocabulary: Vocabulary,
    sentence: str,
    *,
    source_vocabulary: Vocabulary | None = None,
    decimals: int = 2,
) -> Box:
    """Let the reader type a sentence and see the attention of any layer and head.

    The model is computed by the formulas, in NumPy without torch. An encoder or a decoder reads <s>
    and the sentence. An encoder-decoder reads the sentence and </s>, and decodes greedily; the rows
    of its decoder are then named after the token that each of them predicts.

    Args:
        parameters: numpy arrays by name, with the names and shapes of `parameter_shapes`.
        config: the shape of the model.
        vocabulary: the tokens that the model predicts.
        sentence: the first sentence, with spaces between the words.
        source_vocabulary: the tokens that the encoder of an encoder-decoder reads; `vocabulary`
            unless given.
        decimals: how many decimals each weight shows.

    Raises:
        ValueError: the model has no layer. Input that is typed later never raises an error: the
            explorer shows what is wrong with it.
    """
    if config.layers == 0:
        raise ValueError("config must be of a model with layers, got 0")
    both = config.kind == "encoder-decoder"
    typed = ipywidgets.Text(value=sentence, description="sentence", continuous_update=False)
    typed.layout = {"width": "auto", "max_width": "34rem"}
    kind = _choice("attention", ["cross", "decoder", "encoder"] if both else [config.kind])
    layer, head = (
        _choice(name, range(1, count + 1))
        for name, count in (("layer", config.layers), ("head", config.heads))
    )

    def picture() -> Markup:
        found = attentions(parameters, config, vocabulary, typed.value, source_vocabulary)
        rows, columns, weights = found[kind.value]
        title = f"{kind.value}, layer {layer.value}, head {head.value}"
        chosen = weights[layer.value - 1][head.value - 1]
        return heat_map(chosen, rows, columns, title=title, decimals=decimals)

    page = following((typed, kind, layer, head), picture)
    row = ipywidgets.HBox([kind, layer, head], layout={"flex_flow": "row wrap"})
    about = f"attention of {config.layers} layers of {config.heads} heads, live"
    return Box([typed, row, page], about)


def attentions(
    parameters: Parameters,
    config: Configuration,
    vocabulary: Vocabulary,
    sentence: str,
    source_vocabulary: Vocabulary | None = None,
) -> dict[str, Heads]:
    """Return the heads of each kind of attention that a model has, on one sentence.

    Raises:
        ValueError: a word is not in the vocabulary, or the sentence has too many words.
    """
    if config.kind != "encoder-decoder":
        ids = vocabulary.encode(read_words(sentence, vocabulary), start=True)
        kept = trace(parameters, config, np.asarray(ids))
        tokens = vocabulary.decode(ids)
        return {config.kind: Heads(tokens, tokens, _weights(kept, config, config.kind))}
    source_vocabulary = source_vocabulary or vocabulary
    read = source_vocabulary.encode(read_words(sentence, source_vocabulary), end=True)
    source = np.asarray(read)
    limits = {"end": vocabulary.end_id, "max_new_tokens": MOST_WORDS}
    next_logits = cached_next_logits(parameters, config, source)
    said = list(greedy_search(next_logits, [vocabulary.start_id], **limits).tokens)
    ids = [vocabulary.start_id, *said[:-1]]
    kept = trace(parameters, config, np.asarray(ids), source)
    sources, saying = source_vocabulary.decode(read), vocabulary.decode(said)
    return {
        "cross": Heads(saying, sources, _weights(kept, config, "decoder", "cross_attention")),
        "decoder": Heads(saying, vocabulary.decode(ids), _weights(kept, config, "decoder")),
        "encoder": Heads(sources, sources, _weights(kept, config, "encoder")),
    }


def _weights(
    kept: dict[str, Any], config: Configuration, stack: str, attention: str = "self_attention"
) -> list[Any]:
    return [kept[f"{stack}.layers.{i}.{attention}.weights"] for i in range(config.layers)]


def _choice(name: str, options: Any) -> Any:
    return ipywidgets.Dropdown(options=options, description=name, layout={"width": "13em"})
