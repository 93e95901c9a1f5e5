"""`make grade-mine`: a learner's own notebook, judged as in a class, with a page beside it."""

import json

import nbformat
import pytest

from exercises.grader import mine
from tests.exercises.assignments import notebook, path_of
from tests.grader.solved import write_out

NAME = "04_attention"


def written(tmp_path, student, kind="source"):
    made = notebook(NAME, kind)
    made.cells[0].source = f'STUDENT_ID = "{student}"'
    if kind == "source":
        write_out(made.cells)
    file = tmp_path / "work.ipynb"
    file.write_text(nbformat.writes(made), encoding="utf-8")
    return file


@pytest.mark.parametrize("student", ["", "ada"])
def test_a_right_notebook_gets_all_points_with_an_id_and_without(tmp_path, capsys, student):
    file = written(tmp_path, student)
    assert mine.main([str(file)]) == 0
    page = tmp_path / "work.feedback.html"
    *_, last = capsys.readouterr().out.splitlines()
    assert last == f"20 of 20 points: {page}"
    assert f"<p>{student or 'A learner without an id'}: 20 of 20 points.</p>" in page.read_text(
        encoding="utf-8"
    )


def test_an_unwritten_notebook_hears_what_is_not_yet_written(tmp_path, capsys):
    file = written(tmp_path, "", kind="release")
    assert mine.main([str(file)]) == 0
    said = capsys.readouterr().out
    assert "   0 of 1  Task 1: a stable softmax (rows): not yet written\n" in said
    assert "0 of 20 points: " in said


@pytest.mark.parametrize("content", [None, "{}", json.dumps({"cells": []})])
def test_what_is_no_notebook_of_ours_is_refused_in_a_sentence(tmp_path, capsys, content):
    file = tmp_path / "work.ipynb"
    if content is not None:
        file.write_text(content, encoding="utf-8")
    assert mine.main([str(file)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("grade-mine: ") and str(file) in said
    assert ("must be a notebook, such as my/exercises/" in said) == (content is None)


def test_a_class_finds_the_same_assignment():
    assert mine.claims.most_like(path_of(NAME, "release").read_bytes(), mine.SOURCE) == NAME
