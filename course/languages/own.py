"""A language of a reader's own: typed rules, what the chapters ask of a language, and a judge."""

from collections.abc import Sequence
from pathlib import Path
from typing import Self

from course.languages import bounds
from course.languages.grammar import Grammar
from course.languages.notation import MARK, read
from course.languages.parser import Parser
from course.languages.refusals import says
from course.languages.rules import WrongRule
from transformer_lib.model.vocabulary import Vocabulary


class OwnLanguage(Grammar):
    """The language of typed rules, in the notation of `course.languages.notation`.

    Args:
        text: the rules. A symbol marked with ! is the place that matters: the first words of its
            other feature values are wrong there. The last mark of a sentence counts.

    Raises:
        ValueError: the rules do not follow the notation or its bounds; the error names the line.

    >>> rules = "n = sg pl | S -> the N[n] V[n]! | N[sg] -> cat | N[pl] -> cats"
    >>> rules += " | V[sg] -> sleeps | V[pl] -> sleep"
    >>> language = OwnLanguage(rules.replace(" | ", chr(10)))
    >>> language.judge("the cats sleep".split())
    (2, ['sleep'], ['sleeps'])
    """

    def __init__(self, text: str) -> None:
        self.text, written = text, read(text)
        try:
            super().__init__(written.rules, start=written.start)
            bounds.check(self)
            self.forms = {name: self._forms(name) for name in self.rules if name.endswith(MARK)}
        except WrongRule as error:
            raise written.lines[error.symbol].refused(str(error)) from None
        self.vocabulary = Vocabulary(self.words)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read the language from a text file of its rules, which is never run.

        Raises:
            ValueError: the rules do not follow the notation or its bounds.
        """
        return cls(Path(path).read_text(encoding="utf-8-sig"))

    def save(self, path: str | Path) -> None:
        """Write the rules into a text file."""
        Path(path).write_text(f"{self.text.strip()}\n", encoding="utf-8")

    def judge(self, words: Sequence[str]) -> tuple[int, list[str], list[str]]:
        """Return the place that matters, and the words right and wrong there.

        Raises:
            ValueError: words are no sentence of the language or none of its symbols is marked.
        """
        marks = [(n, place) for n, _, place in bounds.steps(self, words) if n.endswith(MARK)]
        if not marks:
            raise ValueError(f"words must be a sentence with a marked symbol, got {list(words)}")
        name, place = marks[-1]
        chances = self.next_probabilities(words[:place])
        right = [word for word in self.forms[name] if chances[word] > 0]
        return place, right, [word for word in self.forms[name] if word not in right]

    def _forms(self, marked: str) -> list[str]:
        """Return the first words of a symbol with any feature values."""
        base = marked.removesuffix(MARK).partition("[")[0]
        names = [n for n in self.rules if n.partition("[")[0] == base and not n.endswith(MARK)]
        if len(names) < 2:
            raise WrongRule(says("alone", name=marked), marked)
        firsts = set()
        for name in names:
            stacks = Parser(self.rules, name).read([])[1]
            if () in stacks:
                raise WrongRule(says("empty", name=name), name)
            firsts |= {stack[0] for stack in stacks}
        return [word for word in self.words if word in firsts]
