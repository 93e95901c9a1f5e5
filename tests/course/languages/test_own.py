"""Languages of typed rules: what the rules mean, what is refused, and that a model learns them."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from course.languages import Grammar
from course.languages.own import OwnLanguage
from course.languages.presets import PRESETS
from course.train_view import training
from tests.course.languages.sentences import entropy

LANGUAGES = {name: OwnLanguage(each.rules) for name, each in PRESETS.items()}
AGREES = "n = sg pl\nS -> the N[n] V[n]!\nN[sg] -> 3: cat | dog\nN[pl] -> cats\nV[sg] -> naps\n"
AGREES += "V[pl] -> nap"


def test_features_are_the_rules_written_out_by_hand() -> None:
    rules: Any = {
        "S": [(0.5, ("the", "one", "naps")), (0.5, ("the", "cats", "nap"))],
        "one": [(0.75, ("cat",)), (0.25, ("dog",))],
    }
    assert OwnLanguage(AGREES).sentences() == Grammar(rules, start="S").sentences()


def test_a_feature_of_the_left_comes_from_above_and_one_of_the_right_is_drawn() -> None:
    text = "a = x y\nb = p q\nS -> A[x] | 2: y A[y]\nA[a] -> B[a, b]\nB[a,p] -> 1.5: one | two\n"
    found = OwnLanguage(f"{text}A[x] -> z\nB[x,q] -> three\nB[y,q] -> four  # five").sentences()
    shares: Any = {("one",): 0.05, ("two",): 1 / 30, ("three",): 1 / 12, ("z",): 1 / 6}
    shares |= {("y", "one"): 0.2, ("y", "two"): 2 / 15, ("y", "four"): 1 / 3}
    assert found == pytest.approx(shares)


def test_words_of_any_script_one_form_of_each_letter_and_words_in_quotes() -> None:
    text = 'ז = ר י\nמשפט → "A" שם[ז]! פועל[ז]!\nשם[ר] → \u200fילדים\nשם[י] → ילד\n'
    language = OwnLanguage(text + "פועל[ר] → שרים\nפועל[י] → שר | cafe\u0301 | caf\u00e9'")
    assert language.judge(["A", "ילדים", "שרים"]) == (2, ["שרים"], ["שר", "café", "café'"])


def test_a_language_is_kept_in_a_file_and_opened_from_it(tmp_path: Path) -> None:
    saved = OwnLanguage(PRESETS["harmony"].rules)
    saved.save(tmp_path / "harmony.txt")
    opened = OwnLanguage.load(tmp_path / "harmony.txt")
    assert opened.words == saved.words
    assert opened.entropy_per_token() == saved.entropy_per_token()


def test_a_file_that_is_no_language_is_refused_and_not_run(tmp_path: Path) -> None:
    (tmp_path / "code.txt").write_text("import os; os.remove('code.txt')\n", encoding="utf-8")
    with pytest.raises(ValueError, match="line 1"):
        OwnLanguage.load(tmp_path / "code.txt")


REFUSED = {
    "S the N": "line 1, S the N: a line must be a rule, S -> the N, or a feature, n = sg pl",
    "n =": "line 1, n =: a line must be a rule",
    "n = sg pl\ng = f m n": "line 2, g = f m n: n must not be a value and also a feature",
    "": "the first rule must be of a symbol without features, got ''",
    "n = sg\nS[n] -> a": r"the first rule must be .* got 'S\[sg\]'",
    "S T -> a": "line 1, S T -> a: one symbol must stand before ->, got 'S T'",
    "S -> a\nT! -> b": "line 2, T! -> b: T! must be marked after ->",
    "S -> -1: a | b": "line 1, .*: a weight must be a number above 0, got -1",
    "S -> 0: a | b": "line 1, .*: a weight must be a number above 0, got 0",
    "S -> a ]b": r'line 1, .*: ]b must be a word, a symbol N\[n\] or a word in quotes, "]b"',
    "n = sg pl\nS -> N[dual]": (
        r"line 2, .*: dual in N\[dual\] must be a feature, \['n'\], or a value, \['sg', 'pl'\]"
    ),
    "n = sg pl\nS -> N[n]\nN[sg] -> cat": r"line 2, .*: N\[pl\] must have a rule, N\[pl\] -> ...",
    "S -> hello!": r"line 1, .*: hello is a word, but the mark ! needs a symbol with .* V\[n\]!",
    "S -> the Cat": 'line 1, .*: Cat must .*, or be a word, "Cat"; a word with a capital',
    "S -> der 'Hund'": """line 1, .*: 'Hund' must have double quotes, "Hund"$""",
    "S -> cat 3 | dog": "line 1, .*: 3 must stand before its words with a colon, 3: cat, if",
    "n = sg\ng = f\nS -> N[n g]": r"line 3, .*: N\[n must have a comma between two features",
    "S -> a T\nT -> b\nU -> c": "line 3, U -> c: what S becomes must reach each rule",
    'S -> a T\nT -> "T"': 'line 2, .*: the word "T" must not be the name of a rule',
    "S -> a T\nT -> | T b": "line 2, .*: rules must not be left-recursive, but what T becomes",
    "S -> a T\nT -> b T": "line 2, .*: rules must give sentences of finite expected length",
    "S -> a T\nT -> </s>": "line 2, .*: rules must not hold special tokens",
    "S -> a T\nT -> 9: b T |": "line 2, .*: sentences of more than 40 .* most 0.01, got 0.015",
    "S -> a T\nT -> b U | U b\nU -> b | c": "line 2, .*: T must not make one .* 'a b b'",
    "S -> a T\nT -> b U T |\nU -> b |": "line [23], .*: [TU] must not make one sentence in two",
    "S -> 9999: a | b | T\nT -> b": "line 1, .*: S must not make one .* 'b'",
    "S -> a T!\nT -> b": "line 2, .*: T! must have a feature, whose other values are wrong",
    "n = x y\nS -> a T[n]!\nT[x] -> b\nT[y] ->": r"line 4, .*: T\[y\] must not be empty",
    "S -> " + " | ".join(f"w{i}" for i in range(81)): "line 1, .*: a vocabulary must have 1 to 80",
    "S -> ": "line 1, S ->: a vocabulary must have 1 to 80 words, got 0",
    "n = " + " ".join(f"v{i}" for i in range(501)) + "\nS -> N[n]": "line 2, .*: .* most 500 rules",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:30])
def test_an_error_names_the_line_and_the_symbol(text: str) -> None:
    with pytest.raises(ValueError, match=REFUSED[text]):
        OwnLanguage(text)


def bounded(language: Grammar, depth: int) -> Grammar:
    """Return the grammar whose symbols are replaced at most `depth` times within each other."""
    rules: dict[str, Any] = {}

    def add(name: str, left: int) -> str | None:
        if name not in language.rules:
            return name
        found = [
            (p, symbols)
            for p, each in language.rules[name]
            if left and None not in (symbols := tuple(add(s, left - 1) for s in each))
        ]
        total = math.fsum(p for p, _ in found)
        rules[f"{name} {left}"] = [(p / total, symbols) for p, symbols in found]
        return f"{name} {left}" if found else None

    start = add(language.start, depth)
    return Grammar({name: found for name, found in rules.items() if found}, start=str(start))


@pytest.mark.parametrize("name", PRESETS)
def test_the_entropy_is_that_of_all_sentences_and_of_samples(name: str) -> None:
    language = LANGUAGES[name]
    short = bounded(language, 3 if name == "counted" else 4)
    assert short.entropy() == pytest.approx(entropy(short.sentences()), abs=1e-9)
    rng = np.random.default_rng(1)
    found = [-language.log_probability(language.sample(rng)) for _ in range(400)]
    assert abs(np.mean(found) - language.entropy()) < 4 * np.std(found) / 20 + 1e-9


@pytest.mark.parametrize("name", PRESETS)
def test_the_pair_of_a_preset_differs_in_the_word_that_is_judged(name: str) -> None:
    preset, language = PRESETS[name], LANGUAGES[name]
    possible, impossible = preset.possible.split(), preset.impossible.split()
    place, right, wrong = language.judge(possible)
    assert len(preset.rules.splitlines()) <= 12
    assert math.isfinite(language.log_probability(possible))
    assert language.log_probability(impossible) == -math.inf
    assert possible[place] in right and impossible[place] in wrong
    assert impossible == [*possible[:place], impossible[place], *possible[place + 1 :]]
    if preset.against:
        assert set(OwnLanguage(preset.against).words) <= set(language.words)


def test_the_two_explanations_part_where_the_nouns_differ() -> None:
    judge = OwnLanguage(PRESETS["two-rules"].against).judge
    words = "the chef near the cats sleeps".split()
    assert judge(words) == (5, ["sleeps", "sings"], ["sleep", "sing"])
    assert LANGUAGES["two-rules"].log_probability(words) == -math.inf
    with pytest.raises(ValueError, match="words must be a sentence with a marked symbol, got"):
        LANGUAGES["two-rules"].judge(words)


@pytest.mark.parametrize("name", ["case", "harmony"])
def test_a_small_model_learns_the_place_that_matters(name: str) -> None:
    language, rng = LANGUAGES[name], np.random.default_rng(5)
    exam = {"all": [language.sample(rng) for _ in range(50)]}
    settings: Any = {"steps": 400, "rate": 0.01, "d_model": 32, "seed": 0}
    *_, last = training(language, exam, language.judge, **settings)
    assert 0.9 < np.mean(last.losses[-50:]) / language.entropy_per_token() < 1.1
    assert last.shares["all"] >= 0.95
