"""Sentences with a gap: some words in a row are taken out, and a model says which they were."""

from typing import NamedTuple

import numpy as np

from course.languages.agreement import AgreementLanguage
from transformer_lib.formulas import checks
from transformer_lib.model.vocabulary import UNKNOWN

MARKS = ("each", "one")


class Gap(NamedTuple):
    """A sentence whose words from `start` on and before `stop` are taken out.

    >>> gap = Gap(("the", "chefs", "were", "hungry"), 1, 3)
    >>> gap.masked, gap.source, gap.target
    (('the', '<unk>', '<unk>', 'hungry'), ('the', '<unk>', 'hungry'), ('chefs', 'were'))
    """

    words: tuple[str, ...]
    start: int
    stop: int

    @property
    def target(self) -> tuple[str, ...]:
        """The words that are taken out."""
        return self.words[self.start : self.stop]

    @property
    def masked(self) -> tuple[str, ...]:
        """The sentence with a mark for each of them."""
        return self.filled((UNKNOWN,) * (self.stop - self.start))

    @property
    def source(self) -> tuple[str, ...]:
        """The sentence with one mark for the whole gap."""
        return self.filled((UNKNOWN,))

    def filled(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return the sentence with other words in the place of the gap."""
        return self.words[: self.start] + tuple(words) + self.words[self.stop :]


class GapLanguage:
    """Sentences of the agreement language, each with one gap of some words in a row.

    Args:
        more: the probability that one more phrase follows, from 0 to 1.
        most: the largest number of phrases.
        longest: the largest number of words that are taken out.
        marks: "each" puts a mark where each word was, for an encoder; "one" puts one mark for the
            whole gap, for an encoder-decoder, which writes as many words as it takes.

    Raises:
        ValueError: an argument is out of its range.

    Source: Devlin et al. (2019), section 3.1, mark each word; Raffel et al. (2020), section 3.1.4,
    and Lewis et al. (2020), section 2.2, put one mark for several words.
    """

    def __init__(
        self, more: float = 0.5, most: int = 6, longest: int = 5, marks: str = "each"
    ) -> None:
        self.agreement = AgreementLanguage(more, most)
        checks.count(1, longest=longest)
        if marks not in MARKS:
            raise ValueError(f"marks must be one of {MARKS}, got {marks!r}")
        self.longest, self.marks = longest, marks
        self.vocabulary = self.agreement.vocabulary

    def __repr__(self) -> str:
        settings = f"more={self.agreement.more}, most={self.agreement.most}, longest={self.longest}"
        return f"GapLanguage({settings}, marks={self.marks!r})"

    def sample(self, rng: np.random.Generator) -> Gap:
        """Draw a sentence, how many words are taken out, and where; all are equally probable.

        Raises:
            ValueError: rng is not a numpy Generator.
        """
        words = self.agreement.sample(rng)
        count = int(rng.integers(1, min(self.longest, len(words)) + 1))
        start = int(rng.integers(len(words) - count + 1))
        return Gap(words, start, start + count)
