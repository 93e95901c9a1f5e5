"""An assignment as a text file becomes the notebook that the judge and a student know."""

import pytest

from exercises.grader.intake import assignment, claims
from exercises.grader.intake.percent import notebook_of
from exercises.grader.intake.source import assignments, path_of, read
from tests.grader.solved import marks

TEXT = """
# %%
STUDENT_ID = ""

# %% [markdown]
# ## Twice
#
# Write `twice`.

# %% given helpers
# %run -i ../helpers.py

# %% solution twice implement
def twice(x):
    ### BEGIN SOLUTION
    return 2 * x
    ### END SOLUTION


# %% example twice
twice(2)

# %% check twice 3 points
assert twice(2) == 4

# %% check twice large-numbers 1.5 points
assert twice(10**9) == 2 * 10**9
"""


def written(root, text=TEXT, name="demo"):
    """Write a text into a bank; return the folder of the assignment."""
    (root / name).mkdir()
    (root / name / f"{name}.py").write_text(text, encoding="utf-8")
    (root / "helpers.py").write_text("import numpy as np\n", encoding="utf-8")
    return root / name


def test_each_dividing_line_makes_its_cell():
    cells = notebook_of(TEXT)["cells"]
    ids = "code-0 text-1 helpers twice twice-example twice-check twice-check-large-numbers"
    assert [cell["id"] for cell in cells] == ids.split()
    assert [cell["cell_type"] for cell in cells] == ["code", "markdown", *["code"] * 5]
    assert cells[0]["source"] == 'STUDENT_ID = ""'
    assert cells[1]["source"] == "## Twice\n\nWrite `twice`."
    assert cells[3]["source"].endswith("    ### END SOLUTION")
    assert [marks(cell).get("grade_id", "") for cell in cells] == [
        *("", "", "helpers", "twice", "", "twice-check", "twice-check-large-numbers")
    ]
    assert [marks(cell).get("points") for cell in cells[-2:]] == [3, 1.5]
    assert [marks(cell).get("solution") for cell in cells[2:4]] == [False, True]
    assert [marks(cell).get("grade") for cell in cells[3:]] == [False, None, True, True]
    assert cells[3]["metadata"]["tags"] == ["implement"]
    assert cells[5]["metadata"]["tags"] == ["raises-exception", "hide-input"]


def test_a_check_may_name_the_tasks_whose_mistakes_it_carries():
    more = TEXT.replace("twice 3 points", "twice 3 points carries half half-large-numbers")
    tags = notebook_of(more)["cells"][5]["metadata"]["tags"]
    assert tags[2:] == ["carries-half", "carries-half-large-numbers"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("check twice 3 points", "check twice", r"line 23: `# %% check twice` is none of"),
        ("twice implement", "twice write", r"line 13: .* KIND is one of implement, bug"),
        ("# Write", "Write", r"line 8: each line of a text cell begins with `# `"),
        ("twice large-numbers", "twice", r"line 26: there is already a cell 'twice-check' above"),
        ("\n# %%\n", "import os\n# %%\n", "line 1: the text before the first line"),
    ],
)
def test_a_mistake_is_named_with_its_line(old, new, said):
    assert TEXT.count(old) == 1
    with pytest.raises(ValueError, match=said):
        notebook_of(TEXT.replace(old, new))


def test_the_judge_reads_a_text_as_it_reads_a_notebook(tmp_path):
    folder = written(tmp_path)
    (tmp_path / "notes").mkdir()
    assert assignments(tmp_path) == [folder]
    assert read(path_of(folder))["cells"][2]["source"] == "import numpy as np"
    made = assignment.load(folder)
    assert [(task.name, task.points) for task in made.tasks] == [
        *(("twice", 3), ("twice-large-numbers", 1.5))
    ]
    assert [cell.grade_id for cell in made.helpers] == ["helpers"]


def test_a_source_has_one_form(tmp_path):
    folder = tmp_path / "demo"
    folder.mkdir()
    with pytest.raises(ValueError, match=r"there is no assignment demo: .*neither does another"):
        path_of(folder)
    for name in ("demo.py", "demo.ipynb"):
        (folder / name).write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match=r"no assignment dmeo: .*; there are demo$"):
        path_of(tmp_path / "dmeo")
    with pytest.raises(ValueError, match=r"contains both demo\.py and demo\.ipynb: delete one"):
        path_of(folder)


def test_another_assignment_is_known_by_its_text_and_a_broken_one_harms_nobody(tmp_path):
    made = assignment.load(written(tmp_path))
    written(tmp_path, TEXT.replace("twice", "thrice"), "other")
    written(tmp_path, "x = 1", "bad")
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd/odd.ipynb").write_text("[]", encoding="utf-8")
    raw = b'"grade_id": "thrice", "grade_id": "thrice-check"'
    assert claims.claim(raw, made, tmp_path).assignment == "other"
    with pytest.raises(ValueError, match="it is not a notebook, because it has no cells"):
        read(tmp_path / "odd/odd.ipynb")


def test_a_check_that_is_not_python_is_named(tmp_path):
    folder = written(tmp_path, TEXT.replace("assert twice(2) == 4", "x = ("))
    with pytest.raises(ValueError, match="the cell 'twice-check', line 1: '\\(' was never closed"):
        assignment.load(folder)
