"""A field for a reader's rules: what the published model makes of them, by construction."""

import asyncio
from collections.abc import Sequence

import ipywidgets

from course.asked import Asked
from course.fields import FIELDS, Doing, button, row
from course.languages.own import OwnLanguage
from course.published.from_rules import Twins, twins
from course.published.model import loaded
from course.published.rules_margins import margins, results, shown
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.widgets.box import Box

RULES = """
n = sg pl
m = sg pl
S -> "The" N[n] Between V[n]!
Between -> | near the A[m] | that the A[m] P[m]
N[sg] -> author | student | pilot | teacher | judge
N[pl] -> authors | students | pilots | teachers | judges
A[sg] -> girl
A[pl] -> girls
P[sg] -> likes
P[pl] -> like
V[sg] -> is
V[pl] -> are
""".strip()
NAME = "rules of English words, with ! at the word that is tested"
PRESS = "Test the rules"
MOST = (10, 20, 40, 80)
"""How many pairs a press tests; a pair is two beginnings, each computed with up to two words."""
BAR = '<progress aria-label="pairs done" max="{}" value="{}"></progress>'
ALSO = ", and so was {}"
NOTE = "SmolLM2-135M-Instruct, once the page has loaded it."


def rules_view() -> Box:
    """Let the reader test the published model with rules, and stop it with what is done so far."""
    return _View().box


class _View:
    """The fields, the rules as they were last read, their pairs, and the margins found so far."""

    def __init__(self) -> None:
        self.read: str | None = None
        self.pairs: list[Twins] = []
        self.found: list[Sequence[float]] = []
        self.doing = Doing()
        self.bar, self.told, self.result = (ipywidgets.HTML() for _ in range(3))
        self.bar.add_class("tl-quiet")
        self.result.add_class("tl-result")
        layout = {"width": "min(46em, 100% - 4px)"}
        self.rules = ipywidgets.Textarea(value=RULES, description=NAME, rows=13, layout=layout)
        self.rules.add_class("tl-sentence")
        self.most = ipywidgets.Dropdown(options=MOST, value=MOST[1], description="pairs at most")
        self.asked = Asked([self.rules, self.most], PRESS)
        test = button(PRESS, lambda: self.doing.begin(self.test, self.told))
        press = row(self.most, test, button("Stop", self.doing.stop))
        rows = [ipywidgets.HTML(FIELDS), self.rules, press]
        rows += [self.asked, self.bar, self.told, self.result]
        self.box = Box(rows, "rules for a model, live", note=NOTE, before=Markup("", ""))

    async def test(self) -> None:
        """Go on with the pairs of the rules that are missing, and show the table as it grows."""
        self.asked.begin()
        self.told.value = ""
        await asyncio.sleep(0.05)  # "Computing" is shown before the work begins
        try:
            self.look(self.rules.value)
            await self.compute(min(self.most.value, len(self.pairs)))
        finally:
            self.bar.value = ""
            self.asked.compare()

    def look(self, text: str) -> None:
        """Find the pairs of rules that have changed since."""
        if self.read != text:
            self.read, self.pairs, self.found, self.result.value = None, [], [], ""
            self.pairs = twins(OwnLanguage(text))
            self.read = text

    async def compute(self, count: int) -> None:
        """Compute margins until there are this many, and say what was compared."""
        model = loaded()
        self.paint(count)
        while len(self.found) < count:
            self.found.append(margins(model, self.pairs[len(self.found)]))
            self.bar.value = BAR.format(count, len(self.found))
            self.paint(count)
            await asyncio.sleep(0)  # a press of Stop is heard here
        self.told.value = (
            f"<p>{said(self.pairs[0])} Tested: {count} of {len(self.pairs)} pairs.</p>"
        )

    def paint(self, count: int) -> None:
        """Show the table of the first pairs, as far as they are done."""
        if done := self.found[:count]:
            self.result.value = shown(results(self.pairs, done))._repr_html_()


def said(pair: Twins) -> str:
    """Say one of the pairs in words, as HTML."""
    first, *second = (f"<i>{escape(word)}</i>" for word in pair.words if word)
    after = " and after ".join(f"<i>{escape(text)}</i>" for text in pair.beginnings)
    return f"For example, {first} was compared after {after}{''.join(map(ALSO.format, second))}."
