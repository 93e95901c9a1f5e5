"""A batch in which most submissions attack the judge: no undeserved point, no other harm."""

import ctypes
import json
import os
import re
from pathlib import Path

import pytest

import exercises
from exercises.grader.report import class_page
from tests.grader import course
from tests.grader.hostile import HOSTILE
from tests.grader.processes import below, name_of
from tests.grader.test_sources import read

pytestmark = course.SANDBOXED
SECONDS = {"--call-seconds": "1.5", "--task-seconds": "3", "--total-seconds": "12"}
NEIGHBORS = ("aa_first", "mm_middle", "zz_last")
SPOILED = {"patched_builtins"}
"""This one changes what its own code sees in all tasks."""

ENDLESS = {"loop_in_cell", "loop_that_swallows", "many_parts", "recursion_without_limit"}
ENDLESS |= {"slow_frame", "sleep"}
"""These run until their time is over, as "infinite_loop" and "fork_bomb" do in `make test`."""
LONG = pytest.mark.long(part="judge")
NAMES = [pytest.param(name, marks=[LONG] * (name in ENDLESS)) for name in HOSTILE]


@pytest.fixture(scope="module")
def graded(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("hostile")
    course.write_source(root / "source")
    places = {"{root}": str(root), "{repository}": str(Path(exercises.__file__).parents[1])}
    every = "own_transformer_lib"  # a folder beside its notebook is one more attack
    for name in {every} | {item.callspec.params["name"] for item in with_names(request.session)}:
        text, _ = HOSTILE[name]
        for mark, place in places.items():
            text = text.replace(mark, place)
        course.write(root / "submissions", name, course.submission(name, {"softmax": text}))
    own = root / "submissions/own_transformer_lib/transformer_lib"
    own.mkdir()
    (own / "__init__.py").write_text("def softmax(scores):\n    return scores\n", encoding="utf-8")
    for name in NEIGHBORS:
        course.write(root / "submissions", name, course.submission(name))
    # Whoever loses its parent now becomes a child of this process.
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    before = below(os.getpid())
    with course.alone():
        course.graded(root, *[word for pair in SECONDS.items() for word in pair], apart=True)
    left = [name_of(pid) for pid in below(os.getpid()) if pid not in before and name_of(pid)]
    ctypes.CDLL(None).prctl(36, 0, 0, 0, 0)
    return root, course.scores(root), left


def with_names(session):
    """The tests of submissions that this run asks for."""
    here = (item for item in session.items if item.path == Path(__file__))
    asked = (
        item for item in here if "name" in getattr(getattr(item, "callspec", None), "params", ())
    )
    return [item for item in asked if item.callspec.params["name"] in HOSTILE]


@pytest.mark.parametrize("name", NAMES)
def test_no_undeserved_point_and_no_deserved_one_lost(graded, name):
    _, rows, *_ = graded
    double, softmax, answer = course.points(rows[name])
    assert softmax == 0
    if name not in SPOILED:
        assert (double, answer) == (2, 1)


@pytest.mark.parametrize("name", NAMES)
def test_the_feedback_gives_a_reason(graded, name):
    root, *_ = graded
    page = course.page(root, name)
    lost = re.search(r'<section class="lost"><h2>The task softmax.*?</section>', page, re.DOTALL)
    said = re.search(r'<p class="said">(.+?)</p>', lost[0], re.DOTALL)
    assert said, "no reason"
    assert re.search(HOSTILE[name][1], said[1])
    assert "Think of softmax." in lost[0]


def test_no_page_shows_a_hidden_test_or_hidden_numbers(graded):
    root, *_ = graded
    for path in (root / "out").rglob("*"):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            assert "hidden_secret_rng" not in text
            assert "wanted" not in text
            assert not re.search(r"LEAK\W{0,3}[-\d]", text)
            # The one script is ours and sorts the table.
            own = text.replace(f"<script>{class_page.SCRIPT}</script>", "")
            assert "<script" not in own or path.suffix == ".json"


@pytest.mark.parametrize("name", NEIGHBORS)
def test_a_neighbor_is_not_harmed(graded, name):
    _, rows, *_ = graded
    assert course.points(rows[name]) == (2, 3, 1)
    assert not rows[name]["review"]


def test_nothing_is_left_behind(graded):
    *_, left = graded
    assert left == []


@pytest.mark.usefixtures("alone")
def test_a_training_that_never_ends_costs_its_task_alone(graded_alone):
    notebook = read("15_pretraining")
    answer = next(cell for cell in notebook["cells"] if cell["id"] == "adapt")
    answer["source"] = "def adapt(P, new, old, share, steps, rate):\n    while True:\n"
    answer["source"] += "        loss_and_gradients(P, new)\n"
    result = graded_alone("15_pretraining", json.dumps(notebook).encode(), call=1.0)
    lost = {task.name: task.reason for task in result.tasks if task.points < task.possible}
    assert set(lost) == {"adapt-steps", "adapt-mixed", "adapt-table"}
    assert all("ran longer than" in reason for reason in lost.values())
