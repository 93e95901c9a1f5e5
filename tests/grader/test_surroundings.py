"""Where the command is called from: settings of Python, files of students, no isolation."""

import pytest

from tests.grader import course

pytestmark = course.SANDBOXED


def test_python_that_drops_assertions_still_tests(tmp_path, monkeypatch):
    course.hand_in(tmp_path, ann={"softmax": "def softmax(scores):\n    return scores\n"})
    monkeypatch.setenv("PYTHONOPTIMIZE", "1")
    course.grade(tmp_path)
    assert course.points(course.scores(tmp_path)["ann"]) == (2, 0, 1)


@pytest.mark.parametrize("name", ["secrets", "csv", "multiprocessing", "numpy"])
def test_no_file_of_a_student_is_imported(tmp_path, monkeypatch, name):
    course.hand_in(tmp_path, ann={})
    (tmp_path / f"submissions/{name}.py").write_text(
        f"open({str(tmp_path / 'owned')!r}, 'w')", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path / "submissions")
    course.grade(tmp_path)
    assert not (tmp_path / "owned").exists()
    assert course.points(course.scores(tmp_path)["ann"]) == (2, 3, 1)


def test_no_sandbox_warns_and_grades(tmp_path):
    course.hand_in(tmp_path, me={})
    said = course.grade(tmp_path, "--no-sandbox")
    assert "all your rights" in said.stderr
    assert course.points(course.scores(tmp_path)["me"]) == (2, 3, 1)
