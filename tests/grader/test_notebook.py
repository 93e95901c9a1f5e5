"""A submission is read as a file of an enemy: bad ones give a reason, never a crash."""

import json
import os

import pytest

from exercises.grader.intake import notebook
from exercises.grader.intake.notebook import Unreadable, code_cells, read_bytes
from tests.grader import course


def test_a_regular_file_in_a_folder(tmp_path):
    course.write(tmp_path, "ann", "text")
    assert read_bytes(tmp_path, "ann/demo.ipynb") == b"text"


def test_links_are_not_followed(tmp_path):
    course.write(tmp_path, "ann", "text")
    (tmp_path / "file.ipynb").symlink_to(tmp_path / "ann/demo.ipynb")
    (tmp_path / "folder").symlink_to(tmp_path / "ann")
    for inside in ("file.ipynb", "folder/demo.ipynb"):
        with pytest.raises(Unreadable, match="cannot be opened"):
            read_bytes(tmp_path, inside)


def test_a_pipe_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "pipe.ipynb")
    with pytest.raises(Unreadable, match="not a regular file"):
        read_bytes(tmp_path, "pipe.ipynb")


def test_a_folder_in_the_place_of_the_file(tmp_path):
    (tmp_path / "ann/demo.ipynb").mkdir(parents=True)
    with pytest.raises(Unreadable, match="not a regular file"):
        read_bytes(tmp_path, "ann/demo.ipynb")


def test_empty_and_large_files(tmp_path, monkeypatch):
    monkeypatch.setattr(notebook.limits, "FILE_BYTES", 10)
    (tmp_path / "empty.ipynb").touch()
    (tmp_path / "large.ipynb").write_text("x" * 11, encoding="utf-8")
    (tmp_path / "fits.ipynb").write_text("x" * 10, encoding="utf-8")
    with pytest.raises(Unreadable, match="is empty"):
        read_bytes(tmp_path, "empty.ipynb")
    with pytest.raises(Unreadable, match="clear its outputs"):
        read_bytes(tmp_path, "large.ipynb")
    assert len(read_bytes(tmp_path, "fits.ipynb")) == 10


def test_outputs_are_not_measured(tmp_path, monkeypatch):
    made = course.notebook([course.code("a = 1")])
    made["cells"][0]["outputs"] = [{"data": {"image/png": "x" * 12 * 2**20}}]
    course.write(tmp_path, "ann", made)
    raw = read_bytes(tmp_path, "ann/demo.ipynb")
    monkeypatch.setattr(notebook.limits, "NOTEBOOK_LETTERS", 5)
    assert code_cells(raw) == [notebook.Cell("", "a = 1")]
    monkeypatch.setattr(notebook.limits, "NOTEBOOK_LETTERS", 4)
    with pytest.raises(Unreadable, match="longer than 4 letters"):
        code_cells(raw)


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"\xff\xfe\x00", "it was saved as UTF-16 .*: open it in Jupyter"),
        (b'{"cells": [\n<<<<<<< HEAD\n', "marks of a merge .*: keep one side"),
        (b'{"cells": [', "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b"[]", "nbformat 4"),
        (b"1" * 5000, "nbformat 4"),
        (b'{"nbformat": 3, "worksheets": []}', "nbformat 4, but it has 3"),
        (b'{"nbformat": 4}', "list of at most"),
        (b'{"nbformat": 4, "cells": {}}', "list of at most"),
        (json.dumps({"nbformat": 4, "cells": [{}] * 1001}).encode(), "list of at most 1000"),
        (json.dumps(course.notebook([course.code(3)])).encode(), "a cell has no text"),
        (json.dumps(course.notebook([course.code([1])])).encode(), "a cell has no text"),
        (json.dumps(course.notebook([course.code("x" * 200_001)])).encode(), "too much text"),
    ],
)
def test_what_is_no_notebook(raw, says):
    with pytest.raises(Unreadable, match=says):
        code_cells(raw)


@pytest.mark.parametrize("metadata", [None, [], {"nbgrader": 3}, {"nbgrader": {"grade_id": [1]}}])
def test_metadata_of_any_kind_is_no_error(metadata):
    cell = {"cell_type": "code", "metadata": metadata, "source": ["a = 1\n", "b"]}
    raw = json.dumps({"nbformat": 4, "cells": [cell, None, 3, {"cell_type": []}]}).encode()
    assert code_cells(raw) == [notebook.Cell("", "a = 1\nb")]


def test_an_output_with_a_number_of_any_length_is_no_error():
    made = {"nbformat": 4, "cells": [course.code("x = 1")]}
    raw = json.dumps(made).replace('"outputs": []', f'"outputs": [{"7" * 5000}]')
    assert "777" in raw
    assert code_cells(raw.encode()) == [notebook.Cell("", "x = 1")]
