import pytest

from tests.classic_bugs import BUGS

pytestmark = pytest.mark.usefixtures("unhooked")


@pytest.mark.parametrize("name", BUGS)
def test_the_right_function_passes_and_the_mutant_is_killed(name):
    right, mutant, is_right = BUGS[name]
    assert is_right(right)
    assert not is_right(mutant)


def test_there_are_enough_bugs():
    assert len(BUGS) >= 20
