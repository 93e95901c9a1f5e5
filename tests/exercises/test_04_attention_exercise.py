"""The checks of exercise 04 take every right answer and no typical mistake."""

import importlib.util
import math
from pathlib import Path

import nbformat
import numpy as np
import pytest

import exercises

FOLDER = Path(exercises.__file__).parent
SOURCE = FOLDER / "source/04_attention/04_attention.ipynb"
RELEASE = FOLDER / "release/04_attention/04_attention.ipynb"
FULL = {"softmax": 3.0, "attention_of_one_query": 3.0, "attention": 4.0}


def load_mutants():
    spec = importlib.util.spec_from_file_location("mutants_04", SOURCE.with_name("mutants.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = [name for name in vars(module) if "__" in name.strip("_")]
    return {name: getattr(module, name) for name in names}


MUTANTS = load_mutants()


def grade(path, answers=None):
    """Run the notebook in this process, each answer in the place of a task; return the points."""
    namespace, points, errors = {}, {}, {}
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type != "code":
            continue
        marks = cell.metadata.get("nbgrader", {})
        try:
            exec(cell.source, namespace)
        except Exception as error:
            errors[cell.id] = error
        if marks.get("solution") and marks.grade_id in (answers or {}):
            namespace[marks.grade_id] = answers[marks.grade_id]
        if marks.get("grade"):
            task = marks.grade_id.removesuffix("-check")
            points[task] = 0.0 if cell.id in errors else float(marks.points)
    return points, errors


def softmax_by_loops(scores):
    if np.ndim(scores) > 1:
        return np.array([softmax_by_loops(row) for row in scores])
    exponentials = [math.exp(score - max(scores)) for score in scores]
    return np.array([value / math.fsum(exponentials) for value in exponentials])


def one_query_by_loops(q, K, V):
    weights = softmax_by_loops([sum(q * k) / math.sqrt(q.size) for k in K])
    return sum(weight * v for weight, v in zip(weights, V, strict=True))


def all_queries_by_einsum(Q, K, V):
    scores = np.einsum("qd,kd->qk", Q, K) * Q.shape[1] ** -0.5
    return np.einsum("qk,kv->qv", softmax_by_loops(scores), V)


def all_queries_by_loops(Q, K, V):
    return np.stack([one_query_by_loops(q, K, V) for q in Q])


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {
            "softmax": softmax_by_loops,
            "attention_of_one_query": one_query_by_loops,
            "attention": all_queries_by_loops,
        },
        {"attention": all_queries_by_einsum},
    ],
    ids=["solution", "loops", "einsum"],
)
def test_right_answers_get_all_points(answers):
    assert grade(SOURCE, answers) == (FULL, {})


def test_release_gets_no_points_and_says_what_is_not_yet_written():
    points, errors = grade(RELEASE)
    assert points == dict.fromkeys(FULL, 0.0)
    assert len(errors) == 6  # the example and the check of each task
    for cell_id, error in errors.items():
        assert isinstance(error, NotImplementedError)
        assert str(error) == f"{cell_id.rpartition('-')[0]} is not yet written"


def test_the_softmax_that_is_given_is_no_answer_to_task_1():
    namespace = {}
    for cell in nbformat.read(SOURCE, as_version=4).cells:
        if cell.id in ("helpers", "given-softmax"):
            exec(cell.source, namespace)
    points, errors = grade(SOURCE, {"softmax": namespace["given_softmax"]})
    assert points == FULL | {"softmax": 0.0}
    assert "scores near 1000 give nan" in str(errors["softmax-check"])


@pytest.mark.parametrize("task", FULL)
def test_each_task_is_graded_on_its_own(task):
    def unwritten(*arguments):
        raise NotImplementedError

    points, _ = grade(SOURCE, {name: unwritten for name in FULL if name != task})
    assert points == dict.fromkeys(FULL, 0.0) | {task: FULL[task]}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_typical_mistake_loses_the_points_of_its_task(name):
    task = name.partition("__")[0]
    points, errors = grade(SOURCE, {task: MUTANTS[name]})
    assert points == FULL | {task: 0.0}
    assert str(errors[f"{task}-check"]), "the failed check says nothing"


def test_every_task_has_at_least_three_mutants():
    tasks = [name.partition("__")[0] for name in MUTANTS]
    assert set(tasks) == set(FULL)
    assert all(tasks.count(task) >= 3 for task in FULL)


@pytest.mark.parametrize(
    ("name", "seen"),
    [
        ("softmax__uniform", "all weights are 1/5"),
        ("softmax__wrong_axis", "each column sums to 1"),
        ("softmax__whole_array", "all 15 weights together"),
        ("softmax__overflow", "scores near 1000 give nan"),
        ("softmax__no_exponential", "take the exponential"),
        ("softmax__changes_argument", "changed its argument"),
        ("attention_of_one_query__uniform", "every key has the weight 1/5"),
        ("attention_of_one_query__unscaled", "the scale is missing"),
        ("attention_of_one_query__divided_by_width", "divide by its square root"),
        ("attention_of_one_query__divided_by_keys", "n_k or its root, the number of keys"),
        ("attention_of_one_query__root_of_keys", "n_k or its root, the number of keys"),
        ("attention_of_one_query__wrong_axis", "the weights sum to 5"),
        ("attention_of_one_query__best_key_alone", "the best key alone"),
        ("attention_of_one_query__mixes_keys", "mix the values, not the keys"),
        ("attention__uniform", "every key has the weight 1/5"),
        ("attention__unscaled", "the scale is missing"),
        ("attention__divided_by_width", "divide by its square root"),
        ("attention__divided_by_keys", "n_k or its root, the number of keys"),
        ("attention__root_of_keys", "n_k or its root, the number of keys"),
        ("attention__wrong_axis", "softmax ran over the queries"),
        ("attention_of_one_query__query_first", "transpose K, or put K first"),
        ("attention__swapped", "3 (n_q) columns and the right factor 5 (n_k) rows"),
        ("attention__swapped", "Are Q and K swapped?"),
        ("attention__not_transposed", "8 (d_k) columns and the right factor 5 (n_k) rows"),
        ("attention__first_query_only", "all queries have the same output"),
    ],
)
def test_the_visible_check_names_the_mistake(name, seen):
    task = name.partition("__")[0]
    _, errors = grade(RELEASE, {task: MUTANTS[name]})
    assert seen in str(errors[f"{task}-check"])
