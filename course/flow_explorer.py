"""The front page: a sentence that its reader types, on its way through the model and out of it."""

from typing import Any, NamedTuple

import ipywidgets

from course.flow import flow
from course.next_word import SENTENCES, Head, changed, model, next_verb, next_words, vocabulary
from transformer_lib.plot.markup import Markup
from transformer_lib.widgets import frames
from transformer_lib.widgets.box import Box, shown_or_refused

NOTHING = "nothing"
NO_HEAD = ()  # a menu takes None for no choice at all
LIFTED = "the mask is lifted"
CAPTION = "Before you change something, say what will happen."
OWN = "When this is live, you can type a sentence of your own."
ANY = "When this is live, you can change any head, the mask, temperature, top-k and top-p."
FILTERS = ("temperature", "top_k", "top_p")
OF_THE_DRAW = {name.replace("_", "-") for name in FILTERS}


class FlowExplorer(NamedTuple):
    """The way through the model, and the word that comes out; both follow the same sentence."""

    flow: Box
    guess: Box


def flow_explorer() -> FlowExplorer:
    """Let the reader type a sentence, change the model and the draw, and see what it does to both.

    What is typed never raises: the page shows what is wrong with it.
    """
    fields = _fields()
    way, guess = ipywidgets.HTML(), ipywidgets.HTML()

    def change() -> dict[str, Any]:
        return {"silent": fields["silent head"].value or None, "lifted": fields["mask"].value}

    def filters() -> dict[str, Any]:
        return {name: fields[name.replace("_", "-")].value for name in FILTERS}

    def follow_guess(_: object = None) -> None:
        sentence = fields["sentence"].value
        guess.value = shown_or_refused(
            lambda: next_words(sentence, changed(**change()), **filters())
        )

    def follow(_: object = None) -> None:
        way.value = shown_or_refused(lambda: flow(fields["sentence"].value, **change()))
        follow_guess()

    for name, field in fields.items():
        field.observe(follow_guess if name in OF_THE_DRAW else follow, names="value")
    follow()
    asked = ipywidgets.HTML(f"<p>{CAPTION}</p>")
    rest = ipywidgets.HBox(list(fields.values()), layout={"flex_flow": "row wrap"})
    return FlowExplorer(
        Box([fields["sentence"], way], "a sentence of your own through the model", note=OWN),
        Box([asked, rest, guess], "its next word", note=ANY, before=before()),
    )


def before() -> Markup:
    """Show the next verb after a few sentences, with a change to the model, under two menus."""
    changes: dict[str, dict[str, Any]] = {NOTHING: {}, LIFTED: {"lifted": True}}
    changes |= {f"{name} is silent": {"silent": head} for name, head in heads().items()}

    def fn(sentence: str, change: str) -> Markup:
        return next_verb(sentence, changed(**changes[change]))

    return frames(
        fn,
        sentence=SENTENCES,
        change=list(changes),
        menus=["sentence", "change"],
        names={"change": "what is changed"},
        caption=f"How probable each word is as the next. {CAPTION}",
    )


def heads() -> dict[str, Head]:
    """Return the heads of the model by name, counted from 1."""
    config = model()[1]
    places = [(layer, head) for layer in range(config.layers) for head in range(config.heads)]
    return {f"head {head + 1} of layer {layer + 1}": (layer, head) for layer, head in places}


def _fields() -> dict[str, Any]:
    size = len(vocabulary())
    number, menu = ipywidgets.BoundedFloatText, ipywidgets.Dropdown
    fields = {
        "sentence": ipywidgets.Text(value=SENTENCES[0], continuous_update=False),
        "silent head": menu(options={"none": NO_HEAD, **heads()}),
        "mask": menu(options={"as trained": False, "lifted": True}),
        "temperature": number(value=1.0, min=0.05, max=10.0, step=0.1),
        "top-k": ipywidgets.BoundedIntText(value=size, min=1, max=size),
        "top-p": number(value=1.0, min=0.01, max=1.0, step=0.01),
    }
    for name, field in fields.items():
        field.description = name
        field.style = {"description_width": "6.5em"}
        field.layout = {"width": "36em" if name == "sentence" else "16em", "max_width": "100%"}
    return fields
