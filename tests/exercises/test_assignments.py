"""Every assignment takes all right answers and no typical mistake."""

import re

import nbformat
import numpy as np
import pytest

from tests.exercises.assignments import (
    FOLDER,
    KINDS,
    NAMES,
    PRACTICE,
    TORCH,
    TRAINED,
    TRAINING,
    answers,
    code_cells,
    every,
    grade,
    is_function,
    lost_by,
    marks_of,
    path_of,
    points,
    task_of_cell,
    tasks,
    worth,
)

STUDENTS = ["ada", "s1234567", "Zoë"]
FUNCTIONS = ("implement", "bug")


WHO = [{"student": each} for each in STUDENTS]
WHO += [{"seed": seed} for seed in (0, 1, 2**31, 2**63 - 1)]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("who", WHO)
def test_the_solution_gets_all_points_whatever_is_drawn(name, who):
    left = () if who is WHO[-1] else TRAINED  # the largest seed that a judge can give
    wanted = {key: each for key, each in points(name).items() if key.partition("-")[0] not in left}
    assert grade(name, without=left, **who) == (wanted, {})


def single(value):
    """Return a value with float32 in the place of float64."""
    if isinstance(value, tuple | list):
        return type(value)(map(single, value))
    return value.astype(np.float32) if getattr(value, "dtype", None) == np.float64 else value


SINGLE = {
    "in what they are given": lambda task: lambda *given: task(*map(single, given)),
    "in what they return": lambda task: lambda *given: single(task(*given)),
}


@pytest.mark.parametrize("name", [name for name in NAMES if name != TORCH])
@pytest.mark.parametrize("where", SINGLE)
def test_float32_costs_nothing(name, where):
    """What trains a model has an alternative in float32."""
    wanted = {
        key: each for key, each in points(name).items() if key.partition("-")[0] not in TRAINED
    }
    for seed in range(3):
        assert grade(name, seed=seed, without=TRAINED, around=SINGLE[where]) == (wanted, {})


@pytest.mark.parametrize("name", NAMES)
def test_the_release_gets_nothing_and_says_what_is_not_yet_written(name):
    scored, errors = grade(name, kind="release")
    assert scored == dict.fromkeys(points(name), 0.0)
    for cell_id, error in errors.items():
        task = task_of_cell(cell_id)
        if task in tasks(name) and is_function(name, task):
            assert isinstance(error, NotImplementedError)
            assert str(error) == f"{task} is not yet written"
    stopped = [cell for cell in code_cells(name, "release") if cell.id in errors]
    assert all("raises-exception" in cell.metadata.tags for cell in stopped), "Run all stops"
    unwritten = {
        marks_of(cell).grade_id: str(errors[cell.id])
        for cell in code_cells(name, "release")
        if marks_of(cell).get("solution") and not is_function(name, marks_of(cell).grade_id)
    }
    assert unwritten == {task: f"{task} is not yet written" for task in unwritten}


@pytest.mark.parametrize(("name", "answer"), every("alternatives"))
def test_another_right_answer_gets_the_points(name, answer):
    task = answer.partition("__")[0]
    scored, errors = grade(name, {task: answers(name, "alternatives")[answer]}, only=task)
    assert (scored, errors) == (worth(name, task), {})


@pytest.mark.parametrize(("name", "answer"), every("mutants"))
def test_a_typical_mistake_loses_the_points(name, answer):
    task = answer.partition("__")[0]
    # A function does not know whose notebook it stands in.
    for student in STUDENTS[: 1 if is_function(name, task) else None]:
        mutant = answers(name, "mutants")[answer]
        scored, errors = grade(name, {task: mutant}, student=student, only=task)
        assert {check for check, each in scored.items() if not each} == lost_by(name, answer)
        assert all(str(error) for error in errors.values()), "the failed check says nothing"


@pytest.mark.parametrize("name", NAMES)
def test_each_task_is_graded_on_its_own(name):
    def unwritten(*arguments):
        raise NotImplementedError

    functions = [task for task in tasks(name) if is_function(name, task)]
    for task in set(tasks(name)) - set(TRAINED):  # another right answer is alone there
        others = {other: unwritten for other in functions if other != task}
        assert worth(name, task).items() <= grade(name, others)[0].items()


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_task_is_there_with_its_mistakes_and_answers(name):
    assert set(tasks(name).values()) == set(KINDS) or name in (PRACTICE, TORCH)
    assert all(worth(name, task) for task in tasks(name))
    mutants = [answer.partition("__")[0] for answer in answers(name, "mutants")]
    others = [answer.partition("__")[0] for answer in answers(name, "alternatives")]
    assert set(mutants) == set(tasks(name))
    for task, kind in tasks(name).items():
        assert mutants.count(task) >= 3, task
        assert kind not in FUNCTIONS or others.count(task) >= 1, task
        assert is_function(name, task) == (kind in FUNCTIONS), task


BY_HAND = [
    (name, task) for name in NAMES for task, kind in tasks(name).items() if kind == "by-hand"
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "task"), BY_HAND)
def test_numbers_of_a_student_tell_every_listed_slip_from_the_right_answer(name, task):
    mutants = {a: f for a, f in answers(name, "mutants").items() if a.startswith(f"{task}__")}
    for number in range(40):
        student = f"s{number}"
        assert grade(name, student=student, only=task)[0] == worth(name, task)
        for answer, mutant in mutants.items():
            scored, _ = grade(name, {task: mutant}, student=student, only=task)
            assert {check for check, each in scored.items() if not each} == lost_by(name, answer)


@pytest.mark.parametrize("name", NAMES)
def test_the_helpers_stand_once_and_go_into_every_notebook(name):
    (cell,) = [c for c in code_cells(name) if marks_of(c).get("grade_id") == "helpers"]
    assert "def draw_for(" in cell.source
    files = [FOLDER / "source" / shared for shared in ("helpers.py", "paper.py")]
    texts = [file.read_text(encoding="utf-8").rstrip("\n") for file in files]
    assert cell.source == "\n\n\n".join(texts)
    assert "def draw_for(" not in path_of(name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_every_task_has_its_hints_and_points_and_minutes_add_up(name):
    text = {c.id: c.source for c in nbformat.read(path_of(name), 4).cells}
    for task in tasks(name):
        assert text[f"{task}-hints"].count("<details>") >= 3, task
        assert f"{sum(worth(name, task).values()):g} point" in text[f"{task}-task"], task
    minutes = [int(re.search(r"about (\d+) minutes", text[f"{t}-task"])[1]) for t in tasks(name)]
    stated = re.search(r"about\s+(\d+)\s+minutes and brings?\s+(\d+)\s+points", text["opening"])
    assert abs(int(stated[1]) - sum(minutes)) <= 5
    assert int(stated[2]) == sum(points(name).values())


def test_louder_keys_take_the_output_from_a_mixture_to_the_value_of_one_key(capsys):
    """The example of task 5 of exercise 04 shows what the right guess says."""
    space = {}
    cells = {cell.id: cell.source for cell in code_cells("04_attention")}
    for name in ("helpers", "given-softmax"):
        exec(cells[name], space)
    capsys.readouterr()
    exec(cells["prediction-example"], space)
    quiet, loud = (float(line.split()[1]) for line in capsys.readouterr().out.splitlines())
    values = space["values_of_keys"]
    assert abs(values - quiet).min() > 0.1 * np.ptp(values)
    assert abs(values - loud).min() < 0.001 * np.ptp(values)


def test_no_array_of_complex_numbers_is_near_to_anything():
    space = {"np": np}
    cells = [c for c in code_cells(TRAINING) if c.id == "arrays"]
    exec(cells[0].source, space)
    assert space["near"](np.array([1.0, 2.0]), [1.0, 2.0])
    assert not space["near"](np.array([1.0 + 5j, 2.0]), [1.0, 2.0])
    assert not space["near"](np.array([1.0 + 0j, 2.0]), [1.0, 2.0])
