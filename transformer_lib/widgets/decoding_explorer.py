"""Every way to decode with one model, which is interactive if a kernel runs."""

from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np

from transformer_lib.decoding.beam import beam_search
from transformer_lib.decoding.greedy import greedy_search
from transformer_lib.decoding.next_token import NextLogits
from transformer_lib.decoding.result import Decoded
from transformer_lib.decoding.sampling import sample
from transformer_lib.model.vocabulary import Vocabulary, read_words
from transformer_lib.plot.markup import Markup, escape, join
from transformer_lib.plot.numbers import shown
from transformer_lib.plot.table import table
from transformer_lib.widgets.box import Box, following

NEEDS = {
    "greedy": (),
    "beam": ("width", "alpha"),
    "sampling": ("temperature", "top_k", "top_p", "seed"),
}
CANDIDATES = 3


def decoding_explorer(
    next_logits: NextLogits,
    vocabulary: Vocabulary,
    prompt: str = "",
    *,
    method: str = "greedy",
    max_new_tokens: int = 20,
) -> Box:
    """Let the reader choose a prompt, a way to decode and its settings, and see every step.

    Args:
        next_logits: a function as the searches take it, such as `cached_next_logits` returns for a
            model in NumPy.
        vocabulary: the model's vocabulary; <s> precedes the prompt and </s> ends a sequence.
        prompt: the first prompt, with spaces between the words.
        method: the first method, "greedy", "beam" or "sampling".
        max_new_tokens: the most tokens to add.

    Raises:
        ValueError: method is none of the three. Input that is typed later never raises an error:
            the explorer shows what is wrong with it.
    """
    if method not in NEEDS:
        raise ValueError(f"method must be one of {list(NEEDS)}, got {method!r}")
    fields = _fields(prompt, method, len(vocabulary))

    def answer() -> Markup:
        settings = {name: field.value for name, field in fields.items()}
        for name in sum(NEEDS.values(), ()):
            needed = name in NEEDS[settings["method"]]
            fields[name].layout.display = None if needed else "none"
        return decoded(next_logits, vocabulary, settings, max_new_tokens)

    page = following(fields.values(), answer)
    row = ipywidgets.HBox(list(fields.values()), layout={"flex_flow": "row wrap"})
    return Box([row, page], f"decoding explorer after {prompt!r}, live")


def decoded(
    next_logits: NextLogits, vocabulary: Vocabulary, settings: Mapping[str, Any], longest: int
) -> Markup:
    """Decode once and show the sequence and how it was found.

    Raises:
        ValueError: a setting is out of its range, or a word is not in the vocabulary.
    """
    prefix = vocabulary.encode(read_words(settings["prompt"], vocabulary), start=True)
    given = {name: settings[name] for name in NEEDS[settings["method"]]}
    limits: dict[str, Any] = {"end": vocabulary.end_id, "max_new_tokens": longest}
    if settings["method"] == "beam":
        best = beam_search(next_logits, prefix, **given, **limits).hypotheses
        columns: dict[str, list[Any]] = {
            "sequence": [" ".join(vocabulary.decode(h.tokens)) for h in best],
            "log-probability": [h.log_probability for h in best],
            "score": [h.score for h in best],
        }
        return table(columns, title=f"The best {len(best)}")
    if settings["method"] == "greedy":
        return _steps(greedy_search(next_logits, prefix, **limits), vocabulary)
    rng = np.random.default_rng(given.pop("seed"))
    return _steps(sample(next_logits, prefix, rng=rng, **given, **limits), vocabulary)


def _steps(found: Decoded, vocabulary: Vocabulary) -> Markup:
    rows = []
    for step in found.steps:
        likely = zip(
            vocabulary.decode(step.candidates[:CANDIDATES]), step.probabilities, strict=False
        )
        rows.append(", ".join(f"{token} {p:.3f}" for token, p in likely))
    words = vocabulary.decode(found.tokens)
    total = shown(found.log_probability, 4)
    sentence = f"<p><b>{escape(' '.join(words))}</b>, log-probability {total}</p>"
    return join([sentence, table({"chosen": words, f"the {CANDIDATES} most probable": rows})])


def _fields(prompt: str, method: str, size: int) -> dict[str, Any]:
    number, whole = ipywidgets.BoundedFloatText, ipywidgets.BoundedIntText
    fields = {
        "prompt": ipywidgets.Text(value=prompt, continuous_update=False),
        "method": ipywidgets.Dropdown(options=list(NEEDS), value=method),
        "width": whole(value=4, min=1, max=16),
        "alpha": number(value=0.6, min=0.0, max=5.0, step=0.1),
        "temperature": number(value=1.0, min=0.05, max=10.0, step=0.1),
        "top_k": whole(value=size, min=1, max=size),
        "top_p": number(value=1.0, min=0.01, max=1.0, step=0.01),
        "seed": whole(value=0, min=0, max=10_000),
    }
    for name, field in fields.items():
        field.description = name.replace("_", "-")
        field.layout = {"width": "22em" if name == "prompt" else "13em"}
    return fields
