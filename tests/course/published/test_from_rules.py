"""Rules of a reader and a published model: pairs of beginnings, margins, and what is refused."""

from typing import Any

import numpy as np
import pytest

from course.languages.own import OwnLanguage
from course.languages.presets import PRESETS
from course.published import model
from course.published.from_rules import Twins, twins
from course.published.rules_margins import margins, results, shown, surprisals
from tests.course.published import tiny

AGREEMENT = """
n = sg pl
m = sg pl
S -> the N[n] V[n]! | the N[n] near the N[m] V[n]! | the N[n] that the N[m] P[m] V[n]! well
N[sg] -> cat | dog
N[pl] -> cats | dogs
P[sg] -> likes
P[pl] -> like
V[sg] -> is | was
V[pl] -> are | were
"""
POLARITY = """
d = neg pos
S -> D[d] N has E[d]!
D[neg] -> no
D[pos] -> the
N -> cat | dog
E[neg] -> ever | already
E[pos] -> already
"""
LETTERS = """
n = sg pl
S -> the N[n] V[n]!
N[sg] -> cat | dog
N[pl] -> cats | dogs
V[sg] -> a
V[pl] -> i
"""


def pairs_of(rules: str, each: int = 1) -> list[Twins]:
    return twins(OwnLanguage(rules), each)


def differing(pair: Twins) -> list[tuple[str, str]]:
    one, two = (beginning.split() for beginning in pair.beginnings)
    return [(a, b) for a, b in zip(one, two, strict=True) if a != b]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> model.Published:
    return model.opened(tiny.write(tmp_path_factory.mktemp("tiny") / "tiny.gguf"))


class Frequencies(model.Published):
    """Knows how frequent each token is, and nothing about what stands before it."""

    def __call__(self, ids: Any) -> Any:
        row = np.random.default_rng(3).normal(size=len(self.ends), scale=3)
        return np.broadcast_to(row, (*np.shape(ids), len(row)))


class Agrees(model.Published):
    """Prefers the token for a to all others by 3 until there was an s, and then that for i."""

    def __call__(self, ids: Any) -> Any:
        one, two, plural = (self.tokenizer.encode(text)[0] for text in (" a", " i", "s"))
        had = np.cumsum(np.asarray(ids) == plural, axis=-1) > 0
        logits = np.zeros((*np.shape(ids), len(self.ends)))
        logits[..., one], logits[..., two] = np.where(had, 0, 3), np.where(had, 3, 0)
        return logits


def test_the_two_beginnings_differ_in_the_word_of_one_feature() -> None:
    found = pairs_of(AGREEMENT, each=4)
    assert {differing(pair)[0] for pair in found} == {("cat", "cats"), ("dog", "dogs")}
    assert all(len(differing(pair)) == 1 for pair in found)
    assert {pair.construction for pair in found} == {
        "the N V",
        "the N near the N V",
        "the N that the N P V",
    }
    assert {pair.item for pair in found} == {"cat/cats", "dog/dogs"}
    assert {pair.words for pair in found} == {("is", "are"), ("was", "were")}


@pytest.mark.parametrize("name", PRESETS)
def test_only_the_feature_of_the_mark_turns_in_each_preset(name: str) -> None:
    language = OwnLanguage(PRESETS[name].rules)
    for pair in twins(language):
        turned = {
            frozenset(
                symbol.partition("[")[0]
                for symbol, rules in language.rules.items()
                if any(word in rule.symbols for rule in rules)
            )
            for word, _ in differing(pair)
        }
        # In vowel harmony the letters of stem and ending differ; else the words of one symbol.
        assert len(turned) == 1 or name == "harmony"
        for beginning, word, other in zip(
            pair.beginnings, pair.words, pair.words[::-1], strict=True
        ):
            after = language.next_probabilities(beginning.split())
            assert after[word] > 0 and after[other] == 0


def test_a_word_that_fits_after_both_is_not_tested() -> None:
    found = pairs_of(POLARITY)
    assert {pair.words for pair in found} == {("ever", "")}
    assert {pair.item for pair in found} == {"cat", "dog"}
    assert [differing(pair) for pair in found] == [[("no", "the")]] * 2
    assert {pair.construction for pair in found} == {"D N has E"}


def test_symbols_are_paired_where_one_side_has_words_that_the_other_has_not() -> None:
    rules = "n = sg pl | S -> NP[n] V[n]! | NP[sg] -> a N[sg] | NP[pl] -> N[pl]"
    rules += " | N[sg] -> cat | N[pl] -> cats | V[sg] -> is | V[pl] -> are"
    (pair,) = pairs_of(rules.replace(" | ", "\n"))
    assert pair.beginnings == ("a cat", "cats") and pair.construction == "a/– N V"


def test_a_value_among_three_is_compared_with_both_others_of_one_item() -> None:
    found = twins(OwnLanguage(PRESETS["gender"].rules), each=3)
    short = [pair for pair in found if pair.construction == "Noun Adj"]
    assert {pair.item for pair in short} == {"книга/стол/окно", "лампа/дом/яблоко", "рыба/кот/море"}
    assert len({pair.beginnings for pair in short}) == len(short) == 9


def test_the_same_word_is_compared_after_both_beginnings(small: model.Published) -> None:
    for pair in pairs_of(LETTERS):
        assert pair.words == ("a", "i")
        # A margin in bits of 3 nats: both blanks with a letter end words, so no end differs.
        np.testing.assert_allclose(margins(Agrees(*small), pair), 3 / np.log(2))


@pytest.mark.parametrize("rules", [AGREEMENT, POLARITY, LETTERS])
def test_a_model_of_frequencies_is_half_right_everywhere(
    small: model.Published, rules: str
) -> None:
    by, pairs = Frequencies(*small), pairs_of(rules)
    found = [margins(by, pair) for pair in pairs]
    np.testing.assert_allclose(np.concatenate(found), 0, atol=1e-9)
    for x in results(pairs, found):
        assert x.right == (0.5, 0.5, 0.5)
        np.testing.assert_allclose(x.bits, 0, atol=1e-9)
    # Two words after one beginning would differ, although this model knows no rule.
    one, other = surprisals(by, pairs[0].beginnings[0], ["ever", "already"])
    assert abs(one - other) > 5


def test_words_of_several_tokens_count_up_to_their_end(small: model.Published) -> None:
    one, two = (surprisals(small, "the cat", [word])[0] for word in ("like", "likes"))
    np.testing.assert_allclose(surprisals(small, "the cat", ["like", "likes"]), [one, two])
    assert two != one and surprisals(small, "the cat", ["like, so"])[0] > one


def test_each_item_counts_once_and_its_interval_is_over_items() -> None:
    def pair(item: str) -> Twins:
        return Twins("the N V", item, ("x", "y"), ("a", "b"))

    found = results([pair("cat"), pair("cat"), pair("dog")], [[1, 3], [2, -2], [-5]])
    assert (found[0].items, found[0].pairs) == (2, 3)
    assert found[0].right == (0.375, 0.0, 0.75) and found[0].bits == (-2.0, -5.0, 1.0)
    assert "38% (0 to 75)  -2.0 (-5.0 to 1.0)" in str(shown(found))
    assert "100% (one item)" in str(shown(results([pair("cat")], [[1.0]])))
    assert results([pair("cat")], []) == []  # what was not reached before Stop


REFUSED = {
    "mark where a word is tested": "S -> the N | N -> cat",
    "]! another value and change nothing else": (
        "n = sg pl | S -> the N[sg] V[sg]! | S -> the N[pl] now V[pl]! | N[sg] -> cat"
        " | N[pl] -> cats | V[sg] -> is | V[pl] -> are"
    ),
    "must have equally many alternatives, of which those at the same place belong together": (
        "n = sg pl | S -> the N[n] V[n]! | N[sg] -> cat | N[sg] -> dog | N[pl] -> cats"
        " | V[sg] -> is | V[pl] -> are"
    ),
    "must have the same symbols apart from one feature, but they have": (
        "n = sg pl | S -> NP[n] V[n]! | NP[sg] -> the N[sg] | NP[pl] -> N[pl] Many | Many -> all"
        " | N[sg] -> cat | N[pl] -> cats | V[sg] -> is | V[pl] -> are"
    ),
    "must differ, so that they show which one fits, but they are 'the sheep' and 'the sheep'": (
        "n = sg pl | S -> the N[n] V[n]! | N[n] -> sheep | V[sg] -> is | V[pl] -> are"
    ),
    "but they are '' and ''": "n = sg pl | S -> V[n]! N[n] | N[sg] -> cat | N[pl] -> cats"
    " | V[sg] -> is | V[pl] -> are",
    "must have different words, but after 'the cat' and 'the cats' the same ones fit": (
        "n = sg pl | S -> the N[n] V[n]! | N[sg] -> cat | N[pl] -> cats | V[n] -> may"
    ),
}


@pytest.mark.parametrize("why", REFUSED)
def test_rules_without_twins_are_refused_by_name(why: str) -> None:
    with pytest.raises(ValueError) as error:
        pairs_of(REFUSED[why].replace(" | ", "\n"))
    assert why in str(error.value)


@pytest.mark.published
def test_the_published_model_tells_no_from_the_before_ever() -> None:
    published = model.loaded()
    nouns = "author student chef pilot doctor farmer singer teacher boy judge".split()
    rules = POLARITY.replace("no\n", '"No"\n').replace("-> the", '-> "The"')
    rules = rules.replace("has", "that the boys know has").replace("cat | dog", " | ".join(nouns))
    pairs = pairs_of(rules)
    (found,) = results(pairs, [margins(published, pair) for pair in pairs])
    # The numbers of the chapter's first condition, which has the same beginnings and the same word.
    assert (found.items, found.right) == (10, (1, 1, 1)) and round(found.bits[0], 1) == 7.4
