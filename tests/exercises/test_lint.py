"""The linter finds each thing that can be wrong with an assignment, and says in which cell."""

import json
from typing import NamedTuple

import pytest

from exercises import lint, new
from exercises.grader.source import assignments, read
from tests.exercises.assignments import change

BEGIN, HIDDEN = "### BEGIN SOLUTION\n", "### BEGIN HIDDEN TESTS\n"
END_OF_SLIP = '### END HIDDEN TESTS\nchecked("slip"'
SIGNATURE = 'def mended_center(X):\n    """Subtract from each row of X (n, d) its mean."""\n    '
SLIP_TESTS = """assert slip["where"] == slip_letters["where"][0], "look at the sign"
assert slip["angle"] == slip_letters["angle"][0], "the dot product is 0"
### END HIDDEN TESTS
"""


class Slip(NamedTuple):
    """What is written in the place of what, and what the linter says of which cell."""

    old: str
    new: str
    cell: str
    said: str


ONE_POINT = "slip 2 points"
BROKEN = {
    "no id": Slip('STUDENT_ID = ""', "NAME = 1", "code-0", "into the first code cell"),
    "no begin": Slip(f"{BEGIN}    return X - ", "return X - ", "mended_center", "pair them"),
    "a solution in a check": Slip(
        f"{HIDDEN}assert pred",
        f"{BEGIN}### END SOLUTION\n{HIDDEN}assert pred",
        "prediction-check",
        "may only stand in the solution",
    ),
    "no end of hidden tests": Slip(
        END_OF_SLIP, 'checked("slip"', "slip-check", "needs its ### END HIDDEN"
    ),
    "a marker with a slip": Slip(
        END_OF_SLIP, f"### END HIDDEN TEST\n{END_OF_SLIP}", "slip-check", "TEST' is no marker"
    ),
    "hidden tests inside a block": Slip(
        f'{HIDDEN}assert slip["where"]',
        f'if True:\n    {HIDDEN}    assert slip["where"]',
        "slip-check",
        "start their lines",
    ),
    "another name": Slip("def row_means(X)", "def means(X)", "row_means", "not define row_means"),
    "the signature is hidden": Slip(
        SIGNATURE + BEGIN, BEGIN + SIGNATURE, "mended_center", "belongs above"
    ),
    "no form": Slip("# hand_dot = [..., ...]\n", "", "hand_dot", "`# hand_dot = [..., ...]`"),
    "no check": Slip(f"check {ONE_POINT}", "given slip-given", "slip", "no check belongs to it"),
    "no points": Slip(ONE_POINT, "slip 0 points", "slip-check", "greater than 0"),
    "a check of nothing": Slip(ONE_POINT, "slips 2 points", "slips-check", "TASK-check"),
    "no hidden test": Slip(HIDDEN + SLIP_TESTS, "", "slip-check", "it has no hidden test"),
    "a value at the end": Slip('checked("slip", ', "len(", "slip-check", "ends in a value"),
    "the function of another task": Slip(
        f"{HIDDEN}center_rng",
        f"{HIDDEN}row_means(np.eye(2))\ncenter_rng",
        "mended_center-check",
        "it uses row_means, the answer to another task",
    ),
    "a given cell uses an answer": Slip(
        "return X - X.mean(axis=1)\n\n",
        "return row_means(X)\n\n",
        "broken_center",
        "uses row_means",
    ),
    "the same numbers for all": Slip(
        'draw_for("hand_dot")', "np.random.default_rng(1)", "hand_dot", 'draw_for("hand_dot")'
    ),
    "the same hidden numbers in each batch": Slip(
        'globals().get("SEED", 1)', "1", "row_means-check-means", 'globals().get("SEED", 41)'
    ),
    "a library": Slip(
        f"{HIDDEN}mean_rng",
        f"{HIDDEN}import scipy\nmean_rng",
        "row_means-check-means",
        "imports scipy",
    ),
    "no title": Slip("# ## Task 5: find the slip", "# Find it", "slip", "the task's title"),
    "other points in the text": Slip("*4 points, about 8", "*5 points,", "row_means", "have 4"),
    "no hint": Slip("<details><summary>Hint 1: signs</summary>", "Signs", "slip", "write a hint"),
    "no Python": Slip('checked("slip", ', 'checked "slip", ', "slip-check", "is not Python"),
}


@pytest.fixture
def folder(tmp_path):
    new.new("demo", tmp_path)
    return tmp_path / "demo"


def test_what_new_makes_and_our_own_assignments_are_clean(folder):
    assert lint.lint(folder) == []
    ours = assignments(lint.SOURCE)
    assert len(ours) >= 9
    assert [said for path in ours for said in lint.lint(path)] == []


@pytest.mark.parametrize("what", BROKEN)
def test_each_mistake_is_found_in_its_cell(folder, what):
    slip = BROKEN[what]
    change(folder / "demo.py", slip.old, slip.new)
    found = lint.lint(folder)
    assert any(slip.said in each and f"cell {slip.cell}:" in each for each in found), found
    assert len(found) <= 4, found


def as_notebook(folder, change):
    """Write the assignment as a notebook with one cell changed."""
    path = folder / "demo.py"
    notebook = read(path)
    path.unlink()
    change({cell["id"]: cell for cell in notebook["cells"]})
    (folder / "demo.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return lint.lint(folder)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda cells: None, []),
        (lambda cells: cells["slip"].update(id="slips"), ["make them equal"]),
        (lambda cells: cells["text-1"].update(id="slip"), ["2 cells have this id"]),
        (lambda cells: cells["text-1"].update(id="a b"), ["64 letters (a to z), digits"]),
        (lambda cells: cells["slip"]["metadata"].update(tags=[]), ["tag it with its kind"]),
        (lambda cells: cells["slip-check"]["metadata"].update(tags=[]), ["add the tag"] * 2),
        (
            lambda cells: cells["row_means-example"]["metadata"].update(tags=[]),
            ["add the tag raises-exception, so that"],
        ),
        (
            lambda cells: cells["slip-check"]["metadata"]["nbgrader"].update(points="2"),
            ["its points are '2'"],
        ),
    ],
)
def test_what_only_a_notebook_can_have_wrong(folder, change, said):
    found = as_notebook(folder, change)
    assert len(found) >= len(said)
    assert all(part in each for part, each in zip(said, found, strict=False)), found
    assert bool(found) == bool(said)


def test_an_unknown_dividing_line_is_named(folder):
    change(folder / "demo.py", "# %% check slip 2", "# %% test slip 2")
    (said,) = lint.lint(folder)
    assert "`# %% test slip 2 points` is none of" in said and "demo.py: line " in said


def test_the_command_says_how_many(folder, capsys):
    assert lint.main(["--source", str(folder.parent)]) == 0
    assert capsys.readouterr().out == "1 assignments, 0 findings.\n"
    change(folder / "demo.py", "*4 points", "*5 points")
    assert lint.main(["--source", str(folder.parent)]) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("demo, cell row_means: ") and last == "1 assignments, 1 findings."
    assert lint.main(["--source", str(folder / "none")]) == 2
