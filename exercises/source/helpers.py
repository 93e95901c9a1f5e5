import hashlib

import numpy as np


def draw_for(task):
    """Return a random generator that belongs to your id and to this task."""
    if not STUDENT_ID:
        print("Your id is missing: write it in the first cell, or these are not your numbers.")
    return np.random.default_rng(list(hashlib.sha256(f"{STUDENT_ID}/{task}".encode()).digest()))


def expect(name, result, shape):
    """Say what is wrong with the kind or the shape of a result, if anything is."""
    assert result is not None, f"{name} gave nothing back: does it end in a return?"
    kind = type(result).__name__
    assert isinstance(result, np.ndarray), f"{name} must return a numpy array, it returned a {kind}"
    assert result.shape == shape, f"{name} must return shape {shape} here, got {result.shape}"


def expect_numbers(name, answer, count):
    """Say what is wrong with a list of numbers that you worked out, if anything is."""
    assert isinstance(answer, list | tuple), f"{name} must be a list: [..., ...]"
    assert len(answer) == count, f"{name} must hold {count} numbers, it holds {len(answer)}"
    for number in answer:
        assert isinstance(number, int | float | np.integer), (
            f"{name} must hold numbers such as 3 or 2 / 7, found {number!r}"
        )


def expect_choices(name, answer, **options):
    """Say what is wrong with the letters that you picked, if anything is."""
    assert isinstance(answer, dict), f"{name} must be a dictionary, as it is given in the cell"
    for key, letters in options.items():
        assert key in answer, f"{name} has no entry {key!r}"
        assert answer[key] in list(letters), (
            f"{name}[{key!r}] must be one of {', '.join(letters)}, it is {answer[key]!r}"
        )
