"""A mistake of the instructor is nobody's zero: found before anybody is judged, else not judged."""

import pytest

from exercises.grader.intake import assignment
from exercises.grader.mark import proof
from exercises.grader.run import isolation
from exercises.grader.run.job import Batch
from exercises.grader.sandboxed.limits import Limits
from tests.grader import course, exports

pytestmark = [*course.SANDBOXED, pytest.mark.usefixtures("own_proof")]
HALVES = "def softmax(scores):\n    return scores / 2\n"
WRONG = f"### BEGIN SOLUTION\n{HALVES}### END SOLUTION\n"
LISTS = "def softmax(scores):\n    return [scores]\n"
HIDDEN = "### BEGIN HIDDEN TESTS\n"
FLAW = "hidden_unknown_name + 1\n"
LATER = "rows = softmax(np.log([1.0, 7.0]))\n"


def bank(root, check="", answers=(), visible=None):
    """Write a source in which the hidden test of softmax begins with lines of its own."""
    text = course.SOFTMAX_CHECK if visible is None else visible + HIDDEN + "### END HIDDEN TESTS\n"
    text = text.replace(HIDDEN, HIDDEN + check)
    made = course.submission("", answers, course.CHECKS | {"softmax": text})
    course.write(root / "source", "demo", made)
    hand_in(root, "ann")
    return root


def hand_in(root, student, **answers):
    course.write(root / "submissions", student, course.submission(student, answers))


def task_of(root, student, task="softmax"):
    return course.scores(root)[student]["tasks"][task]


@pytest.mark.parametrize(
    ("check", "answers", "said"),
    [
        ("", {"softmax": WRONG}, "the source's own solution gets 0 of 3 points"),
        (FLAW, {}, "name 'hidden_unknown_name' is not defined"),
        (FLAW, {}, "in line 6 of the cell softmax-check"),
        ("assert False, 'never'\n", {}, "in a hidden check: never"),
    ],
    ids=["solution", "name", "line", "assertion"],
)
def test_an_assignment_that_fails_its_own_solution_is_refused(tmp_path, check, answers, said):
    done = course.grade(bank(tmp_path, check, answers), ends=(2,))
    assert "no submission was judged" in done.stderr
    assert "'The task softmax' (softmax)" in done.stderr
    assert said in done.stderr
    assert not (tmp_path / "out/scores.csv").exists()
    assert not (tmp_path / "out/proof.sha256").exists()


def test_a_task_that_is_right_without_an_answer_is_refused(tmp_path):
    checks = course.CHECKS | {"double": "assert double.__name__ == 'double'\n"}
    course.write(tmp_path / "source", "demo", course.submission("", checks=checks))
    hand_in(tmp_path, "ann")
    done = course.grade(tmp_path, ends=(2,))
    assert "an empty notebook gets 2 points in 'The task double' (double)" in done.stderr


def test_a_proof_is_kept_until_what_it_rests_on_changes(tmp_path, monkeypatch):
    made = assignment.load(course.write_source(tmp_path / "source") / "demo")
    work = Batch(made, isolation.kit(Limits(), ("numpy",)), tmp_path, tmp_path, seed=5)
    proof.prove(work, 2)

    def again(*words):
        raise AssertionError("it is proven again")

    monkeypatch.setattr(proof.batch, "run", again)
    proof.prove(work, 2)
    for changed in (
        work._replace(seed=6),
        work._replace(assignment=made._replace(digest="another")),
        work._replace(kit=work.kit._replace(limits=Limits(call=9.0))),
    ):
        with pytest.raises(AssertionError, match="proven again"):
            proof.prove(changed, 2)


@pytest.mark.parametrize(
    "flaw",
    [
        "assert np.allclose(rows.sum(), 1), hidden_unknown_name\n",
        "if rows.sum() > 2:\n    import hidden_unknown_module\n",
        "if rows.sum() > 2:\n    np.hidden_unknown_function(rows)\n",
    ],
    ids=["name", "module", "function of numpy"],
)
def test_an_error_of_the_test_that_only_wrong_answers_meet_is_not_judged(tmp_path, flaw):
    rows = "def softmax(scores):\n    return np.array([9.0, 9.0])\n"
    root = bank(tmp_path, LATER + flaw, visible="")
    hand_in(root, "bob", softmax=rows)
    done = course.grade(root)
    assert task_of(root, "ann") == {"points": 3.0, "status": "right"}
    assert task_of(root, "bob") == {"points": None, "status": "not judged"}
    assert task_of(root, "bob", "double")["points"] == 2
    assert "not judged: the test of 'The task softmax' (softmax) is itself wrong" in done.stderr
    rows = {row["student"]: row for row in exports.table(root / "out/scores.csv")}
    assert "hidden_unknown" in rows["bob"]["review"] and rows["bob"]["points"] == "not judged"
    page = course.page(root, "bob")
    assert "not your fault" in page and "hidden_unknown" not in page


def test_an_error_that_the_solution_meets_with_these_numbers_is_not_judged(tmp_path):
    # Some ids are missing in a table of the test: bob's, and nobody's in the proof.
    table = "{'proof-solved': 1, 'proof-empty': 1, 'ann': 1, 'cy': 1}[STUDENT_ID]\n"
    root = bank(tmp_path, table)
    for student in ("bob", "cy"):
        hand_in(root, student)
    course.grade(root)
    assert [task_of(root, who)["points"] for who in ("ann", "bob", "cy")] == [3, None, 3]


@pytest.mark.parametrize("answer", [LISTS, HALVES, "def softmax(scores):\n    return None\n"])
def test_an_answer_that_the_test_cannot_use_is_wrong_all_the_same(tmp_path, answer):
    root = bank(tmp_path, LATER + "assert rows.sum() == 1 and rows[1] == 0.875\n", visible="")
    hand_in(root, "bob", softmax=answer)
    course.grade(root)
    assert task_of(root, "bob") == {"points": 0.0, "status": "wrong"}


def test_a_name_that_the_student_lacks_is_their_own(tmp_path):
    root = bank(tmp_path)
    hand_in(root, "bob", softmax="def softmax(scores):\n    return hidden_unknown_name\n")
    course.grade(root)
    assert task_of(root, "bob") == {"points": 0.0, "status": "wrong"}
