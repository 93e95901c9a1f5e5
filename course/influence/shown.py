"""What leaving groups out shows: a table whose rows mark their sentences, and a test's margins."""

import itertools
from collections.abc import Sequence

import numpy as np

from course.influence.control import FAR
from course.influence.groups import Mask
from course.influence.pair import Pair
from course.influence.tested import Outcome, scores
from course.influence.trainings import Influence, Trainings
from course.influence.without import NEW_SEEDS
from course.seeds import over_seeds
from course.small_decoder import Array
from transformer_lib.plot.markup import Markup, escape, join
from transformer_lib.plot.style import TABLE_STYLE
from transformer_lib.plot.table import table

NUMBERS = itertools.count(1)
"""Of the tables of a page: a name for the radio buttons of each."""
HEAD = ("left out", "counts", "the margin loses", "counts outside", "sentences")
LEFT = ' class="tl-words"'
STYLE = """<style>
.tl-left-out label { cursor: pointer; }
.tl-left-out td label { display: block; }
.tl-left-out td:first-child label { display: flex; }
.tl-left-out input { margin: 0 0.4em 0 0; }
.tl-left-out tr:has(:checked) { font-weight: 700; }
.tl-taught {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(13em, 1fr)); gap: 0 1em;
  max-height: 9em; overflow: auto; margin: 0.4em 0; padding: 0.2em 0.4em;
  list-style: none;
}
.tl-left-out > :is(.tl-box, ul) { border: 1px solid rgb(128 128 128 / 0.5); }
.tl-left-out > .tl-box { max-height: 19em; overflow: auto; }
.tl-left-out thead th {
  position: sticky; top: 0; opacity: 1 !important;
  background: var(--pst-color-background, var(--jp-layout-color0, Canvas)) !important;
}
.tl-taught small { opacity: 0.8; white-space: nowrap; }
@media print { .tl-taught, .tl-left-out > .tl-box { max-height: none; } }
</style>"""


def answer(of: Trainings, pair: Pair) -> Markup:
    """Show what a pair loses without each group that is trained, and the sentences of the text."""
    found = of.influence(pair)
    return join([told(of, pair, found), *([ranked(of, found)] if found.learned else [])])


def told(of: Trainings, pair: Pair, found: Influence) -> Markup:
    """Say what the margin is with nothing left out, and whether the text has the sentence."""
    before, copies = " ".join(pair.before), of.sentences.count(pair.sentence)
    said = (
        f"<p>After <i>{escape(before)}</i> the margin of <i>{escape(pair.right)}</i> over "
        f"<i>{escape(pair.wrong)}</i> is {over_seeds(found.whole, 1)} nats if nothing is left out."
    )
    if not found.learned:
        each = ", ".join(f"{value:.1f}" for value in found.whole)
        said += (
            f" With the three seeds it is {each}, and not above 0 with each: the model has not "
            "learned this pair from this text, so there is nothing to ask the groups for."
        )
    if copies:
        said += (
            f" <b>The training text has this sentence {copies}&times;,</b> so the pair shows what "
            "was read and is no test of a rule."
        )
    return Markup(f"{said}</p>", said)


def ranked(of: Trainings, found: Influence) -> Markup:
    """Show the groups by what the margin loses, and below them the sentences, marked by a row."""
    name = f"tl-left-out-{next(NUMBERS)}"
    names = sorted(found.lost, key=lambda each: -found.lost[each].mean())
    rows = [row(each, i, name, of, found) for i, each in enumerate(names)]
    head = "".join(
        f'<th scope="col"{LEFT * (title == HEAD[0])}><b>{title}</b></th>' for title in HEAD
    )
    none = f'<label><input type="radio" name="{name}" checked>Mark no sentences</label>'
    marks = "".join(
        f".{name}:has([value='{i}']:checked) .g{i}::before{{content:'✓ '}}"
        f".{name}:has([value='{i}']:checked) .g{i}{{font-weight:700;order:-1}}"
        for i in range(len(names))
    )
    masks = [of.groups[each] for each in names]
    html = (
        f'<style>{marks}</style><div class="tl-left-out {name}">'
        '<div class="tl-box" tabindex="0" role="group" aria-label="Table">'
        f'<table class="tl-table"><caption>{caption(of, found)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"{none}{sentences(of, masks, scores(found, of.groups))}</div>"
    )
    lines = [f"{each}: {over_seeds(found.lost[each], 1)}" for each in names]
    return Markup(html, "\n".join(lines), (TABLE_STYLE, STYLE))


def row(group: str, number: int, name: str, of: Trainings, found: Influence) -> str:
    """Return the row of a group, whose name is a button that marks its sentences."""
    random = found.by_chance[group].mean(axis=1)
    reach = FAR * random.std(ddof=1)
    press = (
        f'<label><input type="radio" name="{name}" value="{number}" id="{name}-{number}" '
        f'aria-label="Mark the sentences of {escape(group)}">{escape(group)}</label>'
    )
    cells = [
        "<b>yes</b>" if group in found.counting else "no",
        over_seeds(found.lost[group], 1),
        f"{random.mean() - reach:.1f} to {random.mean() + reach:.1f}",
        str(int(of.groups[group].sum())),
    ]
    told = "".join(f'<td><label for="{name}-{number}">{cell}</label></td>' for cell in cells)
    return f"<tr><td{LEFT}>{press}</td>{told}</tr>"


def caption(of: Trainings, found: Influence) -> str:
    """Return what the table shows, and how much of it is there."""
    told, total = len(found.lost), len(of.groups)
    part = f", {told} of {total} groups so far" if told < total else ""
    return f"Influence in nats{part}. Press a group."


def sentences(of: Trainings, masks: Sequence[Mask], each: Array) -> str:
    """Return the text, each sentence once, with its score and how often it occurs."""
    texts = [" ".join(words) for words in of.sentences]
    first = {text: i for i, text in reversed([*enumerate(texts)])}
    items = "".join(
        f'<li class="{" ".join(f"g{n}" for n, mask in enumerate(masks) if mask[i])}">'
        f"{escape(text)} <small>{each[i]:.2f}{times(texts.count(text))}</small></li>"
        for text, i in sorted(first.items(), key=lambda item: (-each[item[1]], item[1]))
    )
    return f'<ul class="tl-taught" tabindex="0" aria-label="The training text">{items}</ul>'


def times(count: int) -> str:
    """Say how often a sentence occurs, where it does more than once.

    >>> times(1), times(3)
    ('', ', 3×')
    """
    return f", {count}×" if count > 1 else ""


def verdict(found: Outcome, count: int) -> Markup:
    """Show the margins of a test, in the words of needed and enough."""
    rows = {
        "the whole text": found.whole,
        f"without the {count} strongest": found.without_chosen,
        f"without {count} random ones": found.without_random.mean(axis=0),
        f"only on the {count} strongest and {count} random ones": found.on_chosen,
        f"only on {2 * count} random ones": found.on_random.mean(axis=0),
    }
    seeds = ", ".join(map(str, NEW_SEEDS))
    return table(
        {"trained": [*rows], "margin": [over_seeds(np.array(x), 1) for x in rows.values()]},
        title=f"Margins with the new seeds {seeds}",
    )
