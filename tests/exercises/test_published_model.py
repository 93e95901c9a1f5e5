"""What the assignment on a published model stores is what its script measures with the file."""

import runpy

import numpy as np
import pytest

from tests.exercises.assignments import code_cells, path_of

NAME = "19_published_model"
GIVEN = ("after_prefixes", "clauses", "bins", "asked")


@pytest.fixture(scope="module")
def stored():
    space = {"np": np}
    cells = {cell.id: cell.source for cell in code_cells(NAME)}
    for name in GIVEN:
        exec(cells[name], space)
    exec(cells["open_blocks-example"].rpartition("\nopen_blocks(")[0], space)
    return space


def test_the_statements_are_true_of_the_stored_numbers(stored):
    """The numbers that the text of the tasks names, and that no difference is 0."""
    preferred = stored["AFTER_PREFIXES"] > 0
    assert (stored["AFTER_PREFIXES"] != 0).all() and (stored["CLAUSES"] != 0).all()
    assert preferred[0, stored["IS_PLURAL"]].mean() == 0.175
    assert not preferred[:, ~stored["IS_PLURAL"]].any()
    wrong = ~stored["CLAUSE_RIGHT"]
    assert wrong.sum() == 12 and wrong[stored["NOUNS"].index("guard")].sum() == 10
    positions, means, shares = np.array([*stored["BINS"].values()]).T
    distances = (means - shares).round(2)
    assert distances.tolist() == [0, 0.04, 0.07, 0.05]
    assert round(float(positions @ distances / positions.sum()), 3) == 0.027
    first, second, measured = stored["ASKED"].T
    assert (first > 0).all() and (second > 0).all() and (measured > 0).all()


@pytest.mark.published
def test_the_stored_numbers_are_those_of_the_file(stored):
    made = runpy.run_path(str(path_of(NAME).parent / "stored.py"))
    assert stored["real_block"].tolist() == made["block"]()
    assert stored["NOUNS"] == made["NOUNS"] and stored["OTHERS"][:5] == made["OTHERS"]
    for row, prefix in zip(stored["AFTER_PREFIXES"], made["PREFIXES"], strict=True):
        for place, text in [(0, "Keys near the house"), (43, "Key beside the house")]:
            assert abs(made["difference"](text, prefix) - row[place]) < 0.03
    for (noun, place), text in {
        (6, 10): "The guards the cabinet saw",
        (0, 5): "The key the cabinets saw",
    }.items():
        assert abs(made["difference"](text) - stored["CLAUSES"][noun, place]) < 0.03
    good, bad = made["pairs"]()[5]
    again = [made["answer"](good, bad), made["answer"](bad, good)]
    again.append(made["sentence"](good) - made["sentence"](bad))
    assert np.allclose(again, stored["ASKED"][5], rtol=0, atol=0.03)
