"""One picture of a sentence on its way through a decoder, from its words to the next word."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from transformer_lib.plot import flow_controls as controls, flow_marks as draw
from transformer_lib.plot.flow_marks import SHOWN, Seen
from transformer_lib.plot.markup import Markup, escape, plain
from transformer_lib.plot.numbers import fixed

STAGES = ("Words", "Vectors", "Attention", "Stream", "Next word")
LIKELY = 0.05  # a verb below it does not end the sentence


def flow(
    ids: Sequence[int],
    tokens: Sequence[str],
    steps: Mapping[str, Any],
    early: Any,
    *,
    verbs: Sequence[str] = (),
    head: tuple[int, int] = (0, 0),
    links: Sequence[str] = ("",) * 5,
    examples: Sequence[str] = (),
    still: bool = False,
) -> Markup:
    """Draw a sentence, its vectors, one head of attention, the stream and the next words.

    The picture is complete without a script; a page that loads assets/flow/flow.js can change it.

    Args:
        ids: the ids of the sentence, including the start token.
        tokens: the vocabulary.
        steps: what `transformer_lib.trace` returned for these ids.
        early: the probabilities of all tokens after the last word, (2 layers + 1, vocabulary): at
            the start of the stream and after each part. The last row is the model's prediction.
        verbs: the likeliest of these tokens ends the headline; if empty, the likeliest of all.
        head: the layer and the head that are drawn large, both counted from 0.
        links: the links of the titles of the five stages.
        examples: sentences, each with a button that enters it.
        still: whether the picture has no script, so that all of it is open and no button works.

    Raises:
        ValueError: early does not have one row for each point and one column for each token, or
            the vocabulary has fewer tokens than the picture shows.
    """
    kept = {name: np.asarray(array, dtype=np.float64) for name, array in steps.items()}
    seen = Seen(list(map(int, ids)), tokens, kept, np.asarray(early, dtype=np.float64), *head)
    layers = sum(name.endswith("self_attention.weights") for name in kept)
    if seen.early.shape != (2 * layers + 1, len(tokens)):
        raise ValueError(f"early must be {(2 * layers + 1, len(tokens))}, got {seen.early.shape}")
    if len(tokens) < SHOWN:
        raise ValueError(f"tokens must be {SHOWN} or more, got {len(tokens)}")
    next_id, says = _likeliest(seen, verbs), _said(seen, verbs)
    pictures = (_words(seen), _svg(220, draw.vectors(seen)), _svg(352, draw.attention(seen)),
                _svg(318, draw.stream(seen)), _next(seen, next_id))  # fmt: skip
    parts = zip(range(1, 6), links, _notes(seen, layers), pictures, controls.feet(), strict=True)
    stages = "".join(_stage(*each) for each in parts)
    kind = ' flow-still" data-open="2 3 4 5' if still else '" id="flow-root'
    html = (
        f'<div class="tl-flow{kind}" data-head="{head[0]},{head[1]}">'
        f"{_headline(seen, next_id, verbs)}"
        f'{controls.sentence(says)}<div class="flow-unseen">{_tables(seen)}</div>'
        f'<div class="flow-stages">{stages}</div>{controls.picks(examples)}'
        f"{'' if still else controls.share()}</div>"
    )
    if still:
        html = html.replace("<button", "<button disabled")
    return Markup(html, _text(seen, says))


def _likeliest(seen: Seen, verbs: Sequence[str]) -> int:
    """Return the token that ends the headline: a verb where one is likely."""
    shares = seen.early[-1]
    likely = [i for i in seen.first if seen.tokens[i] in verbs and shares[i] >= LIKELY]
    return (likely or seen.first)[0]


def _headline(seen: Seen, next_id: int, verbs: Sequence[str]) -> str:
    word, share = seen.tokens[next_id], fixed(seen.early[-1, next_id], 2)
    kind = "likeliest verb" if word in verbs else "likeliest"
    return (
        f'<p class="flow-headline"><span id="flow-sentence" spellcheck="false">'
        f'{escape(" ".join(seen.words[1:]))}</span> <button type="button" id="flow-verb" '
        f'title="Write it"><b>{escape(word)}</b> <small>{kind} {share}</small></button></p>'
    )


def _stage(number: int, link: str, note: str, picture: str, foot: str) -> str:
    name = STAGES[number - 1]
    title = f'<a href="{escape(link)}">{name}</a>' if link else name
    return (
        f'<section class="flow-stage" id="flow-stage-{number}" data-stage="{number}" '
        f'aria-labelledby="flow-title-{number}"><div class="flow-head">'
        f'<h2 id="flow-title-{number}"><span>{number}</span> {title}</h2>{note}</div>'
        f'<div class="flow-picture" data-stage="{number}">{picture}</div>'
        f'<div class="flow-foot">{foot}</div></section>'
    )


def _notes(seen: Seen, layers: int) -> tuple[str, ...]:
    """Say below each title what the stage does; attention shows its heads there."""
    width, last = seen.steps["embedding.tokens"].shape[1], escape(seen.words[-1])
    heads = "".join(_heads(seen, layer) for layer in range(layers))
    count = heads.count("<button") // layers
    parts = "".join(
        f'<span style="left:{100 * x / 318:.1f}%">{name}</span>'
        for x, name in zip(draw.points(seen), _parts(layers), strict=True)
    )
    return (
        "<p>Each word’s numbers run along a line.</p>",
        f"<p>{width} learned numbers for the word, {width} for its position.</p>"
        '<p class="flow-columns"><span style="left:2%">word</span>'
        '<span style="left:53%">+ position</span></p>',
        f"<p>Only here do lines meet. The model has {layers} layer{'s' * (layers > 1)} of {count} "
        "heads; a head weighs which words a line reads from.</p>"
        f"{controls.changes(_name(seen.layer, seen.head))}"
        f'<div class="flow-heads" id="flow-heads">{heads}</div>',
        "<p>Each part adds to the line. A ribbon is a word’s probability if the model "
        "stopped there.</p>"
        f'<p class="flow-columns flow-parts">{parts}</p>',
        f'<p id="flow-after">The probability of each word after <i>{last}</i>. The headline has '
        "the likeliest verb.</p>",
    )


def _parts(layers: int) -> list[str]:
    both = (f"layer {i + 1}<br>{part}" for i in range(layers) for part in ("attention", "feed"))
    return ["start", *both]


def _heads(seen: Seen, layer: int) -> str:
    count = len(seen.steps[f"decoder.layers.{layer}.self_attention.weights"])
    buttons = "".join(
        f'<button type="button" data-head="{layer},{head}" aria-pressed='
        f'"{str((layer, head) == (seen.layer, seen.head)).lower()}" '
        f'aria-label="{_name(layer, head)}">{draw.small(seen, layer, head)}{head + 1}</button>'
        for head in range(count)
    )
    # Who listens has heard it with each head.
    return f'<div><div>{buttons}</div><span aria-hidden="true">layer {layer + 1}</span></div>'


def _name(layer: int, head: int) -> str:
    return f"head {head + 1} of layer {layer + 1}"


def _svg(width: int, body: str) -> str:
    size = f'viewBox="0 0 {width} {draw.HEIGHT}" preserveAspectRatio="none"'
    return f'<svg {size} aria-hidden="true">{body}</svg>'


def _words(seen: Seen) -> str:
    rows = zip(seen.words, seen.ids, strict=True)
    items = "".join(f"<li><span>{escape(word)}</span><small>{i}</small></li>" for word, i in rows)
    return f'<ol class="flow-words">{items}</ol>'


def _next(seen: Seen, next_id: int) -> str:
    shares, names = _next_words(seen)
    kinds = [' class="flow-best"' if i == next_id else "" for i in seen.first] + [""]
    items = "".join(
        f"<li{kinds[row]}>"
        f'<span><i style="width:{100 * share / max(shares[:SHOWN]):.1f}%"></i>'
        f"<b>{escape(name)}</b></span><small>{fixed(share, 2)}</small></li>"
        for row, (name, share) in enumerate(zip(names, shares, strict=True))
    )
    return f'<ol class="flow-bars">{items}</ol>'


def _next_words(seen: Seen) -> tuple[list[float], list[str]]:
    first = [float(seen.early[-1, i]) for i in seen.first]
    names = [seen.tokens[i] for i in seen.first]
    return [*first, max(0.0, 1 - sum(first))], [*names, f"{len(seen.tokens) - SHOWN} others"]


def _said(seen: Seen, verbs: Sequence[str]) -> str:
    """Say in inline HTML where the head looks, and what comes next."""
    weights = seen.of_head("weights", seen.layer, seen.head)[-1]
    most, word = int(weights.argmax()), seen.tokens[_likeliest(seen, verbs)]
    last, source = escape(seen.words[-1]), escape(seen.words[most])
    best = "the verbs" if word in verbs else "all tokens"
    return (
        f"In {_name(seen.layer, seen.head)}, <i>{last}</i> puts "
        f"{fixed(weights[most], 2)} of its attention on <i>{source}</i>, so the arc adds what "
        f"<i>{source}</i> holds to the numbers of <i>{last}</i>. The next word comes from the last "
        f"line: of {best}, <i>{escape(word)}</i> is the likeliest."
    )


def _tables(seen: Seen) -> str:
    """Write the weights of the last word in the large head, and the next words, as tables."""
    weights = seen.of_head("weights", seen.layer, seen.head)[-1]
    shares, names = _next_words(seen)
    kinds = [
        (f"Weights of {seen.words[-1]} in {_name(seen.layer, seen.head)}", seen.words, weights),
        ("Probabilities of the next word", names, shares),
    ]
    return "".join(
        f"<table><caption>{escape(title)}</caption>"
        + "".join(
            f'<tr><th scope="row">{escape(name)}</th><td>{fixed(value, 3)}</td></tr>'
            for name, value in zip(labels, values, strict=True)
        )
        + "</table>"
        for title, labels, values in kinds
    )


def _text(seen: Seen, says: str) -> str:
    shares, names = _next_words(seen)
    bars = ", ".join(f"{n} {fixed(s, 3)}" for n, s in zip(names, shares, strict=True))
    return f"{' '.join(seen.words[1:])} …\n{plain(says)}\nnext: {bars}"
