"""A weighted parser that reads from the left, all derivations at once."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from course.languages.rules import Rules

Stack = tuple[str, ...]


class Branch(NamedTuple):
    """The derivations that lead to one stack: their weight, and the choices of one of them."""

    weight: float
    last: Any  # (number of the rule, the `last` before it), () at the start

    def choices(self) -> tuple[int, ...]:
        """Return the numbers of the rules that were chosen, the first one first."""
        found, last = [], self.last
        while last:
            choice, last = last
            found.append(choice)
        return tuple(reversed(found))


class Parser:
    """The symbols still to come after each prefix, with their probabilities.

    A stack holds the symbols still to come, the next one first. Derivations with one stack go on
    alike, so their weights are added: this makes the sum over all derivations exact.

    Args:
        rules: checked rules, not left-recursive, or this would not end.
        start: the nonterminal that becomes the sentence.
    """

    def __init__(self, rules: Rules, start: str) -> None:
        self.rules = rules
        self._first = self._expand({(start,): Branch(1.0, ())})

    def read(self, words: Sequence[str]) -> tuple[float, dict[Stack, Branch]]:
        """Return the log-probability of a prefix and the stacks after it, whose weights sum to 1.

        Each stack is empty or begins with a word. There is none where the prefix is impossible.
        """
        log_p, branches = 0.0, self._first
        for word in words:
            kept = {s[1:]: branch for s, branch in branches.items() if s and s[0] == word}
            if not kept:
                return -math.inf, {}
            total = math.fsum(branch.weight for branch in kept.values())
            log_p += math.log(total)
            # Divided by their total, the weights do not vanish in a long sentence.
            kept = {s: Branch(weight / total, last) for s, (weight, last) in kept.items()}
            branches = self._expand(kept)
        return log_p, branches

    def _expand(self, branches: dict[Stack, Branch]) -> dict[Stack, Branch]:
        """Replace first symbols until each stack is empty or begins with a word."""
        done: dict[Stack, Branch] = {}
        todo = list(branches.items())
        while todo:
            stack, branch = todo.pop()
            if stack and stack[0] in self.rules:
                for number, (probability, symbols) in enumerate(self.rules[stack[0]]):
                    after = Branch(branch.weight * probability, (number, branch.last))
                    todo.append((symbols + stack[1:], after))
            else:
                before = done.get(stack, Branch(0.0, branch.last))
                done[stack] = Branch(before.weight + branch.weight, before.last)
        return done
