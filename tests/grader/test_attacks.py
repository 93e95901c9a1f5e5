"""What an attacker found who knew all of the source: each worked once."""

import pytest

from tests.grader import course

pytestmark = course.SANDBOXED
# In the sandbox of another task's test this answer is one guess, in a new one it is another.
FIRST_GUESS = "def double(x):\n    globals()['answer'] = {}\n    return 2 * x\n"
SECOND_GUESS = "answer = {}"
SUM = "sum(numbers_for(STUDENT_ID, 'answer'))"
GUESSES = {
    "guess_first": {"double": FIRST_GUESS.format(SUM), "answer": SECOND_GUESS.format(-1)},
    "guess_second": {"double": FIRST_GUESS.format(-1), "answer": SECOND_GUESS.format(SUM)},
}
# With cells so slow that they cannot run for each task, a sandbox serves several.
SLOW = "import time\ntime.sleep(2.2)\n" + course.DOUBLE.replace(
    "return 2 * x", "globals()['heard'] = f'LEAK {x}'\n    return 2 * x"
)
TELLS = "def softmax(scores):\n    raise ValueError(heard)\n"


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    root = tmp_path_factory.mktemp("attacks")
    course.write_source(root / "source")
    made = {name: course.submission(name, answers) for name, answers in GUESSES.items()}
    made["slow"] = course.submission("slow", {"double": SLOW, "softmax": TELLS})
    made["bad_letters"] = course.submission("bad_letters")
    made["bad_letters"]["cells"].append(course.code("1 / 0", grade_id="\ud800"))
    made["bad_version"] = course.submission("bad_version") | {"nbformat": "\ud800"}
    made["talker"] = course.submission("talker", {"softmax": "import os\nos._exit(1)"})
    talk = course.code("raise Exception('x' * 2000)", grade_id="(softmax)(double)")
    made["talker"]["cells"] += [talk] * 500
    made["quotes"] = course.submission("quotes", {"softmax": 'x = 1\n"' + '\\"' * 90_000})
    for name, content in made.items():
        course.write(root / "submissions", name, content)
    course.grade(root, "--total-seconds", "10", ends=(3,))
    return root, course.scores(root)


def test_letters_that_cannot_be_written_stop_no_page(graded):
    root, rows = graded
    assert course.points(rows["bad_letters"]) == (2, 3, 1)
    assert len(list((root / "out/feedback").iterdir())) == len(rows)
    assert (root / "out/summary.html").exists()


def test_no_submission_fills_the_disk_with_its_errors(graded):
    root, rows = graded
    assert course.points(rows["talker"])[::2] == (2, 1)
    assert len(course.page(root, "talker")) < 100_000


def test_the_search_for_libraries_is_bounded(graded):
    _, rows = graded
    assert course.points(rows["quotes"]) == (2, 0, 1)
    assert rows["quotes"]["seconds"] < 5
    assert rows["quotes"]["review"] == ["the code could not be searched for libraries"]


def test_a_task_has_one_attempt(graded):
    _, rows = graded
    assert [course.points(rows[name]) for name in GUESSES] == [(2, 3, 0), (2, 3, 1)]


def test_a_sandbox_that_serves_two_tasks_tells_nothing_of_the_first(graded):
    root, rows = graded
    assert course.points(rows["slow"]) == (2, 0, 1)
    assert "your code raised ValueError" in course.page(root, "slow")
    assert "LEAK" not in course.page(root, "slow")
