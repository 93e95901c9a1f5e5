"""Where the command is called from: settings of Python, files of students, no isolation."""

from tests.grader import course

pytestmark = course.SANDBOXED


def test_python_that_drops_assertions_still_tests(tmp_path, monkeypatch):
    course.hand_in(tmp_path, ann={"softmax": "def softmax(scores):\n    return scores\n"})
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    course.grade(tmp_path, apart=True)
    assert course.points(course.scores(tmp_path)["ann"]) == (2, 0, 1)


def test_no_file_of_a_student_is_imported(tmp_path, monkeypatch):
    course.hand_in(tmp_path, ann={})
    for name in ("secrets", "csv", "multiprocessing", "numpy"):
        (tmp_path / f"submissions/{name}.py").write_text(
            f"open({str(tmp_path / 'owned_by_')!r} + {name!r}, 'w')", encoding="utf-8"
        )
    monkeypatch.chdir(tmp_path / "submissions")
    course.grade(tmp_path, apart=True)
    assert list(tmp_path.glob("owned_by_*")) == []
    assert course.points(course.scores(tmp_path)["ann"]) == (2, 3, 1)


def test_no_sandbox_warns_and_grades(tmp_path):
    course.hand_in(tmp_path, me={})
    said = course.grade(tmp_path, "--no-sandbox")
    assert "all your rights" in said.stderr
    assert course.points(course.scores(tmp_path)["me"]) == (2, 3, 1)
