"""A published model under the reader's own hand: any sentence, any head, and a short chat."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from typing import Any

import ipywidgets
import numpy as np

from course.published import fetch
from course.published.model import Published, Seen, answers, opened, see
from transformer_lib.plot.bars import bars
from transformer_lib.plot.head_arcs import head_arcs
from transformer_lib.plot.heat_map import heat_map
from transformer_lib.plot.markup import Markup, as_markup, escape, join
from transformer_lib.widgets.box import Box, shown_or_refused

PAIR = ("The keys to the cabinet are", "The keys to the cabinet is")
LAYERS, HEADS = 30, 9
LAYER, HEAD = 10, 8
"""Here the verb of the first sentence attends to its subject."""
MEGABYTES = fetch.SIZE // 10**6
NOT_YET = "The model is not loaded yet."
ROOM = "This browser has no room for the model, which needs about 650 MB of memory."


def published_view() -> Box:
    """Let the reader load the model, then score sentences, look at its heads and ask it."""
    one, two, question = (ipywidgets.Text(value=text) for text in (*PAIR, "What is a cabinet?"))
    one.description, two.description, question.description = "sentence", "compare with", "question"
    layer = ipywidgets.BoundedIntText(value=LAYER, min=1, max=LAYERS, description="layer")
    head = ipywidgets.BoundedIntText(value=HEAD, min=1, max=HEADS, description="head")
    silence = ipywidgets.Dropdown(options=["no head", "this head"], description="silence")
    names = (f"Load the model ({MEGABYTES} MB)", "Stop", "Remove the model", "Score", "Ask", "Stop")
    load, stop, remove, score, ask, quiet = (ipywidgets.Button(description=n) for n in names)
    state, scored, inside, said = (ipywidgets.HTML() for _ in range(4))
    state.value = f"<p>{NOT_YET}</p>"
    now: dict[str, Any] = {"model": None, "seen": None, "task": None}

    def begin(act: Callable[[], Coroutine[Any, Any, None]], tell: ipywidgets.HTML) -> None:
        """Do one thing after the other, and say why where it fails."""
        if now["task"] is not None and not now["task"].done():
            return

        async def told() -> None:
            try:
                await act()
            except asyncio.CancelledError:
                tell.value += "<p>Stopped.</p>"
            except MemoryError:
                tell.value = f'<p role="alert"><b>✗</b> {ROOM}</p>'
            except (OSError, ValueError) as error:
                tell.value = f'<p role="alert"><b>✗</b> {escape(error)}</p>'

        now["task"] = asyncio.get_running_loop().create_task(told())

    def halt(_: Any) -> None:
        if now["task"] is not None:
            now["task"].cancel()

    def progress(size: int) -> None:
        state.value = (
            f'<p>Loading: {size / 1e6:.0f} of {MEGABYTES} MB <progress aria-label="loaded" '
            f'max="{fetch.SIZE}" value="{size}"></progress></p>'
        )

    async def loaded() -> None:
        if now["model"] is None:
            progress(0)
            path = await fetch.arrive(progress)
            state.value = "<p>Opening the file: its 4-bit weights become numbers …</p>"
            await asyncio.sleep(0.05)  # the sentence is shown before the work begins
            now["model"] = opened(path)
            if sys.platform == "emscripten":
                path.unlink()
        state.value = (
            f"<p>The model is loaded. {escape(fetch.where())} What you type stays on this "
            "device. What the model says may be wrong.</p>"
        )
        await asyncio.sleep(0)
        scores()

    async def removed() -> None:
        opened.cache_clear()
        now.update(model=None, seen=None)
        await fetch.remove()
        scored.value = inside.value = said.value = ""
        state.value = "<p>The model is removed. Reload the page to free its memory, too.</p>"

    def need() -> Published:
        if now["model"] is None:
            raise ValueError(NOT_YET)
        model: Published = now["model"]
        return model

    def compared() -> Markup:
        model = need()
        without = (layer.value, head.value) if silence.value == "this head" else None
        texts = [text.value for text in (one, two) if text.value.strip()]
        found = [see(model, text, without) for text in texts]
        now["seen"] = found[0] if found else None
        return surprisals(found)

    def scores(_: Any = None) -> None:
        scored.value = shown_or_refused(compared)
        look()

    def look(_: Any = None) -> None:
        seen = now["seen"]
        inside.value = (
            ""
            if seen is None
            else shown_or_refused(lambda: anatomy(need(), seen, layer.value, head.value))
        )

    async def answered() -> None:
        text = ""
        said.value = "<p>The model reads the question …</p>"
        await asyncio.sleep(0.05)
        for text in answers(need(), question.value):
            said.value = answer_of(text)
            await asyncio.sleep(0)  # a press of Stop is heard here
        said.value = answer_of(text or "(no answer)")

    load.on_click(lambda _: begin(loaded, state))
    remove.on_click(lambda _: begin(removed, state))
    score.on_click(scores)
    ask.on_click(lambda _: begin(answered, said))
    for button in (stop, quiet):
        button.on_click(halt)
    for number in (layer, head):
        number.observe(lambda _: scores() if silence.value == "this head" else look(), "value")
    silence.observe(scores, "value")
    rows = [row(load, stop, remove), state, row(one, two, score), scored]
    rows += [row(layer, head, silence), inside, row(question, ask, quiet), said]
    return Box(rows, "a published model, live")


def row(*fields: Any) -> ipywidgets.HBox:
    """Put fields side by side as far as there is room."""
    for field in fields:
        wide = {ipywidgets.Text: "22em", ipywidgets.BoundedIntText: "8em"}.get(type(field), "auto")
        field.layout = {"width": wide}
        if not isinstance(field, ipywidgets.Button):
            field.style.description_width = "initial"
    return ipywidgets.HBox(fields, layout={"flex_flow": "row wrap"})


def surprisals(found: list[Seen]) -> Markup:
    """Show the surprisal of each word, with bars of one scale, and say which sentence has less."""
    if not found:
        raise ValueError("Type a sentence.")
    most = max(max(seen.bits) for seen in found)
    charts = [
        bars(seen.bits, seen.words, title=f"{sum(seen.bits):.1f} bits", decimals=1, limit=most)
        for seen in found
    ]
    parts: list[str | Markup] = ["<p>The surprisal of each word, −log<sub>2</sub> <i>p</i>:</p>"]
    parts += ['<div class="tl-row">', *charts, "</div>"]
    if len(found) == 2:
        totals = [sum(seen.bits) for seen in found]
        less, gap = int(np.argmin(totals)), abs(totals[0] - totals[1])
        which = ("first", "second")[less]
        parts.append(
            f"<p>The model assigns a higher probability to the {which} sentence: it needs "
            f"{gap:.1f} bits less.</p>"
        )
    return join(parts)


def anatomy(model: Published, seen: Seen, layer: int, head: int) -> Markup:
    """Show one head as arcs, what all heads give to the start token, and the next tokens."""
    weights = np.asarray(seen.weights, np.float64)
    mine = weights[layer - 1, head - 1]
    start = f"layer {layer}: {mine[-1, 0]:.0%} of the last token's weight is on the start token"
    looks = head_arcs(seen.tokens, [mine[1:, 1:]], names=[f"head {head}"], title=start)
    best = np.argsort(-seen.following)[:8]
    texts = [model.tokenizer.decode([int(i)]) for i in best]
    labels = [text.strip() or repr(text) for text in texts]
    following = bars(seen.following[best], labels, title="the next token", decimals=3, limit=1.0)
    layers, heads = weights.shape[:2]
    elsewhere = heat_map(
        1 - weights[:, :, -1, 0],
        [f"layer {i + 1}" for i in range(layers)],
        [f"{i + 1}" for i in range(heads)],
        title="weight of the last token that does not go to the start token, by layer and head",
        decimals=2,
    )
    row: list[str | Markup] = ['<div class="tl-row">', looks, following, "</div>"]
    fold = "<details><summary>All heads at once</summary>"
    return join([*row, fold, elsewhere, "</details>"])


def answer_of(text: str) -> str:
    """Show an answer with its warning, as HTML."""
    return as_markup(f"<p><b>The model</b> (may be wrong): {escape(text)}</p>")._repr_html_()
