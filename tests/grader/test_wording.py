"""A failed hidden test shows what its author wrote, and no number of the test."""

import numpy as np
import pytest

from exercises.grader.intake.assignment import compiled
from exercises.grader.mark.wording import constant_parts, lines_of

HELPER = """
def expect(name, result, shape):
    assert result.shape == shape, f"{name} must have shape {shape}, it has {result.shape}"


def need(truth, message):
    assert truth, message


def refuse(number):
    raise AssertionError("no " + str(number))
"""
RESULT = "LEAK 0.123"
CASES = {
    "assert False, 'wrong for other numbers'": "wrong for other numbers",
    "assert False, f'it is {result}'": "it is …",
    "assert False, f'it is {result!r}, not {2 + 3}'": "it is …, not …",
    "assert False, 'it is ' + result": "it is …",
    "assert False, result": "",
    "assert False": "",
    "assert False, str(result)": "",
    "assert False, 'a' if result else 'b'": "a",
    "assert False, (\n    'two '\n    f'parts of {result}'\n)": "two parts of …",
    "need(False, 'the rows differ')": "the rows differ",
    "need(False, result)": "",
    "need(False, 'the rows are ' + result)": "",
    "refuse(3)": "no …",
    "for part in ['x']:\n    need(False, f'{part}')": "",
    "import numpy\nnumpy.testing.assert_allclose([1.5], [2.5])": "",
    "expect('softmax', numpy.ones((2, 3)), (3, 2))": "softmax must have shape …, it has …",
}


@pytest.mark.parametrize("test", CASES)
def test_only_what_is_written_is_shown(test):
    space = {"result": RESULT, "numpy": np}
    files = {"<helper>": lines_of(HELPER), "<check>": lines_of(test)}
    exec(compiled(HELPER, "<helper>"), space)
    with pytest.raises(AssertionError) as caught:
        exec(compiled(test, "<check>"), space)
    assert constant_parts(caught.value, files) == CASES[test]


def test_an_error_from_elsewhere_says_nothing():
    with pytest.raises(AssertionError) as caught:
        raise AssertionError("LEAK")
    assert constant_parts(caught.value, {}) == ""
