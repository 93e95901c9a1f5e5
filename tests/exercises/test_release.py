"""What a student gets is up to date, gives nothing away and says what is left to do."""

import json
import re
import sys
from functools import cache
from pathlib import Path

import nbformat
import pytest

from book import syllabus
from exercises import release
from exercises.grader.intake import assignment
from exercises.grader.intake.source import read
from exercises.grader.mark import reference
from tests.exercises.assignments import TORCH, TRAINING, path_of

HERE = Path(release.__file__).parent
SOURCES = sorted(HERE.glob("source/*/*.ipynb"))
RELEASED = [path_of(path.stem, "release") for path in SOURCES]
CHAPTERS = sorted((HERE.parent / "chapters").glob("*.ipynb"))
COURSE = HERE.parent / "chapters" / "course.md"
DOWNLOAD = r"\{download\}`([^ `]+) <(\.\./exercises/[^>]+)>`"


@cache
def cells(path):
    return nbformat.read(path, as_version=4).cells


def text_of(path):
    if path.suffix == ".md":
        return path.read_text(encoding="utf-8")
    return "\n".join(cell.source for cell in cells(path))


def test_release_equals_a_fresh_one(tmp_path):
    release.release(target=tmp_path)
    fresh = {path.relative_to(tmp_path): path.read_bytes() for path in tmp_path.rglob("*.ipynb")}
    folder = HERE / "release"
    committed = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.ipynb")}
    assert fresh.keys() == committed.keys()
    for name, content in fresh.items():
        assert content == committed[name], f"{name} is stale: run `make exercises`"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_judge_means_by_empty_what_a_student_gets(source):
    """The judge has no nbgrader, so it strips for itself."""
    made = assignment.load(source.parent)
    given = read(path_of(source.stem, "release"))["cells"]
    wanted = [cell["source"] for cell in given if cell["cell_type"] == "code"]
    found = [cell.text for cell in reference.empty(made, "ann")]
    assert found[0] == wanted[0].replace('STUDENT_ID = ""', "STUDENT_ID = 'ann'") != wanted[0]
    assert [text.strip() for text in found[1:]] == [text.strip() for text in wanted[1:]]


def test_a_model_answer_is_the_release_solved_and_run(tmp_path, capsys):
    assert release.main(["--answers", "00_warm_up", "--out", str(tmp_path)]) == 0
    answered = cells(tmp_path / "00_warm_up/00_warm_up_answers.ipynb")
    released = cells(path_of("00_warm_up", "release"))
    assert [cell.id for cell in answered] == [cell.id for cell in released]
    differ = [
        cell for cell, bare in zip(answered, released, strict=True) if cell.source != bare.source
    ]
    assert differ and all(cell.metadata.nbgrader.solution for cell in differ)
    assert all("### BEGIN SOLUTION" in cell.source for cell in differ)
    checks = [cell for cell in answered if "-check" in cell.id]
    assert checks and all(re.search(r"pass\.|right\.", printed(cell)) for cell in checks)
    assert "1 assignment answered" in capsys.readouterr().out
    assert release.main(["--answers", "nothing", "--out", str(tmp_path)]) == 2
    assert "there is no assignment nothing" in capsys.readouterr().err


def printed(cell):
    return "".join(output.get("text", "") for output in cell.outputs)


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_choices_are_read_once_where_they_have_their_letters(path):
    dealt = [cell for cell in cells(path) if cell.id.endswith("-choices")]
    assert bool(dealt) == (path.parent.name != TORCH)
    assert all(cell.metadata.jupyter.source_hidden for cell in dealt)


def test_no_chapter_and_assignment_download_under_one_name():
    assert len(RELEASED) == 20 and CHAPTERS
    assert not {path.name for path in RELEASED} & {path.name for path in CHAPTERS}
    offered = [
        (path.parent / link, label)
        for path in [*CHAPTERS, COURSE]
        for label, link in re.findall(DOWNLOAD, text_of(path))
    ]
    assert {file.resolve() for file, _ in offered} == set(RELEASED)
    assert all(file.name == label for file, label in offered)


@pytest.mark.parametrize(
    "path", [*SOURCES, *RELEASED], ids=lambda path: str(path.parent.parent.name)
)
def test_notebook_is_well_made(path):
    assert "STUDENT_ID" in cells(path)[0].source
    for cell in cells(path):
        assert not cell.get("outputs")
        if "nbgrader" in cell.metadata:
            assert cell.metadata.nbgrader.schema_version == 3
        assert "transformer_lib" not in cell.source
    assert json.loads(path.read_text(encoding="utf-8"))["nbformat"] == 4


@pytest.mark.parametrize("path", RELEASED, ids=lambda path: path.stem)
def test_a_student_needs_numpy_and_the_standard_library_alone(path):
    code = "\n".join(cell.source for cell in cells(path) if cell.cell_type == "code")
    found = set(re.findall(r"^\s*(?:import|from) (\w+)", code, flags=re.MULTILINE))
    assert "numpy" in found or "torch" in found
    torch = {"torch"} if path.parent.name == TORCH else set()
    assert found <= {"numpy", *torch, *sys.stdlib_module_names}


def test_each_core_assignment_runs_in_a_page():
    """A page has no torch, and marks each cell that names it."""
    core = [name for week in syllabus.weeks() if week.name.isdigit() for name in week.assignments]
    assert TRAINING in core
    for name in core:
        code = [cell for cell in cells(path_of(name, "release")) if cell.cell_type == "code"]
        assert not [cell.id for cell in code if re.search(r"\btorch\b", cell.source)], name


def test_a_shared_file_that_is_missing_is_named(tmp_path):
    notebook = {"cells": [{"cell_type": "code", "source": ["%run -i ../tables.py"]}]}
    path = tmp_path / "demo/demo.ipynb"
    path.parent.mkdir()
    path.write_text(json.dumps(notebook), encoding="utf-8")
    with pytest.raises(ValueError, match=r"runs tables\.py, but .*tables\.py is missing"):
        read(path)
    (tmp_path / "tables.py").write_text("rows = 2\n", encoding="utf-8")
    assert read(path)["cells"][0]["source"] == "rows = 2"


NUMBERS = {"one": 1, "two": 2, "three": 3, "five": 5, "ten": 10}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_a_call_may_take_ten_times_what_the_text_says_is_enough(path):
    """A slow machine, a slow student's code and a busy judge each take a share of it."""
    texts = " ".join(text_of(path).split())
    said = re.findall(r"(\w+) seconds of \w+ (?:is|are) enough", texts)
    limit = nbformat.read(path, as_version=4).metadata.limits["call"]
    assert all(10 * NUMBERS[number] <= limit for number in said)
    assert bool(said) == (path.stem == TRAINING)
