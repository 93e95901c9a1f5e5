"""Groups of sentences are left out, a model is trained again, and what it loses is compared."""

import numpy as np
import pytest

from course.influence import control
from course.influence.estimate import rank_correlation, traced
from course.influence.groups import MOST, groups
from course.influence.pair import Pair, margin, pair_of
from course.influence.tested import left_out, scores, strongest
from course.influence.trainings import Influence, Trainings
from course.influence.without import SEEDS, without
from course.languages.own import OwnLanguage
from course.languages.presets import PRESETS

LANGUAGE = OwnLanguage(PRESETS["case"].rules)
RNG = np.random.default_rng(5)
TEXT = [LANGUAGE.sample(RNG) for _ in range(150)]
PAIR = pair_of(LANGUAGE, "lupos servus videt", "lupos servus vident")
NOTHING = np.zeros(len(TEXT), bool)


def of(out: np.ndarray, seed: int = 7) -> float:
    """Return the margin of the pair when something is left out."""
    return margin(without(LANGUAGE.vocabulary, TEXT, out, seed), LANGUAGE.vocabulary, PAIR)


def test_groups_are_words_features_and_rules() -> None:
    found = groups(LANGUAGE, TEXT)
    first = [words[0] in "lupus servus equus lupi servi equi".split() for words in TEXT]
    assert (found["S → Nom Acc V"] == first).all()
    assert (found["lupi"] == ["lupi" in words for words in TEXT]).all()
    assert len({each.tobytes() for each in found.values()}) == len(found)
    assert all(
        "videt" in words or "amat" in words for words in np.array(TEXT)[found["Nom[sg], V[sg]"]]
    )


def test_a_large_language_keeps_its_features_and_its_frequent_words() -> None:
    nouns = [f"w{i}" for i in range(60)]
    weighted = " | ".join(f"{60 - i}: {noun}" for i, noun in enumerate(nouns))
    rules = (
        f"n = sg pl\nS -> N[n] V[n]!\nN[sg] -> {weighted}\nN[pl] -> many\nV[sg] -> is\nV[pl] -> are"
    )
    language, rng = OwnLanguage(rules), np.random.default_rng(0)
    found = groups(language, [language.sample(rng) for _ in range(2000)])
    assert len(found) == MOST and "N[sg], V[sg], is" in found
    assert "w1" in found and "w50" not in found


def test_the_batches_are_the_same_whatever_is_left_out() -> None:
    """Batches drawn anew for each group would change a model even where nothing is left out."""
    never = np.array([False] * len(TEXT) + [True])  # a sentence that no batch has is left out
    asked = [*TEXT, TEXT[0]]
    rows = {}
    for name, out in {"all": np.zeros(151, bool), "one": never}.items():
        seen: list[np.ndarray] = []
        without(LANGUAGE.vocabulary, asked, out, 0, lambda _, T, to=seen: to.append(T["E"].copy()))
        rows[name] = seen
    alike = [np.array_equal(a, b) for a, b in zip(*rows.values(), strict=True)]
    assert alike[0] and not alike[-1], "the first batch that has the sentence tells the two apart"


def test_without_its_noun_a_model_does_not_know_the_number() -> None:
    whole, noun = of(NOTHING), groups(LANGUAGE, TEXT)["servus"]
    random = [np.random.default_rng(i).permutation(noun) for i in range(3)]
    assert whole - of(noun) > 3 > max(abs(whole - of(each)) for each in random)
    assert of(NOTHING) == whole, "a training again gives the same"


def test_a_random_group_is_as_large_as_the_largest_of_its_class() -> None:
    found = groups(LANGUAGE, TEXT)
    random, matched = control.matched(found, 0)
    for name, mask in found.items():
        sizes = {int(random[each].sum()) for each in matched[name]}
        assert len(sizes) == 1 and len(matched[name]) == control.RANDOM
        assert mask.sum() <= sizes.pop() <= control.WIDTH * mask.sum()
    again = control.matched(found, 1)[0]
    assert any((random[name] != again[name]).any() for name in random)


@pytest.fixture(scope="module")
def trainings() -> Trainings:
    """The trainings of the text, none of them done."""
    return Trainings(LANGUAGE, TEXT)


def test_what_is_done_is_kept_and_training_goes_on(trainings: Trainings) -> None:
    steps = trainings.train()
    assert [next(steps) for _ in range(4)] == [1, 2, 3, 4]
    again = trainings.train()
    assert next(again) == 5 and trainings.total == len(SEEDS) * len(trainings.masks)
    found = trainings.influence(PAIR)
    assert len(found.whole) == len(SEEDS) and not found.lost, "no group is told without its control"


def test_the_group_counts_that_loses_what_no_random_one_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Models are made up here: each knows how many sentences with the noun are left out."""
    found, noun = groups(LANGUAGE, TEXT), groups(LANGUAGE, TEXT)["servus"]
    few = {name: found[name] for name in ("servus", "equi")}
    monkeypatch.setattr("course.influence.trainings.groups", lambda *_: few)
    monkeypatch.setattr(
        "course.influence.trainings.without", lambda _, __, out, seed: (out[noun].mean(), seed)
    )
    monkeypatch.setattr(
        "course.influence.trainings.margin", lambda T, *_: 5 - 6 * T[0] + np.sin(T[1])
    )
    small = Trainings(LANGUAGE, TEXT)
    assert [*small.train()][-1] == small.total == 3 * (1 + 8 + 2)
    told = small.influence(PAIR)
    assert told.learned and told.counting == ["servus"]
    assert told.lost["servus"] == pytest.approx([6, 6, 6])
    each = scores(told, small.groups)
    assert (strongest(each, int(noun.sum())) == noun).all()


def test_a_pair_that_is_not_preferred_with_each_seed_is_not_learned() -> None:
    assert not Influence(np.array([0.1, -0.1, 3.0]), {}, {}).learned
    assert Influence(np.array([0.1, 0.1, 3.0]), {}, {}).learned
    with pytest.raises(ValueError, match="Nothing is trained"):
        Trainings(LANGUAGE, TEXT).influence(PAIR)


def test_a_test_leaves_out_the_chosen_or_all_else_and_as_many_random_ones() -> None:
    chosen = np.arange(150) < 30
    outs = left_out(chosen, np.random.default_rng(0))
    assert not outs["whole"][0].any() and (outs["without_chosen"][0] == chosen).all()
    assert {int(each.sum()) for each in outs["without_random"]} == {30}
    (kept,) = (~each for each in outs["on_chosen"])
    assert kept.sum() == 60 and kept[chosen].all()
    assert {int((~each).sum()) for each in outs["on_random"]} == {60}
    assert any((each & chosen).any() for each in outs["without_random"]), (
        "random ones may be strong"
    )


@pytest.mark.parametrize(
    ("possible", "impossible", "why"),
    [
        ("lupos servus", "lupos servus vident", "as many words"),
        ("lupos servus vident", "lupos servus videt", "must be possible"),
        ("lupos servus videt", "lupos servus amat", "must be impossible"),
        ("lupos servus videt", "lupi servi vident", "exactly one"),
        ("lupos servus videt", "lupos servus est", "'est' is no word"),
        ("", "", "exactly one"),
    ],
)
def test_what_is_no_pair_is_refused(possible: str, impossible: str, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        pair_of(LANGUAGE, possible, impossible)


def test_what_cannot_be_trained_is_refused() -> None:
    with pytest.raises(ValueError, match="must leave some of 150"):
        of(~NOTHING)
    with pytest.raises(ValueError, match="do not make 'lupos'"):
        Trainings(LANGUAGE, [("lupos",)])


def test_a_margin_is_that_of_probabilities() -> None:
    T, words = without(LANGUAGE.vocabulary, TEXT, NOTHING, 0), LANGUAGE.vocabulary
    swapped = Pair(PAIR.before, PAIR.wrong, PAIR.right, PAIR.sentence)
    assert margin(T, words, PAIR) == -margin(T, words, swapped)


def test_tracin_says_that_the_verb_itself_helps() -> None:
    each = traced(LANGUAGE.vocabulary, TEXT, PAIR, 0)
    verb = np.array([words[2] == "videt" for words in TEXT])
    assert each[verb].mean() > 0 > each[~verb].mean()


def test_equal_numbers_share_a_rank() -> None:
    one, other = np.array([1.0, 1.0, 2.0]), np.array([3.0, 3.0, 4.0])
    assert rank_correlation(one, other) == pytest.approx(1)
