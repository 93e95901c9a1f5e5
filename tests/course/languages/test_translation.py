import math

import numpy as np
import pytest

from course.languages import TranslationLanguage

LANGUAGE = TranslationLanguage()
RNG = np.random.default_rng(0)
PAIRS = [LANGUAGE.sample(RNG) for _ in range(3000)]

# What each German word may come from, written by hand. A stem stands for its forms: "lieb-".
COMES_FROM = {
    "lieb-": "love loves",
    "sehe- siehst sieht": "see sees",
    "finde-": "find finds",
    "brauch-": "need needs",
    "such-": "look looks for",
    "schau- an anschau-": "watch watches",
    "weiß weißt wissen": "know knows",
    "sag-": "say says",
    "weil": "because",
    "dass": "that",
    "heute": "today",
    "jetzt": "now",
    "manchmal": "sometimes",
    "ich": "I",
    "du": "you",
    "er": "he",
    "sie": "she they",
    "wir": "we",
    "der die das den": "the",
    "ein eine einen": "a an",
    "klein-": "small",
    "alt-": "old",
    "Katze-": "cat cats",
    "Drache-": "dragon dragons",
    "Koch Köche": "chef chefs",
    "Onkel": "uncle uncles",
    "Kind-": "child children",
    "Bär-": "bear bears",
    "Brombeere-": "blackberry blackberries",
    "Buch Bücher": "book books",
    "Laden Läden": "store stores",
    "Tee": "tea",
}


def sources(word: str) -> set[str]:
    for german, english in COMES_FROM.items():
        for form in german.split():
            if word == form or (form.endswith("-") and word.startswith(form[:-1])):
                return set(english.split())
    raise AssertionError(f"{word} is no word of the table")


@pytest.mark.parametrize(
    "english,alignment",
    [
        ("I love cats", "0-0 1-1 2-2"),
        # ich weiß dass der Koch die Katze liebt
        ("I know that the chef loves the cat", "0-0 1-1 2-2 3-3 4-4 5-6 6-7 7-5"),
        # heute findet der Koch den Bären
        ("today the chef finds the bear", "0-0 1-3 2-1 3-2 4-4 5-5"),
        # er sucht Tee
        ("he looks for tea", "0-0 1-1 1-2 2-3"),
        # jetzt schauen sie den Laden an
        ("now they watch the store", "0-0 1-2 2-1 3-3 4-4 5-2"),
        # wir suchen Tee weil sie kleine Katzen anschauen
        ("we look for tea because they watch small cats", "0-0 1-1 1-2 2-3 3-4 4-5 5-7 6-8 7-6"),
        # heute weiß sie dass du den Tee suchst
        ("today she knows that you look for the tea", "0-0 1-2 2-1 3-3 4-4 5-7 6-8 7-5 7-6"),
    ],
)
def test_alignments_written_by_hand(english: str, alignment: str) -> None:
    found = LANGUAGE.translate(english.split()).alignment
    assert " ".join(f"{t}-{s}" for t, s in sorted(found)) == alignment


def test_every_target_word_is_linked_to_the_words_it_comes_from() -> None:
    for pair in PAIRS:
        assert {t for t, _ in pair.alignment} == set(range(len(pair.target)))
        assert {s for _, s in pair.alignment} == set(range(len(pair.source)))
        assert len(set(pair.alignment)) == len(pair.alignment)
        for t, s in pair.alignment:
            assert pair.source[s] in sources(pair.target[t]), pair


def test_a_sampled_pair_is_the_translation_of_its_source() -> None:
    for pair in PAIRS[:300]:
        assert LANGUAGE.translate(pair.source) == pair
        assert math.isfinite(LANGUAGE.log_probability(pair.source))
        assert all(word in LANGUAGE.source_vocabulary for word in pair.source)
        assert all(word in LANGUAGE.target_vocabulary for word in pair.target)


def test_every_word_of_both_vocabularies_is_drawn_and_lengths_are_short() -> None:
    assert {w for pair in PAIRS for w in pair.source} == set(LANGUAGE.source_vocabulary.tokens[4:])
    assert {w for pair in PAIRS for w in pair.target} == set(LANGUAGE.target_vocabulary.tokens[4:])
    lengths = np.array([len(pair.source) for pair in PAIRS])
    assert 3 <= lengths.min() and np.quantile(lengths, 0.98) <= 12 and lengths.max() <= 15
    error = lengths.std() / math.sqrt(len(PAIRS))
    assert abs(lengths.mean() - LANGUAGE.expected_length()) < 4 * error


def test_word_order_really_changes() -> None:
    crossed = [list(p.alignment) != sorted(p.alignment, key=lambda x: x[1]) for p in PAIRS]
    assert 0.4 < np.mean(crossed) < 0.8


@pytest.mark.slow
@pytest.mark.no_cover
def test_entropy_is_the_mean_of_minus_log_p() -> None:
    surprise = [-LANGUAGE.log_probability(pair.source) for pair in PAIRS[:1500]]
    error = np.std(surprise) / math.sqrt(len(surprise))
    assert error < 0.12
    assert abs(np.mean(surprise) - LANGUAGE.entropy()) < 4 * error


def test_what_is_no_sentence_has_probability_zero() -> None:
    assert LANGUAGE.log_probability("the cats loves tea".split()) == -math.inf
    assert repr(LANGUAGE) == "TranslationLanguage()"


VERBS = ("love", "see", "find", "need", "look for", "watch")
OBJECTS = {"cat": "cats", "dragon": "dragons", "chef": "chefs", "uncle": "uncles"}
OBJECTS |= {"child": "children", "bear": "bears", "blackberry": "blackberries", "book": "books"}
OBJECTS |= {"store": "stores", "tea": "tea"}


def held_out(english: str) -> bool:
    return LANGUAGE.held_out(LANGUAGE.translate(english.split()))


def test_each_noun_misses_one_verb_and_each_verb_one_or_two_nouns() -> None:
    kept_out = [(v, n) for v in VERBS for n in OBJECTS if held_out(f"I {v} the {n}")]
    assert sorted(n for _, n in kept_out) == sorted(OBJECTS)
    assert {v: sum(v == verb for verb, _ in kept_out) for v in VERBS} == dict(
        zip(VERBS, (2, 2, 2, 2, 1, 1), strict=True)
    )
    assert ("love", "cat") not in kept_out


@pytest.mark.parametrize("noun", OBJECTS)
@pytest.mark.parametrize("verb", VERBS)
def test_a_combination_is_kept_out_in_every_form(verb: str, noun: str) -> None:
    first, *rest = verb.split()
    third = " ".join([f"{first}es" if first == "watch" else f"{first}s", *rest])
    whether = held_out(f"I {verb} the {noun}")
    assert held_out(f"the cat {third} {OBJECTS[noun]}") == whether
    assert held_out(f"today she {third} the {noun}") == whether
    assert held_out(f"we say that dragons {verb} {OBJECTS[noun]}") == whether
    assert held_out(f"I love cats because he {third} the {noun}") == whether
    assert held_out(f"he {third} the {noun} because I love cats") == whether
    # As the subject of the verb, the noun is not in the combination.
    if noun in ("cat", "dragon", "chef", "uncle", "child", "bear"):
        assert held_out(f"the {noun} {third} tea") == held_out(f"I {verb} tea")


def test_the_subject_of_the_next_clause_is_no_object() -> None:
    for english, expected in {
        "I love cats because the dragon looks for tea": (("love", "cat"), ("look for", "tea")),
        "the chef knows that the bears watch a store": (("watch", "store"),),
    }.items():
        assert LANGUAGE.combinations(LANGUAGE.translate(english.split())) == expected


def test_training_sees_every_word_and_every_other_combination() -> None:
    training = [pair for pair in PAIRS if not LANGUAGE.held_out(pair)]
    assert 0.7 < len(training) / len(PAIRS) < 0.9
    combinations = {c for pair in training for c in LANGUAGE.combinations(pair)}
    unseen = {(v, n) for v in VERBS for n in OBJECTS} - combinations
    assert unseen == {(v, n) for v in VERBS for n in OBJECTS if held_out(f"I {v} the {n}")}
    assert {w for pair in training for w in pair.target} == set(
        LANGUAGE.target_vocabulary.tokens[4:]
    )
