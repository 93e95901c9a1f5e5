"""nbgrader's own autograde, with a real kernel, agrees on the points of exercise 04."""

import os
import sys
from pathlib import Path

import nbformat
import pytest
from nbgrader.apps import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

import exercises
from tests.exercises.assignments import notebook, tasks

pytestmark = [
    pytest.mark.slow,
    # nbgrader links submitted rows to their parents before its own session holds them.
    pytest.mark.filterwarnings("ignore:Object of type <Submitted"),
]

FOLDER = Path(exercises.__file__).parent
NAME = "04_attention"
SUBMITTED = {"solution": "source", "untouched": "release"}
JUPYTER = ("CONFIG_DIR", "CONFIG_PATH", "DATA_DIR", "PATH", "RUNTIME_DIR", "PLATFORM_DIRS")


@pytest.fixture(scope="module")
def isolated(tmp_path_factory):
    """A home and Jupyter folders of its own, and the programs of this Python first on PATH."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for name in JUPYTER:
            patch.delenv(f"JUPYTER_{name}", raising=False)
        patch.setenv("HOME", str(home))
        patch.setenv("IPYTHONDIR", str(home / "ipython"))
        for name in ("CONFIG_DIR", "DATA_DIR", "RUNTIME_DIR"):
            patch.setenv(f"JUPYTER_{name}", str(home / name.lower()))
        patch.setenv("JUPYTER_NO_CONFIG", "1")
        # nbgrader starts `alembic` by its bare name.
        folder = str(Path(sys.executable).parent)
        patch.setenv("PATH", os.pathsep.join([folder, os.environ["PATH"]]))
        patch.chdir(home)
        yield home


@pytest.fixture(scope="module")
def course(isolated):
    """A course in which both submissions are graded."""
    root = isolated / "course"
    copies = {"source/.": "source"} | {f"submitted/{who}": kind for who, kind in SUBMITTED.items()}
    for target, kind in copies.items():
        folder = root / target / NAME
        folder.mkdir(parents=True)
        nbformat.write(notebook(NAME, kind), folder / f"{NAME}.ipynb")
    config = Config()
    config.CourseDirectory.root = str(root)
    config.CourseDirectory.db_url = f"sqlite:///{root}/gradebook.db"
    api = NbGraderAPI(CourseDirectory(config=config), config=config)
    made = api.generate_assignment(NAME)
    assert made["success"], made.get("log")
    for student in SUBMITTED:
        graded = api.autograde(NAME, student)
        assert graded["success"], graded.get("error") or graded.get("log")
    return api, root


@pytest.mark.parametrize(("student", "points"), [("solution", 20), ("untouched", 0)])
def test_points(course, student, points):
    api, _ = course
    with api.gradebook as book:
        submission = book.find_submission(NAME, student)
        assert (submission.score, submission.max_score) == (points, 20)


def test_every_cell_is_reached_and_the_kernel_lives(course):
    _, root = course
    path = root / "autograded/untouched" / NAME / f"{NAME}.ipynb"
    code = [cell for cell in nbformat.read(path, as_version=4).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    said = {out.evalue for cell in code for out in cell.outputs if out.output_type == "error"}
    for task in tasks(NAME):
        assert {f"{task} is not yet written", f"name '{task}' is not defined"} & said
