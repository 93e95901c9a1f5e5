"""No function earns a part that answers what it was not asked: a constant, or the last question."""

import copy
import sys

import numpy as np
import pytest

from tests.exercises.assignments import (
    NAMES,
    TRAINING,
    check_of,
    compiled,
    given_by,
    grade,
    is_function,
    tasks,
)

FUNCTIONS = [(name, task) for name in NAMES for task in tasks(name) if is_function(name, task)]


def cell_now():
    """Return the cell that runs: each is judged in a process of its own."""
    frame, found = sys._getframe(1), None
    while frame:
        code = frame.f_code
        found = code if (code.co_filename, code.co_name) == ("<cell>", "<module>") else found
        frame = frame.f_back
    return found


def constant(solution):
    """Answer every question of a check like its first one."""
    kept = {}

    def call(*args, **named):
        key = cell_now()
        kept[key] = kept[key] if key in kept else solution(*copy.deepcopy(args), **named)
        return copy.deepcopy(kept[key])

    return call


def one_behind(solution):
    """Answer each question of a check but the first like the one before it."""
    asked = {}

    def call(*args, **named):
        key = cell_now()
        before = asked.get(key, (args, named))
        asked[key] = copy.deepcopy((args, named))
        return solution(*copy.deepcopy(before[0]), **before[1])

    return call


@pytest.mark.parametrize("around", [constant, one_behind])
@pytest.mark.parametrize(("name", "task"), FUNCTIONS)
def test_the_answer_to_another_question_earns_no_part(name, task, around):
    scored, _ = grade(name, only=task, seed=7, around=around)
    own = {part: points for part, points in scored.items() if part.partition("-")[0] == task}
    assert own and not any(own.values()), own


def names_of_training():
    """Return what the assignment on training gives, and the reference of its last hidden test."""
    space = given_by(TRAINING)
    check = check_of(TRAINING, "agreement_loop-check-verbs")
    begin = check.index("def descended")
    exec(compiled(check[begin : check.index("av_rng =")]), space)
    return space


@pytest.mark.parametrize(("count", "rate", "within"), [(1, 0.1, 1e-5), (20, 0.1, 4e-5)])
def test_honest_loops_are_a_hundred_times_closer_than_the_check_demands(count, rate, within):
    assert 100 * spread(count, rate) <= within


@pytest.mark.slow
def test_honest_loops_end_a_hundred_times_closer_than_the_check_demands():
    assert 100 * spread(400, 0.5) <= 3e-4


def spread(count, rate):
    """Return how far loops in float64 and float32 come apart that sum in five orders."""
    space, rng = names_of_training(), np.random.default_rng(5)
    P = space["draw_parameters"](rng)
    batches = [space["draw_batch"](rng) for _ in range(count)]
    right, apart = space["descended"](P, batches, rate), 0.0
    for order in range(5):
        rng = np.random.default_rng(order)
        rows = [rng.permutation(len(ids)) for ids, _ in batches]
        mixed = [
            (ids[row], targets[row]) for (ids, targets), row in zip(batches, rows, strict=True)
        ]
        for kind in (np.float64, np.float32):
            made = space["descended"]({n: P[n].astype(kind) for n in P}, mixed, kind(rate))
            apart = max(apart, *(float(np.abs(made[n] - right[n]).max()) for n in P))
    return apart
