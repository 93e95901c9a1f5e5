"""An assignment moves on by itself: a notebook of an earlier version keeps the numbers of then."""

import json
import shutil

import pytest

from exercises.grader import mine
from exercises.grader.intake import assignment
from exercises.grader.mark import judge, marking
from exercises.grader.mark.attempt import Case
from exercises.grader.mark.graded import Graded, possible
from exercises.grader.mark.results import Result, Status, TaskResult
from exercises.grader.report import scores, summary
from exercises.grader.report.origin import Origin
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course, marks, ways
from tests.grader.solved import FOLDER

THEN = {"measured": "MEASURED = [1, 2]", "dealt": 'letters = deal("dealt", "one", "other")'}
NOW = THEN | {"measured": "VERSION = 6\nMEASURED = [3, 4]"}
SUM = "### BEGIN SOLUTION\ntotal = sum(MEASURED)\n### END SOLUTION"
CHECK = """assert isinstance(total, int)
### BEGIN HIDDEN TESTS
assert total == sum(MEASURED), "this is not the sum"
### END HIDDEN TESTS
checked("total", total)"""


def written(given, answer, check=CHECK, helpers="%run -i ../helpers.py\n%run -i ../paper.py"):
    """Return the notebook of the source, or of a student, with these given cells."""
    locked = {"helpers": helpers} | given
    cells = [course.code('STUDENT_ID = ""')]
    cells += [course.code(text, grade_id=name, locked=True) for name, text in locked.items()]
    cells.append(course.code(answer, grade_id="total", solution=True))
    cells[-1]["metadata"]["tags"] = ["by-hand"]
    cells.append(course.code(check, grade_id="total-check", grade=True, points=2))
    return course.notebook(cells)


def handed_in(given, answer):
    return written(given, answer, assignment.HIDDEN.sub("", CHECK), ways.helpers())


def bank(root, earlier):
    """Write a bank with an assignment of version 6, and what it gave earlier."""
    course.write(root, "sums", written(NOW, SUM)).rename(root / "sums/sums.ipynb")
    for shared in ("helpers.py", "paper.py"):
        shutil.copy(FOLDER / shared, root)
    (root / "sums/earlier").mkdir()
    for version, texts in earlier.items():
        lines = {name: text.splitlines(keepends=True) for name, text in texts.items()}
        (root / f"sums/earlier/{version}.json").write_text(json.dumps(lines), encoding="utf-8")
    return root / "sums"


@pytest.fixture
def sums(tmp_path):
    return assignment.load(bank(tmp_path, {5: {"measured": THEN["measured"]}}))


def judged(task_set, fork_server, made, versions=(5,)):
    case = Case("ann", json.dumps(made).encode(), seed=1, versions=frozenset(versions))
    return judge.grade(task_set, fork_server, Limits(), case)


@course.in_sandbox
@pytest.mark.parametrize("is_marked", [True, False])
@pytest.mark.parametrize(("given", "right", "wrong"), [(THEN, 3, 7), (NOW, 7, 3)])
def test_a_notebook_is_judged_by_the_numbers_that_it_showed(
    sums, fork_server, given, right, wrong, is_marked
):
    for answer, points in ((right, 2), (wrong, 0)):
        made = handed_in(given, f"total = {answer}")
        for cell in made["cells"]:
            cell["metadata"] = cell["metadata"] if is_marked else {}
        result = judged(sums, fork_server, made)
        assert (result.points, result.flags) == (points, ())
        assert result.notes == () or (not is_marked and "differs" not in str(result.notes))


@course.in_sandbox
def test_the_numbers_of_then_are_those_of_the_instructor(sums, fork_server):
    own = THEN | {"measured": "MEASURED = [100, 200]"}
    result = judged(sums, fork_server, handed_in(own, "total = 300"))
    assert result.points == 0
    assert [note for note in result.notes if "the cell measured differs" in note]


@course.in_sandbox
@pytest.mark.parametrize("versions", [(), (5,)])
@pytest.mark.parametrize("text", ["VERSION = 5\n", "VERSION = 4\n", ""])
def test_a_notebook_of_now_becomes_none_of_then_by_another_number(
    sums, fork_server, text, versions
):
    given = NOW | {"measured": NOW["measured"].replace("VERSION = 6\n", text)}
    for answer, points in ((3, 0), (7, 2)):
        result = judged(sums, fork_server, handed_in(given, f"total = {answer}"), versions)
        assert result.points == points
        assert any("but its cells are those of version 6" in flag for flag in result.flags)


@course.in_sandbox
def test_a_notebook_of_then_waits_until_its_version_is_named(sums, fork_server):
    result = judged(sums, fork_server, handed_in(THEN, "total = 3"), versions=())
    assert [task.status for task in result.tasks] == [Status.NOT_JUDGED]
    assert "--version 5" in result.flags[0]


def test_only_a_version_that_the_assignment_had_can_be_named(sums):
    assert marking.versions("5, 6", sums) == {5, 6} and marking.versions("", sums) == set()
    for words in ("4", "5,x", "7"):
        with pytest.raises(ValueError, match=r"--version must name .* \(it has 5\), got '[4x7]'"):
            marking.versions(words, sums)


@course.in_sandbox
def test_a_version_with_all_rules_gains_no_earlier_ones(sums, fork_server):
    computed = handed_in(THEN, "total = sum(MEASURED)")
    (task,) = judged(sums, fork_server, computed).tasks
    assert task.points == 0 and "`MEASURED` gets no value in this cell" in task.reason


def test_grade_mine_knows_the_numbers_of_then(tmp_path, sums):
    file = tmp_path / "mine.ipynb"
    file.write_text(json.dumps(handed_in(THEN, "total = 3")), encoding="utf-8")
    assert mine.grade(file, tmp_path).points == 2


def test_a_file_holds_what_its_version_was_the_last_to_give(tmp_path):
    kept = {4: {"measured": "MEASURED = [4]"}, 5: {"measured": "MEASURED = [5]", "dealt": ""}}
    folder = bank(tmp_path, kept)
    shown = [assignment.load(folder).of(version).locked for version in (3, 4, 5, 6)]
    wanted = [*["MEASURED = [4]"] * 2, "MEASURED = [5]", NOW["measured"]]
    assert [cells["measured"].text for cells in shown] == wanted
    assert ["dealt" in cells for cells in shown] == [False, False, False, True]


def test_what_was_given_earlier_belongs_to_the_digest_of_an_assignment(tmp_path):
    kept = [{5: {"measured": "MEASURED = [1]"}}, {5: {"measured": "MEASURED = [2]"}}, {}]
    banks = [bank(tmp_path / str(n), each) for n, each in enumerate(kept)]
    assert len({assignment.load(folder).digest for folder in banks}) == 3


def test_a_cell_that_the_notebook_does_not_have_is_named(tmp_path):
    folder = bank(tmp_path, {5: {"measure": "MEASURED = [1, 2]"}})
    with pytest.raises(ValueError, match=r"5\.json: the notebook has no cell 'measure'"):
        assignment.load(folder)


SECOND = SUM.replace("total", "double").replace("sum(MEASURED)", "2 * MEASURED[0]")


def second(answer, check):
    """Return the cells of a task that came later."""
    cell = course.code(answer, grade_id="double", solution=True)
    cell["metadata"]["tags"] = ["by-hand"]
    return [cell, course.code(check, grade_id="double-check", grade=True, points=3)]


def with_a_second_task(root):
    """Write a bank in which version 6 has a task more than version 5, and return the folder."""
    check = CHECK.replace("total", "double").replace("sum(MEASURED)", "2 * MEASURED[0]")
    now = written(NOW, SUM)
    now["cells"] += second(SECOND, check)
    folder = bank(root, {})
    (folder / "sums.ipynb").write_text(json.dumps(now), encoding="utf-8")
    (folder / "earlier/5.ipynb").write_text(json.dumps(written(THEN, SUM)), encoding="utf-8")
    return folder


@course.in_sandbox
def test_a_notebook_of_then_is_judged_without_the_tasks_that_came_later(tmp_path, fork_server):
    task_set = assignment.load(with_a_second_task(tmp_path))
    result = judged(task_set, fork_server, handed_in(THEN, "total = 3"))
    found = [(task.name, task.status, task.points, task.possible) for task in result.tasks]
    right, not_asked = ("total", Status.RIGHT, 2, 2), ("double", Status.NOT_ASKED, 0, 0)
    assert found == [right, not_asked] and result.earned == result.possible == 2
    now = judged(task_set, fork_server, handed_in(NOW, "total = 7"))
    assert (now.tasks[1].status, now.points, now.possible) == (Status.WRONG, 2, 5)


def test_a_task_that_came_later_counts_for_nobody_of_then(tmp_path):
    """Whoever handed in nothing was given the version of the others."""
    task_set = assignment.load(with_a_second_task(tmp_path))
    tasks = (
        TaskResult("total", "The sum", 2, 2, Status.RIGHT),
        TaskResult("double", "Twice", 0, 0, Status.NOT_ASKED),
    )
    nothing = judge.rest(task_set, "bob", Status.ABSENT, "nothing handed in")
    class_ = [Graded(marks.handed(one.student), one) for one in (nothing, Result("ann", tasks))]
    assert possible(class_) == 2 and possible(class_[:1]) == 5
    assert summary.hardest(class_[1:]) == [("The sum", 1)]
    assert "2 of 2 points on average" in summary.summary("sums", class_)
    scores.save(task_set, class_, Origin({}, {}), tmp_path)
    _, bob, ann = (tmp_path / "scores.csv").read_text(encoding="utf-8").splitlines()
    assert ann.startswith('"ann",2,"",2,2,') and bob.startswith('"bob","","",')
