"""What decoding returns: tokens with their log-probability, and each step on the way."""

from typing import NamedTuple

LISTED = 100  # candidates of a step at most, so that steps stay small at a large vocabulary


class DecodingStep(NamedTuple):
    """One choice: what could be chosen, most probable first, how probably, and what was.

    The 100 most probable candidates are listed, all of a vocabulary that has no more. So what
    sampling chose may be none of those listed.
    """

    candidates: tuple[int, ...]
    probabilities: tuple[float, ...]
    chosen: int


class Decoded(NamedTuple):
    """A sequence that was decoded token by token.

    `tokens` are those added to the prefix, the end token included when it came; `log_probability`
    is theirs under the model itself, before any temperature or filter; `finished` tells whether the
    end token came before the length limit.
    """

    tokens: tuple[int, ...]
    log_probability: float
    finished: bool
    steps: tuple[DecodingStep, ...]


class Hypothesis(NamedTuple):
    """One sequence of a search: `score` is `log_probability` over the length penalty."""

    tokens: tuple[int, ...]
    log_probability: float
    score: float
    finished: bool


class Expansion(NamedTuple):
    """One edge of the search tree: `parent` continued with `token`.

    `log_probability` is that of the whole sequence; `fate` is "kept" (lives on in the beam),
    "finished" (took a place in the beam and ended) or "dropped".
    """

    parent: tuple[int, ...]
    token: int
    log_probability: float
    score: float
    fate: str


class BeamResult(NamedTuple):
    """The best hypotheses, best first, and for each step its expansions, best first."""

    hypotheses: tuple[Hypothesis, ...]
    steps: tuple[tuple[Expansion, ...], ...]

    @property
    def best(self) -> Hypothesis:
        """The hypothesis with the highest score."""
        return self.hypotheses[0]
