"""The lines that generation follows: one per sequence, or several beams per sequence."""

import heapq
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch

from transformer_lib.decoding.beam import length_penalty
from transformer_lib.decoding.draw import draw
from transformer_lib.decoding.filters import apply_temperature, keep_top_k, keep_top_p
from transformer_lib.formulas.softmax import softmax


class Generated(NamedTuple):
    """The tokens that were added to each sequence of a batch."""

    tokens: tuple[tuple[int, ...], ...]  # a tuple a text, the end token included when it came
    log_probabilities: tuple[float, ...]
    finished: tuple[bool, ...]  # whether the end token came before the limit


class Single:
    """One line per sequence: `choose` picks a token from each row of log-probabilities.

    Args:
        count: the number of sequences.
        ends: ids that end a sequence.
        choose: a function from log-probabilities, (texts, V), to ids, (texts,).
    """

    def __init__(
        self, count: int, ends: frozenset[int], choose: Callable[[torch.Tensor], torch.Tensor]
    ) -> None:
        self.ends, self.choose = ends, choose
        self.tokens: list[list[int]] = [[] for _ in range(count)]
        self.totals, self.done = [0.0] * count, [False] * count

    @property
    def living(self) -> bool:
        """Whether a sequence has not ended."""
        return not all(self.done)

    def step(self, log_p: torch.Tensor) -> tuple[None, torch.Tensor]:
        """Add a token to each sequence that has not ended; the ids of the others are unused."""
        chosen = self.choose(log_p)
        gained = log_p.gather(-1, chosen[:, None])[:, 0]
        for i, (token, gain) in enumerate(zip(chosen.tolist(), gained.tolist(), strict=True)):
            if not self.done[i]:
                self.tokens[i].append(token)
                self.totals[i] += gain
                self.done[i] = token in self.ends
        return None, chosen

    def result(self) -> Generated:
        """Return the tokens of each line."""
        return Generated(tuple(map(tuple, self.tokens)), tuple(self.totals), tuple(self.done))


class Beams:
    """Several lines per sequence: at each step the best continuations, as in `beam_search`.

    Args:
        count: the number of sequences.
        ends: ids that end a sequence.
        width: the number of lines for each sequence.
        limit: the most tokens to add.
        alpha: exponent of the length penalty.
    """

    def __init__(
        self, count: int, ends: frozenset[int], *, width: int, limit: int, alpha: float
    ) -> None:
        self.ends, self.width, self.limit, self.alpha = ends, width, limit, alpha
        self.length, self.longest = 0, length_penalty(limit, alpha)
        # Of each text, the lines that live: tokens and log-probability, best first.
        self.lines: list[list[tuple[tuple[int, ...], float]]] = [[((), 0.0)] for _ in range(count)]
        self.done: list[list[tuple[float, tuple[int, ...], float, bool]]] = [
            [] for _ in range(count)
        ]

    @property
    def living(self) -> bool:
        """Whether a line has not ended and may still become one of the best."""
        return any(self.lines)

    def step(self, log_p: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Keep the best of all continuations of the lines of each sequence."""
        self.length += 1
        rows = log_p.reshape(len(self.lines), self.width, -1)
        parents, tokens = [], []
        for text, of_text in enumerate(rows):
            kept = self._step(text, of_text)
            kept += [(0, 0)] * (self.width - len(kept))  # lines that have died go on unread
            parents += [text * self.width + parent for parent, _ in kept]
            tokens += [token for _, token in kept]
        return torch.tensor(parents, device=log_p.device), torch.tensor(tokens, device=log_p.device)

    def _step(self, text: int, log_p: torch.Tensor) -> list[tuple[int, int]]:
        lines, self.lines[text] = self.lines[text], []
        if not lines:
            return []
        # No line can have more than `width` of the best, so the others need not be sorted.
        top = keep_top_k(log_p[: len(lines)], min(self.width, log_p.shape[-1]))
        places = (top > -torch.inf).nonzero(as_tuple=True)
        each = zip(*(x.tolist() for x in (*places, top[places])), strict=True)
        found = ((-lines[rank][1] - gain, rank, -gain, token) for rank, token, gain in each)
        kept = []
        for cost, parent, _, token in heapq.nsmallest(self.width, found):
            grown = (*lines[parent][0], token)
            if self._goes_on(text, grown, -cost):
                self.lines[text].append((grown, -cost))
                kept.append((parent, token))
        if self._decided(text):
            self.lines[text] = []
        return kept

    def _goes_on(self, text: int, tokens: tuple[int, ...], total: float) -> bool:
        ended = tokens[-1] in self.ends
        if ended or self.length == self.limit:
            score = total / length_penalty(self.length, self.alpha)
            self.done[text].append((score, tokens, total, ended))
            self.done[text].sort(key=lambda each: -each[0])
        return not (ended or self.length == self.limit)

    def _decided(self, text: int) -> bool:
        done, lines = self.done[text], self.lines[text]
        if len(done) < self.width or not lines:
            return False
        return done[self.width - 1][0] >= max(total for _, total in lines) / self.longest

    def result(self) -> Generated:
        """Return the tokens of the best line of each sequence."""
        _, tokens, totals, ended = zip(*(done[0] for done in self.done), strict=True)
        return Generated(tokens, totals, ended)


Lines = Single | Beams
"""What the loop of generation asks: whether it goes on, the next tokens, and the result."""


def most_probable(log_p: torch.Tensor) -> torch.Tensor:
    """Return the most probable token of each row; among equal ones, that of the lowest id."""
    return log_p.argmax(dim=-1)


def drawn(
    log_p: torch.Tensor,
    *,
    rng: np.random.Generator,
    temperature: float,
    top_k: int | None,
    top_p: float | None,
) -> torch.Tensor:
    """Sample a token from each row, after the filters of `sample` in the same order."""
    scores = apply_temperature(log_p, temperature)
    scores = scores if top_k is None else keep_top_k(scores, top_k)
    scores = scores if top_p is None else keep_top_p(scores, top_p)
    tokens: torch.Tensor = draw(softmax(scores), rng)
    return tokens
