"""The two small models of this assignment do what its tasks say, and the id deals both of them."""

import contextlib
import io
import runpy
from collections import Counter

import numpy as np
import pytest

from tests.exercises.assignments import code_cells, compiled, path_of

NAME = "looking_inside"
CELLS = {cell.id: cell.source for cell in code_cells(NAME)}
GIVEN = ("helpers", "stored", "model", "run", "sentences")
MODELS = {"one": ((1, 2), (1, 1)), "two": ((2, 2), (2, 1))}  # the head, and the refuted one


def dealt(student):
    """What the given cells define for a student."""
    space = {"STUDENT_ID": student}
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in GIVEN:
            exec(compiled(CELLS[cell]), space)
    return space


def answer_of(space):
    """The right answer to Task 2 as its solution computes it."""
    exec(compiled(CELLS["found_heads"]), space)
    return tuple(space["found_heads"])


@pytest.fixture(scope="module")
def made():
    return runpy.run_path(str(path_of(NAME).parent / "stored.py"))


@pytest.fixture(scope="module")
def sizes():
    """How far each head moves the margin, from OTHERS and under the null, by model and head."""
    space, found = dealt("x"), {}
    run, margin, ids = space["run"], space["margin"], space["SINGULAR"]
    for name in MODELS:
        model = space["opened"](*space["STORED"][name])
        sources = [run(model, space[each])[1] for each in ("OTHERS", "NULLS")]
        before = margin(run(model, ids)[0])
        found[name] = {
            at: [abs(margin(run(model, ids, {at: s[at]})[0]) - before).mean() for s in sources]
            for at in sources[0]
        }
    return found


def test_the_id_deals_both_models_and_many_places_of_the_head():
    dealings = [dealt(f"s{number}") for number in range(60)]
    assert min(Counter(each["model_name"] for each in dealings).values()) >= 15
    answers = Counter(map(answer_of, dealings))
    assert {each[:2] for each in answers} == {(i, k) for i in (1, 2) for k in (1, 2, 3, 4)}
    assert answers.most_common(1)[0][1] <= 9, "one answer serves few"


def test_the_order_of_the_heads_changes_no_logit():
    space = dealt("ann")
    plain = space["opened"](*space["STORED"][space["model_name"]])
    both = [space["run"](model, space["PLURAL"])[0] for model in (plain, space["MODEL"])]
    assert any((order != np.arange(4)).any() for order in space["model_orders"])
    np.testing.assert_allclose(*both, atol=1e-9)


@pytest.mark.parametrize("name", MODELS)
def test_the_models_prefer_the_right_verb(made, name):
    ids, about = made["rows"]()
    space = dealt("x")
    assert space["WORDS"] == made["WORDS"]
    model = made["models"]()[name]
    logits, _ = space["run"](model, ids[:, :6])
    assert ((space["margin"](logits) > 0) == about[:, 1]).mean() > 0.99


@pytest.mark.parametrize("name", MODELS)
def test_one_head_has_most_of_the_effect_and_one_is_refuted(sizes, name):
    head, refuted = MODELS[name]
    found = dict(sizes[name])
    other, null = found.pop(head)
    assert other > 5 and null < 0.3
    other, null = found.pop(refuted)
    assert other > 1 and null > 0.85 * other
    assert all(null < 0.5 * other for other, null in found.values() if other > 0.7)
    assert all(other < 1.5 for other, _ in found.values())


@pytest.mark.parametrize("name", MODELS)
def test_the_head_is_enough_and_needed_and_the_refuted_one_is_neither(name):
    space = dealt("x")
    exec(compiled(CELLS["two_shares"]), space)
    given = [space["opened"](*space["STORED"][name]), space["SINGULAR"], space["PLURAL"]]
    head, refuted = MODELS[name]
    assert min(space["two_shares"](*given, *head)) > 0.8
    assert max(np.abs(space["two_shares"](*given, *refuted))) < 0.1


def test_the_grid_and_the_probes_are_those_of_the_first_model(made):
    model = made["models"]()["one"]
    grid = made["grid"](model)[1].round(2).tolist()
    assert [abs(share) for share in grid] == [0, 0, 0.02, 0, 0, 0.98]
    shares = {word: made["probed"](model, 1, word) for word in (1, 2, 5)}
    space = dealt("x")
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compiled(CELLS["probes"]), space)
    printed = CELLS["prediction-example"]
    assert [*space["PROBES"].values()] == [list(map(rounded, shares[word])) for word in (1, 5)]
    for word, share in {2: 0.02, 5: 0.98}.items():
        told = ", ".join(f"{each:.2f}" for each in (share, *shares[word]))
        assert f"[{told}]" in printed


def rounded(share):
    return round(share, 2)


def test_the_numbers_of_the_models_are_small():
    assert len(CELLS["stored"].encode()) < 30_000
    assert path_of(NAME, "release").stat().st_size < 200_000


def test_the_script_trains_such_a_model_and_stores_it(made):
    model = made["trained"](made["SEEDS"]["one"], steps=150)
    scales, text = made["packed"](model)
    ids, about = made["rows"]()
    opened = dealt("x")["opened"](scales, text)
    for name, array in model.items():
        assert np.abs(opened[name] - array).max() <= 0.51 * np.abs(array).max() / 127 + 1e-6
    space = dealt("x")
    right = (space["margin"](space["run"](opened, ids[:, :6])[0]) > 0) == about[:, 1]
    assert right.mean() > 0.9
