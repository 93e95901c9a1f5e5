"""The review language: what somebody said of a dish, and what they did then."""

from collections.abc import Sequence

import numpy as np

from course.languages.grammar import Grammar
from transformer_lib.model.vocabulary import Vocabulary, strings

PEOPLE = ("Florence", "Jordan", "Sydney", "Zuko", "Ana", "Omar")
PLACES = ("Florence", "Jordan", "Sydney", "Oslo", "Lima", "Cairo")
DISHES = ("soup", "tea", "bread", "rice")
WORDS = {
    "good": ("great", "fresh", "sweet", "warm", "fine", "tasty"),
    "bad": ("awful", "stale", "bitter", "cold", "burnt", "salty"),
}
ENDINGS = {"good": ("smiled", "stayed", "returned"), "bad": ("left", "sighed", "complained")}
LABELS = ("bad", "good")
TAGS = ("O", "PERSON", "PLACE")
MASK, SENTINELS = "<mask>", ("<0>", "<1>", "<2>", "<3>")
PROMPTS = ("fill", "rate", "who", "where", ":", "?", "nowhere")
STOP = "."


class ReviewLanguage:
    """Texts of two sentences: somebody says how a dish was, and the same person then acts on it.

    The person who stays, smiles or returns found the dish good, and who leaves, sighs or complains
    found it bad. Three words name a person as well as a place. "not" before a word turns it around.
    Each text is as probable as its choices: a person, a dish, a place in half of the texts, good or
    bad, "not" in three of twenty, a word and an ending.

    The vocabulary also holds a mask, sentinels and the words of prompts, which no text contains.

    >>> language = ReviewLanguage()
    >>> text = "Florence said the soup in Oslo was not cold . Florence smiled .".split()
    >>> language.label(text), language.tags(text)[:6]
    ('good', ['PERSON', 'O', 'O', 'O', 'O', 'PLACE'])
    >>> [" ".join(sentence) for sentence in language.sentences(text)]
    ['Florence said the soup in Oslo was not cold .', 'Florence smiled .']
    >>> round(np.exp(-language.log_probability(text)) * 0.15)  # 6 · 2 · 4 · 2 · 6 · 6 · 3 choices
    10368
    """

    def __init__(self) -> None:
        self.grammar = Grammar(_rules(), start="text")
        self.vocabulary = Vocabulary([MASK, *SENTINELS, *PROMPTS, *LABELS, *self.grammar.words])

    def __repr__(self) -> str:
        return "ReviewLanguage()"

    @property
    def word_ids(self) -> range:
        """The ids of the words that texts are made of."""
        return range(len(self.vocabulary) - len(self.grammar.words), len(self.vocabulary))

    def sample(self, rng: np.random.Generator) -> tuple[str, ...]:
        """Draw a text.

        Raises:
            ValueError: rng is not a numpy Generator.
        """
        return self.grammar.sample(rng)

    def log_probability(self, words: Sequence[str]) -> float:
        """Return the natural logarithm of a text's probability; -inf if there is none.

        Raises:
            ValueError: words is a string or holds something else than strings.
        """
        return self.grammar.log_probability(words)

    def entropy_per_token(self) -> float:
        """Return the entropy in nats a token, </s> counted: the least loss from left to right."""
        return self.grammar.entropy_per_token()

    def sentences(self, words: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the sentences of a text, each with its full stop.

        Raises:
            ValueError: words is a string or holds something else than strings.
        """
        given, found = strings(words=words), []
        while STOP in given:
            end = given.index(STOP) + 1
            found.append(given[:end])
            given = given[end:]
        return [*found, given] if given else found

    def label(self, words: Sequence[str]) -> str:
        """Return "good" or "bad": what the first sentence says of the dish.

        Raises:
            ValueError: words is a string or says nothing of a dish.
        """
        given = strings(words=words)
        for i, word in enumerate(given):
            for label, other in (LABELS, LABELS[::-1]):
                if word in WORDS[label]:
                    return other if given[i - 1] == "not" else label
        raise ValueError(f"words must say how a dish was, got {list(given)}")

    def tags(self, words: Sequence[str]) -> list[str]:
        """Return for each word "PERSON", "PLACE" or "O"; a place stands after "in".

        Raises:
            ValueError: words is a string or holds something else than strings.
        """
        given = strings(words=words)
        before = ("", *given[:-1])
        return [
            "PLACE" if last == "in" else "PERSON" if word in PEOPLE else "O"
            for last, word in zip(before, given, strict=True)
        ]


def _rules() -> dict[str, list[tuple[float, tuple[str, ...]]]]:
    kinds = [f"{person}-{label}" for person in PEOPLE for label in LABELS]
    texts = {kind: _text(*kind.split("-")) for kind in kinds}
    return {
        "text": [(1 / len(kinds), (kind,)) for kind in kinds],
        **{kind: [(1.0, tuple(text.split()))] for kind, text in texts.items()},
        "dish": _each(DISHES),
        "where": [(0.5, ("in", "place")), (0.5, ())],
        "place": _each(PLACES),
        "is-good": [(0.85, ("good-word",)), (0.15, ("not", "bad-word"))],
        "is-bad": [(0.85, ("bad-word",)), (0.15, ("not", "good-word"))],
        **{f"{label}-word": _each(WORDS[label]) for label in LABELS},
        **{f"{label}-ending": _each(ENDINGS[label]) for label in LABELS},
    }


def _text(person: str, label: str) -> str:
    return f"{person} said the dish where was is-{label} . {person} {label}-ending ."


def _each(words: Sequence[str]) -> list[tuple[float, tuple[str, ...]]]:
    return [(1 / len(words), (word,)) for word in words]
