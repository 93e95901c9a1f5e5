"""A published model under the reader's own hand: any sentence, any head, and a short chat."""

import asyncio
import sys
from typing import Any

import ipywidgets
import numpy as np

from course.asked import Asked
from course.fields import FIELDS, Doing, button, row, sentence
from course.published import fetch, picker
from course.published.model import Part, Published, Seen, answers, opened, see, shorten
from transformer_lib.model.configuration import Configuration
from transformer_lib.plot.bars import bars
from transformer_lib.plot.head_arcs import head_arcs
from transformer_lib.plot.markup import Markup, escape, join
from transformer_lib.widgets.box import Box, shown_or_refused

PAIR = ("The keys to the cabinet are", "The keys to the cabinet is")
FINDER = (10, 8)
"""The layer and the head in which the verb of the first sentence attends to its subject."""
MEGABYTES = fetch.SIZE // 10**6
LOAD = f"Load a real model ({MEGABYTES} MB)"
NOT_YET = "The model is not loaded yet."
NOTE = (
    "SmolLM2-135M-Instruct, 30 layers. Your browser keeps the file if it can. "
    "What you type stays on your device."
)
SILENT = ("no head", "this head", "this layer")
PICK = "tl-pick"
"""The class of the buttons of the heads."""


def published_view() -> Box:
    """Let the reader load the model, then score sentences, look at its heads and ask it."""
    return _View().box


class _View:
    """The fields, the model once it is loaded, and what it computed for the first sentence."""

    def __init__(self) -> None:
        self.model: Published | None = None
        self.seen: Seen | None = None
        self.doing = Doing()
        self.state, self.scored, self.inside, self.said = (ipywidgets.HTML() for _ in range(4))
        self.state.value = f"<p>{NOT_YET}</p>"
        self.inside.layout.flex = "1 1 18rem"
        self.scored.add_class("tl-result")
        rows = [ipywidgets.HTML(FIELDS), self._loading(), self.state]
        rows += [*self._sentences(), self.compared, self.scored]
        rows += [ipywidgets.HBox([self.inside, self._heads()], layout={"flex_flow": "row wrap"})]
        rows += [*self._chat(), self.asked, self.said]
        self.box = Box(
            rows, "a published model, live", note=NOTE, before=Markup("", ""), press=LOAD
        )

    def _loading(self) -> ipywidgets.HBox:
        load = button(LOAD, lambda: self.doing.begin(self.load, self.state))
        remove = button("Remove the model", lambda: self.doing.begin(self.remove, self.state))
        return row(load, button("Stop", self.doing.stop), remove)

    def _sentences(self) -> list[Any]:
        self.texts = [
            sentence(name, text)
            for name, text in zip(("first sentence", "second sentence"), PAIR, strict=True)
        ]
        self.compared = Asked(self.texts, "Score")
        return [*self.texts, row(button("Score", self.score))]

    def _heads(self) -> ipywidgets.VBox:
        self.shades = ipywidgets.HTML()
        self.heads = ipywidgets.ToggleButtons(options=[("layer 10, head 8", FINDER)])
        self.heads.add_class(PICK)
        self.heads.observe(lambda _: self.score() if self.silent else self.look(), "value")
        self.silence = ipywidgets.Dropdown(options=[*SILENT], description="silence")
        self.silence.observe(lambda _: self.score(), "value")
        fields = [self.shades, self.heads, row(self.silence)]
        self.map = ipywidgets.VBox(fields, layout={"display": "none", "flex": "0 1 22rem"})
        return self.map

    def _chat(self) -> list[Any]:
        self.question = sentence("question", "What is a cabinet?")
        self.asked = Asked([self.question], "Ask")
        ask = button("Ask", lambda: self.doing.begin(self.answer, self.said))
        return [self.question, row(ask, button("Stop", self.doing.stop))]

    @property
    def silent(self) -> Part | None:
        """The layer and the head that the reader silences, or the whole layer, if any."""
        layer, head = self.heads.value
        return {"this head": (layer, head), "this layer": (layer, None)}.get(self.silence.value)

    def need(self) -> Published:
        """Return the model, or raise ValueError where it is not loaded."""
        if self.model is None:
            raise ValueError(NOT_YET)
        return self.model

    async def load(self) -> None:
        """Fetch and open the model, and score the sentences."""
        if self.model is None:
            self.arrived(0)
            path = await fetch.arrive(self.arrived)
            self.state.value = "<p>Opening the file: its 4-bit weights become numbers …</p>"
            await asyncio.sleep(0.05)  # the sentence is shown before the work begins
            self.model = opened(path)
            self.offer(self.model.config)
            if sys.platform == "emscripten":
                shorten(path)  # the browser keeps the pieces
        self.state.value = (
            f"<p>The model is loaded. {escape(fetch.where())} What you type stays on this "
            "device. What the model says may be wrong.</p>"
        )
        await asyncio.sleep(0)
        self.score()

    def offer(self, config: Configuration) -> None:
        """Let the reader pick any head of the model; the first choice is the finder."""
        every = [(n + 1, h + 1) for n in range(config.layers) for h in range(config.heads)]
        options = [(f"layer {n}, head {h}", (n, h)) for n, h in every]
        self.heads.options = options
        self.heads.value = FINDER

    def arrived(self, size: int) -> None:
        """Show how many bytes are there."""
        self.state.value = (
            f'<p>Loading: {size / 1e6:.0f} of {MEGABYTES} MB <progress aria-label="loaded" '
            f'max="{fetch.SIZE}" value="{size}"></progress></p>'
        )

    async def remove(self) -> None:
        """Forget the model and delete its file."""
        opened.cache_clear()
        self.model = self.seen = None
        removed = await fetch.remove()
        self.scored.value = self.inside.value = self.said.value = ""
        self.compared.forget()
        self.asked.forget()
        self.map.layout.display = "none"
        self.state.value = (
            f"<p>{escape(removed)} To free its memory, too, reload the page or restart the "
            "kernel.</p>"
        )

    def score(self) -> None:
        """Compute both sentences, and show their words and the first one's head."""
        self.compared.begin()
        self.scored.value = shown_or_refused(self._compared)
        self.look()
        self.compared.compare()

    def _compared(self) -> Markup:
        self.seen = None
        model, texts = self.need(), [text.value for text in self.texts if text.value.strip()]
        found = [see(model, text, self.silent) for text in texts]
        self.seen = found[0] if found else None
        return surprisals(found)

    def look(self) -> None:
        """Show the head that the reader chose, of the sentence as it was last computed."""
        model, seen = self.model, self.seen
        self.map.layout.display = "none" if seen is None else "flex"
        if model is None or seen is None:
            self.inside.value = ""
            return
        self.inside.value = anatomy(model, seen, *self.heads.value)._repr_html_()
        self.shades.value = shades(np.asarray(seen.weights, np.float64))

    async def answer(self) -> None:
        """Write the answer to the question, token by token."""
        text = "(no answer)"
        self.asked.begin()
        self.said.value = "<p>The model reads the question …</p>"
        try:
            await asyncio.sleep(0.05)
            for text in answers(self.need(), self.question.value, without=self.silent):
                self.said.value = answer_of(text)
                await asyncio.sleep(0)  # a press of Stop is heard here
            self.said.value = answer_of(text)
        finally:
            self.asked.compare()


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
    parts += ['<div class="tl-row" style="align-items: flex-start">', *charts, "</div>"]
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
    """Show one head as arcs, and the next tokens as bars."""
    weights = np.asarray(seen.weights, np.float64)
    mine = weights[layer - 1, head - 1]
    start = (
        f"layer {layer}, head {head}: {mine[-1, 0]:.0%} of the last token's weight is on the start"
    )
    looks = head_arcs(seen.tokens, [mine[1:, 1:]], names=[f"head {head}"], title=start)
    best = np.argsort(-seen.following)[:8]
    texts = [model.tokenizer.decode([int(i)]) for i in best]
    labels = [text.strip() or repr(text) for text in texts]
    following = bars(seen.following[best], labels, title="the next token", decimals=3, limit=1.0)
    return join(['<div class="tl-row">', looks, following, "</div>"])


def shades(weights: Any) -> str:
    """Style the picker as a map: how much of the last token's weight is not on the start."""
    percent = np.round(100 * (1 - weights[:, :, -1, 0])).astype(int)
    map_ = picker.style(PICK, weights.shape[1])
    each = picker.filled(PICK, ((str(value), value) for value in percent.flat))
    return (
        f"<style>{map_}{each}</style><p><b>All heads.</b> A "
        "row is a layer, layers and heads count from 1, and a number is the share of the last "
        "token&rsquo;s weight, in percent, that does not go to the start token. Press a number to "
        "see the arcs of its head.</p>"
    )


def answer_of(text: str) -> str:
    """Show an answer with its warning, as HTML."""
    return f"<p><b>The model</b> (may be wrong): {escape(text)}</p>"
