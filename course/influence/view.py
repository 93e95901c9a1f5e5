"""The reader names a pair, trains without each group, marks sentences, and tests the strongest."""

import asyncio
import sys
from collections.abc import Sequence

import ipywidgets
import numpy as np

from course.fields import FIELDS, Doing, button, row, sentence
from course.influence.pair import Pair, pair_of
from course.influence.shown import answer, verdict
from course.influence.tested import STRONGEST, Trial, scores, strongest
from course.influence.trainings import Trainings
from course.influence.without import SEEDS
from course.small_decoder import Array
from transformer_lib.plot.markup import Markup
from transformer_lib.widgets.box import Box, shown_or_refused

SHORTEST, LONGEST = 40, 400
"""Sentences of a text that a reader pastes."""
KEPT = "All above is still about the text before."
TRAIN = "Train without each group"
NOTE = "A few hundred trainings in your browser, of a fraction of a second each."
BAR = '<p>{} of {} trainings <progress aria-label="trained" max="{}" value="{}"></p>'


def influence_view(of: Trainings, pair: Sequence[str], *, caption: str) -> Box:
    """Let the reader train without each group of sentences, and ask the models about any pair.

    Where a notebook is executed, the view begins with all models, and in a page with none.

    Args:
        of: the trainings of a text, which keep the models.
        pair: a possible sentence, and one that differs in one word and is impossible.
        caption: what to change and what to notice, in inline HTML.
    """
    return _View(of, pair, caption).box


class _View:
    """The fields, the trainings of the text, and what goes on."""

    def __init__(self, of: Trainings, pair: Sequence[str], caption: str) -> None:
        self.of, self.doing = of, Doing()
        self.trial: Trial | None = None
        self.said, self.found, self.testing, self.tested, self.read = (
            ipywidgets.HTML() for _ in range(5)
        )
        self.said.add_class("tl-quiet")
        self.testing.add_class("tl-quiet")
        about = ipywidgets.HTML(f"{FIELDS}<p>{caption}</p>")
        rows = [about, *self._pair(pair), self.said, self.found, *self._test(), *self._text()]
        if sys.platform != "emscripten":
            for _ in self.of.train():
                pass
        self.count()
        self.look()
        shown = Markup(f"<p>{caption}</p>{self.found.value}", "")
        self.box = Box(rows, "influence, live", note=NOTE, before=shown, press=TRAIN)

    def _pair(self, pair: Sequence[str]) -> list[ipywidgets.Widget]:
        names = ("possible sentence", "impossible sentence")
        self.pair = [sentence(*each) for each in zip(names, pair, strict=True)]
        for field in self.pair:
            field.continuous_update = False
            field.observe(self.look, "value")
        begin = button(TRAIN, lambda: self.doing.begin(self.train, self.said))
        return [*self.pair, row(begin, button("Stop", self.doing.stop))]

    def _test(self) -> list[ipywidgets.Widget]:
        self.strongest = ipywidgets.Dropdown(options=[*STRONGEST], description="how many sentences")
        test = button("Test the strongest", lambda: self.doing.begin(self.test, self.testing))
        return [row(self.strongest, test), self.testing, self.tested]

    def _text(self) -> list[ipywidgets.Widget]:
        self.text = ipywidgets.Textarea(description="training text, a sentence per line", rows=4)
        self.text.value = "\n".join(" ".join(words) for words in self.of.sentences)
        self.text.layout = {"width": "min(46em, 100% - 4px)"}
        self.text.add_class("tl-sentence")
        use = button("Train on this text", lambda: self.doing.begin(self.use, self.read))
        return [self.text, row(use, button("Stop", self.doing.stop)), self.read]

    def asked(self) -> Pair:
        """Return the pair that the fields hold, or raise ValueError."""
        return pair_of(self.of.language, *(field.value for field in self.pair))

    def count(self) -> None:
        """Show how many trainings are done."""
        done, total = self.of.done, self.of.total
        self.said.value = BAR.format(done, total, total, done)

    def look(self, changed: object = None) -> None:
        """Answer for the pair as far as there are models; a test was of the pair before."""
        if changed is not None:
            self.testing.value = self.tested.value = ""
            self.trial = None
        begun = self.of.done >= len(SEEDS)
        self.found.value = shown_or_refused(self._answer) if begun else ""

    def _answer(self) -> Markup:
        return answer(self.of, self.asked())

    def scored(self, pair: Pair) -> Array:
        """Return the scores of the sentences, or say why there are none to test."""
        if len(self.of.ready) < len(self.of.groups):
            raise ValueError(f"Press '{TRAIN}' first: not every group is trained.")
        found = self.of.influence(pair)
        if not (found.learned and found.counting):
            raise ValueError("No group counts for this pair, so no sentence is strongest.")
        is_asked = np.array([words == pair.sentence for words in self.of.sentences])
        return np.where(is_asked, -np.inf, scores(found, self.of.groups))  # no test of itself

    async def train(self) -> None:
        """Train what is not trained yet, and show each group as soon as it can be compared."""
        told = -1
        for _ in self.of.train():
            self.count()
            if self.of.done >= len(SEEDS) and len(self.of.ready) > told:
                told = len(self.of.ready)
                self.look()
            await asyncio.sleep(0)  # a press of Stop is heard here

    async def use(self) -> None:
        """Begin anew with the text that the reader has put in."""
        self.read.value, lines = "", self.lines()
        self.of = Trainings(self.of.language, lines)
        self.count()
        self.look("a new text")
        await self.train()
        self.read.value = f"<p>All above is now about this text of {len(lines)} sentences.</p>"

    def lines(self) -> list[list[str]]:
        """Return the sentences of the text field, or say in which line the first fault is."""
        lines = [line.split() for line in self.text.value.splitlines() if line.strip()]
        if not SHORTEST <= len(lines) <= LONGEST:
            raise ValueError(
                f"A text must have {SHORTEST} to {LONGEST} lines, got {len(lines)}. {KEPT}"
            )
        for number, words in enumerate(lines, 1):
            if self.of.language.log_probability(words) == -np.inf:
                raise ValueError(f"Line {number}: no rule makes {' '.join(words)!r}. {KEPT}")
        return lines

    async def test(self) -> None:
        """Test the strongest sentences with new seeds: needed, and enough."""
        pair, count = self.asked(), self.strongest.value
        self.trial = trial = Trial(self.of, pair, strongest(self.scored(pair), count))
        for done in trial.run():
            if self.trial is not trial:
                return  # another pair is asked now
            self.testing.value = BAR.format(done, trial.total, trial.total, done)
            await asyncio.sleep(0)
        self.tested.value = verdict(trial.outcome(), count)._repr_html_()
