"""The linter finds each thing that can be wrong with an assignment, and says in which cell."""

import json

import pytest

from exercises import lint, new
from exercises.grader.intake.source import read
from tests.exercises.assignments import change

BEGIN, HIDDEN = "### BEGIN SOLUTION\n", "### BEGIN HIDDEN TESTS\n"
END_OF_SLIP = '### END HIDDEN TESTS\nchecked("slip"'
SIGNATURE = 'def mended_center(X):\n    """Subtract from each row of X (n, d) its mean."""\n    '
SLIP_TESTS = """assert slip["where"] == slip_letters["where"][0], (
    "this is not the error: compute both products with their signs"
)
assert slip["angle"] == slip_letters["angle"][0], "the right dot product is 0"
### END HIDDEN TESTS
"""


# What is written in the place of what, and what the linter says of which cell.
ONE_POINT = "slip 2 points"
BROKEN = {
    "no id": ('STUDENT_ID = ""', "NAME = 1", "code-0", "into the first code cell"),
    "no begin": (f"{BEGIN}    return X - ", "return X - ", "mended_center", "pair them"),
    "a solution in a check": (
        f"{HIDDEN}assert pred",
        f"{BEGIN}### END SOLUTION\n{HIDDEN}assert pred",
        "prediction-check",
        "may only stand in the solution",
    ),
    "no end of hidden tests": (
        END_OF_SLIP,
        'checked("slip"',
        "slip-check",
        "needs its ### END HIDDEN",
    ),
    "a marker with a slip": (
        END_OF_SLIP,
        f"### END HIDDEN TEST\n{END_OF_SLIP}",
        "slip-check",
        "TEST' is no marker",
    ),
    "hidden tests inside a block": (
        f'{HIDDEN}assert slip["where"]',
        f'if True:\n    {HIDDEN}    assert slip["where"]',
        "slip-check",
        "start their lines",
    ),
    "another name": ("def row_means(X)", "def means(X)", "row_means", "not define row_means"),
    "the signature is hidden": (
        SIGNATURE + BEGIN,
        BEGIN + SIGNATURE,
        "mended_center",
        "belongs above",
    ),
    "no form": ("# hand_dot = [..., ...]\n", "", "hand_dot", "`# hand_dot = [..., ...]`"),
    "no check": (f"check {ONE_POINT}", "given slip-given", "slip", "no check belongs to it"),
    "a mistake of a task below": (
        "check row_means means 3 points",
        "check row_means means 3 points carries mended_center",
        "row_means-check-means",
        "carries-mended_center must name a task above",
    ),
    "a mistake that meets no function": (
        f"check {ONE_POINT}",
        f"check {ONE_POINT} carries row_means-means",
        "slip-check",
        "both tasks must ask for a function",
    ),
    "no points": (ONE_POINT, "slip 0 points", "slip-check", "greater than 0"),
    "a check of nothing": (ONE_POINT, "slips 2 points", "slips-check", "TASK-check"),
    "no hidden test": (HIDDEN + SLIP_TESTS, "", "slip-check", "it has no hidden test"),
    "a value at the end": ('checked("slip", ', "len(", "slip-check", "ends in a value"),
    "the function of another task": (
        f"{HIDDEN}center_rng",
        f"{HIDDEN}row_means(np.eye(2))\ncenter_rng",
        "mended_center-check",
        "it uses row_means, the answer to another task",
    ),
    "a given cell uses an answer": (
        "return X - X.mean(axis=1)\n\n",
        "return row_means(X)\n\n",
        "broken_center",
        "uses row_means",
    ),
    "the same numbers for all": (
        'draw_for("hand_dot")',
        "np.random.default_rng(1)",
        "hand_dot",
        'draw_for("hand_dot")',
    ),
    "the same hidden numbers in each batch": (
        'globals().get("SEED", 1)',
        "1",
        "row_means-check-means",
        'globals().get("SEED", 41)',
    ),
    "a library": (
        f"{HIDDEN}mean_rng",
        f"{HIDDEN}import scipy\nmean_rng",
        "row_means-check-means",
        "imports scipy",
    ),
    "no title": ("# ## Task 5: find the error", "# Find it", "slip", "the task's title"),
    "other points in the text": ("*4 points, about 8", "*5 points,", "row_means", "have 4"),
    "no hint": ("<details><summary>Hint 1: signs</summary>", "Signs", "slip", "write a hint"),
    "no Python": ('checked("slip", ', 'checked "slip", ', "slip-check", "is not Python"),
}


@pytest.fixture
def folder(tmp_path):
    new.new("demo", tmp_path)
    return tmp_path / "demo"


def test_what_new_makes_is_clean(folder):
    """Our own are, or test_release.py could not release them."""
    assert lint.lint(folder) == []


@pytest.mark.parametrize("what", BROKEN)
def test_each_mistake_is_found_in_its_cell(folder, what):
    old, text, cell, said = BROKEN[what]
    change(folder / "demo.py", old, text)
    found = lint.lint(folder)
    assert any(said in each and f"cell {cell}:" in each for each in found), found
    assert len(found) <= 4, found


def untagged(name):
    return lambda cells: cells[name]["metadata"].update(tags=[])


def renamed(name, new):
    return lambda cells: cells[name].update(id=new)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda cells: None, []),
        (renamed("slip", "slips"), ["make them equal"]),
        (renamed("text-1", "slip"), ["2 cells have this id"]),
        (renamed("text-1", "a b"), ["64 letters (a to z), digits"]),
        (untagged("slip"), ["tag it with its kind"]),
        (untagged("slip-check"), ["add the tag"] * 2),
        (untagged("row_means-example"), ["add the tag raises-exception, so that"]),
        (
            lambda cells: cells["slip-check"]["metadata"]["nbgrader"].update(points="2"),
            ["its points are '2'"],
        ),
    ],
)
def test_what_only_a_notebook_can_have_wrong(folder, change, said):
    path = folder / "demo.py"
    notebook = read(path)
    path.unlink()
    change({cell["id"]: cell for cell in notebook["cells"]})
    (folder / "demo.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    found = lint.lint(folder)
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
