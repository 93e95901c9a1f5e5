"""A grid of layers by words for the reader's own two sentences: where is the difference carried?"""

import asyncio
from typing import Any

import ipywidgets

from course.asked import Asked
from course.fields import FIELDS, Doing, button, row, sentence
from course.published import pair, picker
from course.published.model import loaded
from course.published.pair import Pair
from course.published.pair_words import KINDS, Filled, Kind, columns, shown
from transformer_lib.plot.markup import Markup, join
from transformer_lib.widgets.box import Box

SENTENCES = ("The key to the cabinet", "The keys to the cabinet", "The door to the cabinet")
NAMES = (
    "first of the pair",
    "second of the pair, with the difference",
    "third sentence, with another noun (the null)",
)
VERBS = ("is", "are")
GRID = "tl-grid"
STYLE = """
.tl-grid-box { max-width: 100%; overflow: auto; position: relative; margin-right: 1rem; }
.tl-grid-box > * { flex: none; }
.tl-grid { width: auto; max-height: none; overflow: visible; }
.tl-grid-words {
  display: grid; grid-template-columns: repeat(COLUMNS, WIDTH); gap: 1px; padding-left: 1.8rem;
  font-size: 0.75rem; line-height: 1.3; text-align: center;
}
.tl-grid-words > span { overflow: hidden; text-overflow: ellipsis; }
.tl-grid-words > .tl-differs { font-weight: 700; text-decoration: underline; }
@media (max-width: 600px) {
  .tl-grid-box { max-height: 26rem; }
  .tl-grid-head {
    position: sticky; top: 0; z-index: 1;
    background: var(--pst-color-background, var(--jp-layout-color0, Canvas));
  }
  .tl-grid-words > span {
    writing-mode: vertical-rl; transform: rotate(180deg); justify-self: center; max-height: 6rem;
  }
}
"""
PRESS = "<p>A row is a layer, from 1 at the top. Press a cell to read it in words.</p>"
EMPTY = "<p>This row is not filled yet.</p>"
BAR = '<progress aria-label="layers done" max="{}" value="{}"></progress>'
NOTE = "SmolLM2-135M-Instruct, 30 layers, once the page has loaded it."


def pair_view() -> Box:
    """Let the reader put one sentence into another, place by place, and read the model early."""
    return _View().box


class _View:
    """The fields, the sentences as they were last read, and the grids that were filled for them."""

    def __init__(self) -> None:
        self.read: tuple[list[str], Pair] | None = None
        self.grids: dict[str, Filled] = {}
        self.doing = Doing()
        self.bar, self.told, self.words, self.cell = (ipywidgets.HTML() for _ in range(4))
        self.bar.add_class("tl-quiet")
        rows = [ipywidgets.HTML(FIELDS), *self._fields(), self.bar, self.told, self._grid()]
        self.box = Box(rows, "a grid of layers by words, live", note=NOTE, before=Markup("", ""))

    def _fields(self) -> list[Any]:
        self.texts = [sentence(*each) for each in zip(NAMES, SENTENCES, strict=True)]
        self.verbs = [
            ipywidgets.Text(value=verb, description=f"{which} next word")
            for which, verb in zip(pair.ORDINALS, VERBS, strict=False)
        ]
        self.kind = ipywidgets.Dropdown(options=[*KINDS], description="grid")
        self.kind.observe(lambda _: self.switch(), "value")
        self.asked = Asked([*self.texts, *self.verbs], "Fill the grid")
        verbs = row(*self.verbs)
        for verb in self.verbs:
            verb.layout.width = "16em"
        fill = button("Fill the grid", lambda: self.doing.begin(self.fill, self.told))
        press = row(self.kind, fill, button("Stop", self.doing.stop))
        return [*self.texts, verbs, press, self.asked]

    def _grid(self) -> ipywidgets.HBox:
        self.cells = ipywidgets.ToggleButtons(options=[("no grid yet", None)], value=None)
        self.cells.add_class(GRID)
        self.cells.observe(lambda _: self.say(), "value")
        self.words.add_class("tl-grid-head")
        grid = ipywidgets.VBox([self.words, self.cells])
        grid.add_class("tl-grid-box")
        grid.add_class("tl-result")
        self.cell.layout.flex = "1 1 16rem"
        self.all = ipywidgets.HBox([grid, self.cell], layout={"display": "none"})
        self.all.layout.flex_flow = "row wrap"
        return self.all

    @property
    def chosen(self) -> Kind:
        """The grid that the reader has chosen."""
        return KINDS[self.kind.value]

    async def fill(self) -> None:
        """Compute the rows of the chosen grid that are missing, and show each as it comes."""
        self.asked.begin()
        self.told.value = ""
        await asyncio.sleep(0.05)  # "Computing" is shown before the work begins
        try:
            self.offer(self.sentences(self.chosen))
            await self.rows(self.sentences(self.chosen), self.chosen)
        finally:
            self.bar.value = ""
            self.asked.compare()

    def sentences(self, kind: Kind) -> Pair:
        """Return the sentences that a grid needs, read anew if a field has changed."""
        texts, verbs = ([field.value for field in fields] for fields in (self.texts, self.verbs))
        typed = texts[: 2 + bool(texts[2].strip())]
        if kind.source >= len(typed):
            raise ValueError("The null needs a third sentence, without the difference.")
        if self.read is None or self.read[0] != typed + verbs:
            self.grids, self.read = {}, None
            self.read = typed + verbs, pair.read(loaded(), typed, (verbs[0], verbs[1]))
        return self.read[1]

    def offer(self, of: Pair) -> None:
        """Give the grid a button for each layer and token."""
        options = [
            (f"after layer {layer}, word {place}, {token}", (layer, place))
            for layer in range(1, of.model.config.layers + 1)
            for place, token in enumerate(of.tokens, 1)
        ]
        if tuple(options) != tuple(self.cells.options):
            self.cells.options, self.cells.value = options, None

    async def rows(self, of: Pair, kind: Kind) -> None:
        """Go on with a grid at its first row that is missing."""
        found, layers = self.grids.setdefault(kind.name, []), of.model.config.layers
        self.all.layout.display = "flex"
        self.paint()
        while len(found) < layers:
            found.append(kind.row(of, len(found) + 1))
            self.bar.value = BAR.format(layers, len(found))
            self.paint()
            await asyncio.sleep(0)  # a press of Stop or of a cell is heard here
        self.told.value = f"<p>{kind.told(of, found)}</p>"

    def switch(self) -> None:
        """Show the grid of another kind, as far as it was filled."""
        self.told.value = ""
        self.paint()

    def paint(self) -> None:
        """Write what is known of the chosen grid into its buttons, and say the chosen cell."""
        if self.read is None:
            return
        of, kind, count = self.read[1], self.chosen, len(self.read[1].tokens)
        cells = [cell for found in self.grids.get(kind.name, []) for cell in shown(found)]
        own = STYLE.replace("COLUMNS", str(count)).replace("WIDTH", kind.width)
        style = picker.style(GRID, count, kind.width) + own + picker.filled(GRID, cells)
        self.words.value = f"<style>{style}</style>{columns(of, kind.source)}"
        self.say()

    def say(self) -> None:
        """Say the chosen cell in words, and what the heads of its layer do."""
        found = self.grids.get(self.chosen.name, [])
        if self.read is None or self.cells.value is None:
            self.cell.value = PRESS
        elif self.cells.value[0] > len(found):
            self.cell.value = EMPTY
        else:
            layer, place = self.cells.value
            said = join(self.chosen.said(self.read[1], found[layer - 1], layer, place))
            if said._repr_html_() != self.cell.value:
                self.cell.value = said._repr_html_()
