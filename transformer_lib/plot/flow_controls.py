"""The controls of the flow; a page shows them once its script runs."""

from collections.abc import Sequence

from transformer_lib.plot.flow_marks import SHOWN
from transformer_lib.plot.markup import escape


def changes(head: str) -> str:
    """Return the buttons that change the model; a page shows them once its script runs."""
    return (
        '<div class="flow-needs"><button type="button" class="flow-pill" id="flow-silence">'
        f"Silence {head}</button>"
        '<button type="button" class="flow-pill flow-later" id="flow-lift">Lift the mask</button>'
        "</div>"
    )


def feet() -> tuple[str, ...]:
    """Return what is below each picture: the colors of attention, and the sampling controls."""
    colors = " ".join(
        f'<span class="flow-{name}-name">{name}</span>'
        for name in ("weight", "key", "value", "query")
    )
    fields = "".join(
        f'<div><label for="flow-{id}">{name}</label> <output id="flow-{id}-out">{shown}</output> '
        f'<input type="range" id="flow-{id}" {bounds}></div>'
        for name, id, shown, bounds in (
            ("temperature", "heat", "1.0", 'min="0.1" max="3" step="0.1" value="1"'),
            ("top-k", "top", "all", f'min="1" max="{SHOWN + 1}" value="{SHOWN + 1}"'),
        )
    )
    return "", "", f"<small>{colors}</small>", "", f'<div class="flow-needs">{fields}</div>'


def sentence(says: str) -> str:
    """Return the row above the stages: the buttons for the steps, and a sentence on each."""
    return (
        '<div class="flow-told"><div class="flow-moves flow-needs">'
        '<button type="button" id="flow-back" aria-label="Back">←</button>'
        '<button type="button" id="flow-forth" aria-label="Next stage">→</button></div>'
        f'<div id="flow-say" aria-live="polite">{says}</div></div>'
    )


def picks(examples: Sequence[str]) -> str:
    """Return the rows below the stages: the sum that makes a number, and sentences to try."""
    buttons = "".join(f'<button type="button">{escape(each)}</button>' for each in examples)
    return (
        '<p id="flow-sum" class="flow-needs" aria-live="polite"></p>'
        '<div class="flow-picks flow-needs" id="flow-picks"><button type="button" id="flow-all">'
        f"Show everything</button><span>Type in the headline, or try:</span>{buttons}</div>"
    )


def share() -> str:
    """Return the row of what a reader can send to others."""
    acts = {
        "own": "My language",
        "link": "Copy link",
        "png": "Save PNG",
        "svg": "Save SVG",
        "frame": "Embed",
    }
    buttons = "".join(
        f'<button type="button" class="flow-pill" data-act="{act}">{name}</button>'
        for act, name in acts.items()
    )
    said = '<span class="flow-shared" role="status"></span>'
    return f'<div class="flow-send flow-needs" id="flow-send">{buttons}{said}</div>'
