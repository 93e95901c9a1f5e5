"""The agreement language: a subject, phrases in between, and a verb that must fit the subject."""

import functools
from collections.abc import Sequence

import numpy as np

from course.languages.grammar import Grammar
from transformer_lib.formulas import checks
from transformer_lib.model.vocabulary import END, Vocabulary, strings

SINGULAR = ("is", "was", "breathes")
PLURAL = ("are", "were", "breathe")

# The number of the subject is chosen in "sentence"; "phrases-0" is added by `_rules`.
SENTENCE = {
    "sentence": [(0.5, "one"), (0.5, "many")],
    "one": [(0.8, "the person phrases-0 is-phrase"), (0.2, "Zuko phrases-0 is-phrase")],
    "many": [(0.8, "the people phrases-0 are-phrase"), (0.2, "dragons phrases-0 are-phrase")],
    "person": [(0.25, "chef"), (0.25, "cat"), (0.25, "dragon"), (0.25, "uncle")],
    "people": [(0.25, "chefs"), (0.25, "cats"), (0.25, "dragons"), (0.25, "uncles")],
    "is-phrase": [(0.5, "is mood"), (0.3, "was mood"), (0.2, "breathes fire")],
    "are-phrase": [(0.5, "are mood"), (0.3, "were mood"), (0.2, "breathe fire")],
    "mood": [(0.6, "hungry"), (0.4, "tired")],
    "phrase": [
        (0.2, "ran out of supply"),
        (0.2, "went to the place"),
        (0.2, "sat on the seat"),
        (0.2, "ate the fruit"),
        (0.2, "made the relative tea"),
    ],
    "supply": [(0.7, "blackberries"), (0.3, "tea")],
    "place": [(0.5, "store"), (0.5, "stores")],
    "seat": [(0.5, "mat"), (0.5, "mats")],
    "fruit": [(0.5, "blackberry"), (0.5, "blackberries")],
    "relative": [(0.5, "uncle"), (0.5, "uncles")],
}


class AgreementLanguage:
    """Sentences whose verb agrees with a subject that any number of words may separate from it.

    The subject is singular or plural with equal probability. Phrases about it follow, the first
    after "who", each later one after "and"; the nouns in them are of either number, so the noun
    before the verb says nothing about the verb. Then comes the verb and one word more.

    Args:
        more: the probability that one more phrase follows, from 0 to 1.
        most: the largest number of phrases.

    Raises:
        ValueError: more is no probability or most is no integer of 0 or more.

    Source: Linzen, Dupoux, Goldberg (2016), "Assessing the ability of LSTMs to learn
    syntax-sensitive dependencies", section 2, use agreement to test what a model learns.

    >>> language = AgreementLanguage()
    >>> words = "the chef who ran out of blackberries and went to the stores is hungry".split()
    >>> words[language.verb(words)], language.distance(words), language.number(words)
    ('is', 10, 'singular')
    >>> chances = language.next_probabilities(words[:12])
    >>> {word: round(p, 4) for word, p in chances.items() if p > 0}
    {'is': 0.25, 'was': 0.15, 'breathes': 0.1, 'and': 0.5}
    """

    def __init__(self, more: float = 0.5, most: int = 6) -> None:
        if isinstance(more, bool) or not isinstance(more, int | float) or not 0 <= more <= 1:
            raise ValueError(f"more must be a probability, from 0 to 1, got {more!r}")
        checks.count(0, most=most)
        self.more, self.most = float(more), most
        self.grammar = Grammar(_rules((float(more),) * most), start="sentence")
        # "and" is in it even where there is never a second phrase: one model fits all distances.
        self.vocabulary = Vocabulary(_exactly(2).words)
        self.verbs = {"singular": SINGULAR, "plural": PLURAL}

    def __repr__(self) -> str:
        return f"AgreementLanguage(more={self.more}, most={self.most})"

    def sample(self, rng: np.random.Generator) -> tuple[str, ...]:
        """Draw a sentence.

        Raises:
            ValueError: rng is not a numpy Generator.
        """
        return self.grammar.sample(rng)

    def at_distance(self, rng: np.random.Generator, phrases: int) -> tuple[str, ...]:
        """Draw a sentence with exactly so many phrases, which may be more than `most`.

        Raises:
            ValueError: rng is not a numpy Generator or phrases is no integer of 0 or more.
        """
        checks.count(0, phrases=phrases)
        return _exactly(phrases).sample(rng)

    def log_probability(self, words: Sequence[str]) -> float:
        """Return the natural logarithm of a sentence's probability; -inf if there is none.

        Raises:
            ValueError: words is a string or holds something else than strings.
        """
        return self.grammar.log_probability(words)

    def next_probabilities(self, prefix: Sequence[str]) -> dict[str, float]:
        """Return the probability of every word after a prefix, and of </s>, the end.

        Raises:
            ValueError: prefix is a string or begins no sentence.
        """
        found = self.grammar.next_probabilities(prefix)
        return {word: found.get(word, 0.0) for word in (*self.vocabulary.tokens[4:], END)}

    def entropy(self) -> float:
        """Return the entropy of a sentence in nats, exactly."""
        return self.grammar.entropy()

    def expected_length(self) -> float:
        """Return the mean number of words of a sentence, exactly, </s> not counted."""
        return self.grammar.expected_length()

    def entropy_per_token(self) -> float:
        """Return the entropy in nats per token, </s> counted, as `Grammar` does."""
        return self.grammar.entropy_per_token()

    def verb(self, words: Sequence[str]) -> int:
        """Return where the verb is that agrees with the subject.

        Raises:
            ValueError: words is a string or holds no such verb.
        """
        for i, word in enumerate(strings(words=words)):
            if word in SINGULAR + PLURAL:
                return i
        raise ValueError(f"words must contain one of {SINGULAR + PLURAL}, got {list(words)}")

    def distance(self, words: Sequence[str]) -> int:
        """Return how many words stand between the subject noun and the verb.

        Raises:
            ValueError: words is a string or holds no verb that agrees.
        """
        return self.verb(words) - (words[0] == "the") - 1

    def number(self, words: Sequence[str]) -> str:
        """Return "singular" or "plural", the number of the verb.

        Raises:
            ValueError: words is a string or holds no verb that agrees.
        """
        return "singular" if words[self.verb(words)] in SINGULAR else "plural"


def _rules(chances: Sequence[float]) -> dict[str, list[tuple[float, tuple[str, ...]]]]:
    """Return the rules in which, after k phrases, one more follows with probability chances[k]."""
    texts = SENTENCE | {f"phrases-{len(chances)}": [(1.0, "")]}
    for k, more in enumerate(chances):
        link = "and" if k else "who"
        texts[f"phrases-{k}"] = [(1 - more, ""), (more, f"{link} phrase phrases-{k + 1}")]
    return {
        name: [(p, tuple(text.split())) for p, text in found if p > 0]
        for name, found in texts.items()
    }


@functools.lru_cache(maxsize=64)
def _exactly(phrases: int) -> Grammar:
    return Grammar(_rules((1.0,) * phrases), start="sentence")
