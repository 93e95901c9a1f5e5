"""The experiments of chapter 15: every one has its figures, over its seeds, and they are new."""

import json
import math
import re

import nbformat
import numpy as np
import pytest

from book.experiments import (
    __main__ as experiments,
    floors,
    in_context,
    influence,
    next_sentence,
    objectives,
    prompts,
    setting,
    silent_heads,
)
from book.experiments.__main__ import FOLDER, KEPT, PARTS
from book.models import digest, kept_figures, trained
from book.paths import ROOT
from course.influence.pair import margin
from course.influence.without import without
from transformer_lib.pretraining import masked_floor, noises, span_outcomes
from transformer_lib.training import load_model
from transformer_lib.training.batches import IGNORED

RUNS = kept_figures(FOLDER / "figures.json")


def test_each_experiment_has_figures_of_its_file_over_its_seeds():
    assert set(RUNS) == set(PARTS) == {path.stem for path in FOLDER.glob("*.toml")}
    for name, run in RUNS.items():
        assert run["digest"] == digest(FOLDER / f"{name}.toml"), name
        assert len(run["seeds"]) >= 3
        for figure in run["figures"].values():
            assert figure["spread"] == pytest.approx(np.ptp(figure["each"], axis=0), abs=1e-4)


def test_no_loss_is_below_its_floor():
    """Both are measured on the same texts, so a loss may be below by luck, and not by much."""
    pairs = [("follows_loss", "follows_floor"), ("loss", "floor")]
    pairs += [(f"{n.replace(' ', '_')}_loss", f"{n.replace(' ', '_')}_floor") for n in noises("_")]
    compared = 0
    for run in RUNS.values():
        figures = {name: np.array(figure["each"]) for name, figure in run["figures"].items()}
        for loss, floor in [pair for pair in pairs if pair[0] in figures]:
            assert (figures[loss] > figures[floor] - 0.02).all(), loss
            compared += 1
    assert compared == len(noises("_")) + 4


def test_floors_by_hand():
    texts = {("a", "b"): 0.5, ("a", "c"): 0.25, ("d", "c"): 0.25}
    second = -0.75 * (2 / 3 * math.log(2 / 3) + 1 / 3 * math.log(1 / 3))  # after a; d tells it
    first = 0.5 * math.log(2)  # before c; b tells it
    found = floors.floor(lambda words: span_outcomes(words, ["<0>", "<1>"]), texts)
    assert found == pytest.approx((first + second) / 2 / 4, abs=1e-12), "<0>, a word, <1>, </s>"
    begins = -0.75 * math.log(0.75) - 0.25 * math.log(0.25)
    assert floors.gaps(texts) == pytest.approx(
        {"both": (first + second) / 2, "left": (begins + second) / 2}, abs=1e-12
    )


def test_the_page_shows_the_floors_of_the_language_and_not_those_of_a_sample():
    page = nbformat.read(ROOT / "chapters" / "15_pretraining.ipynb", as_version=4)
    shown = {cell.id: str(cell.get("outputs")) for cell in page.cells}
    told = re.findall(r"irreducible loss: ([\d.]+) nats", shown["c012"])
    shares = [0.05, 0.15, 0.3, 0.5, 0.7, 0.9]
    every, ids = (objectives.every_text(), setting.CHANCES), setting.LANGUAGE.word_ids
    exact = [masked_floor(*every, word_ids=ids, share=share) for share in shares]
    assert [float(floor) for floor in told[-len(shares) :]] == pytest.approx(exact, abs=6e-4)
    # Those of every other task were counted once by a program of another make.
    counted = {"c030": "0.247 0.167", "c016-figure": "0.461 0.785"}
    for cell, known in counted.items():
        assert not [floor for floor in known.split() if floor not in shown[cell]]


@pytest.mark.parametrize("name", KEPT)
def test_the_kept_models_load_and_are_small(name):
    path = FOLDER / f"{name}.safetensors"
    assert path.stat().st_size < 500_000
    words = {"masked": setting.VOCABULARY, "prompts": prompts.TALK}[name]
    assert load_model(path).config.vocabulary_size == len(words)


def test_the_kept_encoder_has_the_loss_that_is_told(monkeypatch):
    model = load_model(FOLDER / "masked.safetensors")
    monkeypatch.setattr(objectives, "masked_encoder", lambda steps, seed: model)
    assert objectives.masked(0, 0)["loss"] == pytest.approx(
        RUNS["masked"]["figures"]["loss"]["each"][0], abs=1e-3
    )


def test_the_kept_decoder_answers_as_is_told(monkeypatch):
    model = load_model(FOLDER / "prompts.safetensors")
    monkeypatch.setattr(prompts, "decoder", lambda steps, seed, forms: model)
    found = prompts.prompts(0, 0)
    for name in ("who", "where", "dialogue", "rate", "unseen", "completion"):
        told = RUNS["prompts"]["figures"][f"{name}_all"]["each"][0]
        assert found[f"{name}_all"] == pytest.approx(told, abs=0.01), name


def silenced(seed: int) -> None:
    """Silence the heads of the model of a seed, and compare with the figures that are kept."""
    told = RUNS["silent_heads"]["figures"]
    for name, value in silent_heads.silent_heads(3000, seed).items():
        kept = told[name]["each"][seed]
        np.testing.assert_allclose(value, kept, atol=0.01, err_msg=name)


def test_the_kept_model_needs_the_heads_that_are_told():
    silenced(0)


def test_a_model_that_is_trained_again_needs_the_heads_that_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(silent_heads, "trained", lambda toml, seed: trained(toml, seed, tmp_path))
    silenced(9)


def test_silent_heads_are_those_of_the_steps_that_are_told():
    with pytest.raises(ValueError, match="takes 3000 steps, the experiment 10"):
        silent_heads.silent_heads(10, 0)


def test_the_stories_of_the_test_are_not_for_training():
    listed, chances, tested = prompts.stories()
    read = {text for text, p in zip(listed, chances, strict=True) if p > 0}
    assert len(set(tested)) == prompts.TESTED and not read & set(tested)


def test_a_story_is_asked_and_answered():
    text = "Florence said the soup in Oslo was not cold . Florence smiled .".split()
    story, found = tuple(text), {}
    for form, words in prompts.FORMS.items():
        found[form] = prompts.answer(form, story)
        assert prompts.asked(words, story)[-1] in (":", ".")
    assert found == {"who": "Florence", "where": "Oslo", "dialogue": "good", "rate": "good"}
    assert prompts.answer("where", tuple("Ana said the tea was cold .".split())) == "nowhere"


def test_prompts_show_pairs_of_one_code_and_ask_for_numbers_alone():
    code = np.arange(12)[None] % 4
    again = in_context.drawn_prompts(code, np.random.default_rng(0), repeats=True)
    assert again.letters[0, -1] in again.letters[0, :-1]
    other = in_context.drawn_prompts(code, np.random.default_rng(0), repeats=False)
    assert len(set(other.letters[0])) == in_context.SHOWN + 1
    batch = in_context.prompt_batch(other)
    right = in_context.FIRST_ANSWER + other.letters[0] % 4
    assert batch.targets[0, 1::2].tolist() == right.tolist()
    assert (batch.targets[0, ::2] == IGNORED).all()


def test_the_best_answer_follows_the_codes_that_are_left(monkeypatch):
    codes = np.array([[0, 0, 2, 1], [0, 1, 2, 3]])  # told apart by the second letter for good
    monkeypatch.setattr(in_context, "known_codes", lambda: codes)
    asked = in_context.Prompts(np.array([[0, 1, 2, 3]]), np.array([[0, 1, 2, 3]]))
    assert in_context._best(asked) == [1.0, 0.5, 1.0, 1.0]


def test_an_ending_fits_what_was_said():
    batch = next_sentence.fits(200, 0)
    texts = [setting.VOCABULARY.decode(row) for row in batch.ids.tolist()]
    for text, label in zip(texts, batch.targets.tolist(), strict=True):
        words = [word for word in text if word not in ("<s>", "</s>", "<pad>")]
        assert (tuple(words) in setting.TEXTS) == bool(label)


def test_what_is_up_to_date_is_left_alone(monkeypatch, capsys):
    monkeypatch.setattr(experiments, "PARTS", {})
    assert experiments.main(list(RUNS)) == 0
    assert capsys.readouterr().out.count("up to date") == len(RUNS)


def test_an_experiment_is_run_with_each_seed_that_is_missing(tmp_path, monkeypatch):
    toml, file, asked = tmp_path / "new.toml", tmp_path / "figures.json", []

    def measure(steps: int, seed: int) -> dict[str, int]:
        asked.append(seed)
        return {"a": steps * seed}

    monkeypatch.setattr(experiments, "PARTS", {"new": measure})
    for seeds, known in ((3, [0, 1, 2]), (3, [0, 1, 2]), (5, [0, 1, 2, 3, 4])):
        toml.write_text(f"steps = 7\nseeds = {seeds}\n", encoding="utf-8")
        up_to_date = asked == known
        assert experiments.update("new", tmp_path, tmp_path / "work") != up_to_date
        found = json.loads(file.read_text(encoding="utf-8"))["new"]
        assert asked == found["seeds"] == known
    assert found["figures"]["a"] == {"spread": 28, "each": [0, 7, 14, 21, 28]}


def test_a_text_that_is_left_out_of_again_loses_what_is_told():
    """One text and one new seed, without the sentences one by one; the choice is made anew."""
    told = RUNS["influence"]["figures"]
    for name, value in influence.of_text(8, 3, alone=False).items():
        kept = np.array(told[name]["each"])[0, influence.TEXTS.index(8)]
        np.testing.assert_allclose(value, kept, atol=0.02, err_msg=name)


def test_each_text_is_trained_again_with_a_seed_as_is_told():
    told = RUNS["influence"]["figures"]["whole"]["each"][0]
    nothing, words = np.zeros(influence.SENTENCES, bool), influence.LANGUAGE.vocabulary
    models = [without(words, influence.text_of(text), nothing, 3) for text in influence.TEXTS]
    assert [margin(T, words, influence.PAIR) for T in models] == pytest.approx(told, abs=0.02)


def test_false_alarms_are_at_most_one_in_two_hundred():
    alarms = np.array(RUNS["influence"]["figures"]["false_alarms"]["each"])
    assert alarms.sum() <= alarms.size * influence.FALSE / 200


def test_influence_is_that_of_the_steps_that_are_told():
    with pytest.raises(ValueError, match="takes 200 steps, the experiment 10"):
        influence.influence(10, 0)
