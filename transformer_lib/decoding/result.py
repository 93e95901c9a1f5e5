"""The results of decoding: tokens with their log-probability, and every step that led to them."""

from typing import NamedTuple

LISTED = 100  # candidates of a step at most, so that steps stay small at a large vocabulary


class DecodingStep(NamedTuple):
    """One choice: the candidates, most probable first, their probabilities, and the chosen token.

    The 100 most probable candidates are listed, or all tokens of a vocabulary with no more than
    100. A token chosen by sampling may therefore not be in the list.
    """

    candidates: tuple[int, ...]
    probabilities: tuple[float, ...]
    chosen: int


class Decoded(NamedTuple):
    """A sequence that was decoded token by token.

    `tokens` are the tokens added to the prefix, including the end token if it was generated;
    `log_probability` is their log-probability under the model itself, before any temperature or
    filter; `finished` is True if the end token was generated before the length limit.
    """

    tokens: tuple[int, ...]
    log_probability: float
    finished: bool
    steps: tuple[DecodingStep, ...]


class Hypothesis(NamedTuple):
    """One sequence of a search; `score` is `log_probability` divided by the length penalty."""

    tokens: tuple[int, ...]
    log_probability: float
    score: float
    finished: bool


class Expansion(NamedTuple):
    """One edge of the search tree: `parent` continued with `token`.

    `log_probability` is that of the whole sequence; `fate` is "kept" (stays in the beam),
    "finished" (was among the best and ended) or "dropped".
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
