"""What a grid of two sentences shows in a cell, and what is said of the cell and of the grid."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from course.published import pair
from course.published.pair import ORDINALS, Pair, Read
from transformer_lib.plot.heat_map import heat_map
from transformer_lib.plot.markup import Markup, escape

Filled = list[Any]
"""A row for each layer so far: the shares of its tokens, or what the lens reads at them."""
Said = list[str | Markup]


def columns(of: Pair, source: int) -> str:
    """Show the tokens above the columns; those that differ in the other sentence are underlined."""
    differs = (of.ids[source] != of.ids[0])[1:]
    words = (
        f"<span{' class=tl-differs' * bool(other)}>{escape(token)}</span>"
        for token, other in zip(of.tokens, differs, strict=True)
    )
    return f'<div class="tl-grid-words">{"".join(words)}</div>'


def shown(found: Any) -> list[tuple[str, float]]:
    """Return the text and the shade of each cell of a row: a share in percent, or a token."""
    if isinstance(found, Read):
        pairs = zip(found.tokens, found.probabilities, strict=True)
        return [(tokens[0], 100 * float(p[0])) for tokens, p in pairs]
    return [(percent(x), 100 * float(x)) for x in found]


def percent(share: float) -> str:
    """Return a share in percent.

    >>> percent(-0.114), percent(-0.001)
    ('−11', '0')
    """
    return f"{round(100 * float(share)) + 0}".replace("-", "−")


def ahead(of: Pair, margin: float) -> str:
    """Say which of the two next words is ahead, and by how much."""
    return f"{word(of, margin)} by {abs(margin):.1f} logits"


def put_third(of: Pair, layer: int) -> Any:
    """Return the shares of the third sentence."""
    return pair.swapped(of, layer, 2)


def told_swap(of: Pair, found: Filled) -> str:
    """Say what the two sentences lead to."""
    return (
        f"After the first sentence the model prefers {ahead(of, of.margin[0])}, and after the "
        f"second {ahead(of, of.margin[1])}. A number is the share of this difference, in percent, "
        "that one vector of the second sentence brings into the first: with 0 nothing changes, "
        "and with 100 the model goes on as after the second. Fill the null, too, before you "
        "believe a small number."
    )


def told_null(of: Pair, found: Filled) -> str:
    """Say how large the largest cell of the null is."""
    layer, place = np.unravel_index(np.abs(found).argmax(), np.shape(found))
    return (
        f"The largest change of the null is {percent(abs(found[layer][place]))}% (at "
        f"<i>{escape(of.tokens[place])}</i> after layer {layer + 1}). The third sentence does "
        "not have the difference, so in the grid of the second sentence a share that is no "
        "larger is no evidence."
    )


def told_lens(of: Pair, found: Filled) -> str:
    """Say what the lens shows and does not show."""
    return (
        "Each cell is the most probable next token if the model ended there, and a darker cell "
        "is more probable. The lens reads one place only: what a later layer still fetches from "
        "another word, it does not show."
    )


def said_share(source: int) -> Callable[[Pair, Any, int, int], Said]:
    """Return the function that says what a vector of another sentence does at a cell."""

    def say(of: Pair, found: Any, layer: int, place: int) -> Said:
        share = float(found[place - 1])
        after = float(of.margin[0]) + share * of.gap
        was, now = (word(of, margin) for margin in (float(of.margin[0]), after))
        turned = f"{was} becomes {now}" if was != now else f"it remains {was}"
        return [
            f"<p>{at(of, layer, place)} with the {ORDINALS[source]} sentence&rsquo;s numbers put "
            f"in here, {turned}. The model prefers {ahead(of, after)}, {percent(share)}% of the "
            "way to the second sentence.</p><p>What one head alone hands over at the last word, "
            "put in from there:</p>",
            heads(of, layer, source),
        ]

    return say


def heads(of: Pair, layer: int, source: int) -> Markup:
    """Show the share of each head of a layer."""
    shares = pair.heads(of, layer, source)
    names = [f"head {head}" for head in range(1, len(shares) + 1)]
    title, unit = f"Heads of layer {layer}", ["share"]
    return heat_map(
        shares[:, None], names, unit, title=title, meaning="scores", limit=1, decimals=2
    )


def at(of: Pair, layer: int, place: int) -> str:
    """Name a cell."""
    return f"<b>After layer {layer}, at <i>{escape(of.tokens[place - 1])}</i>:</b>"


def word(of: Pair, margin: float) -> str:
    """Return which of the two next words is ahead."""
    return f"<i>{escape(of.model.tokenizer.decode([of.verbs[int(margin > 0)]]).strip())}</i>"


def said_lens(of: Pair, found: Read, layer: int, place: int) -> Said:
    """Say the three most probable tokens of a place, and which of the two words is ahead."""
    best = zip(found.tokens[place - 1], found.probabilities[place - 1], strict=True)
    listed = ", ".join(f"<i>{escape(token)}</i> {100 * p:.0f}%" for token, p in best)
    return [
        f"<p>{at(of, layer, place)} if the model ended here, the next token would be {listed}. "
        f"Ahead would be {ahead(of, float(found.margin[place - 1]))}.</p>"
    ]


class Kind(NamedTuple):
    """A grid: which sentence is put in, what a row is, and what is said of all and of a cell."""

    name: str
    source: int  # 0 where nothing is put in
    width: str  # of a column
    row: Callable[[Pair, int], Any]
    told: Callable[[Pair, Filled], str]
    said: Callable[[Pair, Any, int, int], Said]


NARROW, WIDE = "minmax(2.3rem, 4rem)", "minmax(3.4rem, 4.6rem)"
KINDS = {
    kind.name: kind
    for kind in (
        Kind("second sentence put in", 1, NARROW, pair.swapped, told_swap, said_share(1)),
        Kind("third put in (the null)", 2, NARROW, put_third, told_null, said_share(2)),
        Kind("logit lens", 0, WIDE, pair.read_early, told_lens, said_lens),
    )
}
