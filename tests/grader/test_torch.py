"""An assignment in torch: tensors cross the pipes, and a library call is flagged."""

import json
from pathlib import Path

import exercises
from exercises.grader import assignment, sandbox, walls
from exercises.grader.sandboxed.limits import Limits
from exercises.grader.selection import Code
from exercises.grader.session import Session
from tests.grader import course

pytestmark = course.SANDBOXED
CHECK = """values = torch.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
found = weigh(values)
assert isinstance(found, torch.Tensor), "return a tensor"
assert found.dtype == torch.float32
assert torch.allclose(found, torch.exp(values) / torch.exp(values).sum(-1, keepdim=True))
assert torch.equal(gradient(values), 2 * values), "the gradient of the sum of squares is 2 x"
"""
GRADIENT = "def gradient(x):\n    return torch.autograd.grad((x ** 2).sum(), x)[0]\n"
OWN = """def weigh(x):
    e = torch.exp(x - x.amax(-1, keepdim=True))
    return e / e.sum(-1, keepdim=True)
"""
LIBRARY = "def weigh(x):\n    return torch.softmax(x, -1)\n"
HARM = "import os, torch\n_ = torch.set_num_threads(64)\ndef weigh(x):\n    os._exit(0)\n"


def submission(student, weigh):
    return course.notebook(
        [
            course.code(f'STUDENT_ID = "{student}"'),
            course.code("import torch", grade_id="helpers"),
            course.code(weigh + GRADIENT, grade_id="weigh", solution=True),
            course.code(CHECK, grade_id="weigh-check", grade=True, points=2),
        ]
    )


def test_torch(tmp_path):
    (tmp_path / "source/demo").mkdir(parents=True)
    (tmp_path / "source/demo/demo.ipynb").write_text(
        json.dumps(submission("", OWN)), encoding="utf-8"
    )
    for student, weigh in {"own": OWN, "library": LIBRARY, "harm": HARM}.items():
        course.write(tmp_path / "submissions", student, submission(student, weigh))
    course.grade(tmp_path, "--workers", "1", "--call-seconds", "20", "--task-seconds", "30")
    rows = course.scores(tmp_path)
    assert {name: row["points"] for name, row in rows.items()} == {
        "own": 2,
        "library": 2,
        "harm": 0,
    }
    assert rows["own"]["review"] == []
    assert rows["library"]["review"] == ["uses softmax: a library may do the task here"]


def test_what_a_library_imports_late_is_there_before_the_clock_starts():
    made = assignment.load(Path(exercises.__file__).parent / "source/10_12_models_and_training")
    code = "import sys, torch\nbefore = len(sys.modules)\n"
    code += "_ = torch.optim.Adam([torch.nn.Parameter(torch.ones(2))])\n"
    code += "late = len(sys.modules) - before\n"
    nursery = sandbox.Nursery(walls.kit(Limits().for_torch(), made.imports))
    session = Session(nursery, Limits(call=60), (Code("one", code),))
    try:
        assert session.get("late") == 0, session.errors
    finally:
        session.close()
        nursery.close()
