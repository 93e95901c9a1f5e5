"""The translation language: short English sentences, each with its one German translation."""

from collections.abc import Sequence

import numpy as np

from course.languages import lexicon
from course.languages.german import rules
from course.languages.synchronous import Pair, SynchronousGrammar
from transformer_lib.model.vocabulary import Vocabulary, strings

# The first words of verbs that take an object, and the nouns, by their numbers.
VERBS = {form.split()[0]: v for v, verb in enumerate(lexicon.VERBS) for form in verb.english}
NAMES = (*(noun.singular for noun in lexicon.NOUNS), "tea")
NOUNS = {noun.plural: n for n, noun in enumerate(lexicon.NOUNS)}
NOUNS |= {name: n for n, name in enumerate(NAMES)}


class TranslationLanguage:
    """English sentences and their German translations, of which each has exactly one.

    German verbs, articles and adjectives agree, masculine objects show their case, and clauses
    after "dass" and "weil" have their verb at the end. Commas and capitals at the start of a
    sentence are left out; in the pairs of this language "you" is one person and a friend ("du").

    Source: Chiang (2007), "Hierarchical phrase-based translation", section 2, on such grammars.

    >>> language = TranslationLanguage()
    >>> pair = language.translate("I know that the chef loves cats".split())
    >>> " ".join(pair.target)
    'ich weiß dass der Koch Katzen liebt'
    >>> [(pair.target[t], pair.source[s]) for t, s in pair.alignment][-2:]
    [('Katzen', 'cats'), ('liebt', 'loves')]
    """

    def __init__(self) -> None:
        self.grammar = SynchronousGrammar(rules(), start="SENTENCE")
        self.source_vocabulary = Vocabulary(self.grammar.source.words)
        self.target_vocabulary = Vocabulary(self.grammar.target_words)

    def __repr__(self) -> str:
        return "TranslationLanguage()"

    def sample(self, rng: np.random.Generator) -> Pair:
        """Draw a sentence with its translation.

        Raises:
            ValueError: rng is not a numpy Generator.
        """
        return self.grammar.sample(rng)

    def translate(self, source: Sequence[str]) -> Pair:
        """Return an English sentence with its translation and their alignment.

        Raises:
            ValueError: source is a string or no sentence of the language.
        """
        return self.grammar.translate(source)

    def log_probability(self, source: Sequence[str]) -> float:
        """Return the natural logarithm of an English sentence's probability, -inf if there is none.

        Raises:
            ValueError: source is a string or holds something else than strings.
        """
        return self.grammar.source.log_probability(strings(source=source))

    def entropy(self) -> float:
        """Return the entropy of an English sentence in nats; its translation adds none."""
        return self.grammar.source.entropy()

    def expected_length(self) -> float:
        """Return the mean number of English words of a sentence, exactly."""
        return self.grammar.source.expected_length()

    def combinations(self, pair: Pair) -> tuple[tuple[str, str], ...]:
        """Return the verb and the object noun of each clause, both in their plainest form.

        Raises:
            ValueError: pair is no Pair.

        >>> language = TranslationLanguage()
        >>> language.combinations(language.translate("the chef looks for small dragons".split()))
        (('look for', 'dragon'),)
        """
        return tuple((lexicon.VERBS[v].name, NAMES[n]) for v, n in _combinations(pair))

    def held_out(self, pair: Pair) -> bool:
        """Return whether a clause has a verb and an object that never meet in training.

        One combination in six is kept out, so that each verb is seen with most nouns as its object
        and each noun with most verbs.

        Raises:
            ValueError: pair is no Pair.

        Source: Lake and Baroni (2018), "Generalization without systematicity", section 3, test
        models on combinations that they have not seen.

        >>> language = TranslationLanguage()
        >>> pairs = [language.translate(["I", "love", noun]) for noun in ("cats", "tea")]
        >>> [language.held_out(pair) for pair in pairs]
        [False, True]
        """
        return any((v + n) % len(lexicon.VERBS) == 3 for v, n in _combinations(pair))


def _combinations(pair: Pair) -> list[tuple[int, int]]:
    """Return the numbers of verb and noun: the object is the first noun after its verb."""
    if not isinstance(pair, Pair):
        raise ValueError(f"pair must be a Pair, as sample returns, got {type(pair).__name__}")
    found, verb = [], None
    for word in pair.source:
        verb = VERBS.get(word, verb)
        if verb is not None and word in NOUNS:
            found.append((verb, NOUNS[word]))
            verb = None
    return found
