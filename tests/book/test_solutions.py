"""The instructor's edition holds every exercise, run, and asks no other host."""

import re

import pytest
import yaml

from book import question_sheet, solutions, toc
from book.paths import ROOT
from tests.exercises.assignments import NAMES


def test_the_edition_lists_every_assignment(tmp_path):
    folder = tmp_path / "edition"
    assert solutions.lay_out(ROOT / "exercises/source", folder) == NAMES
    contents = yaml.safe_load((folder / "_toc.yml").read_text(encoding="utf-8"))
    assert [chapter["file"] for chapter in contents["chapters"]] == ["questions", *NAMES]
    for name in NAMES:
        assert "### BEGIN SOLUTION" in (folder / f"{name}.ipynb").read_text(encoding="utf-8")
    config = yaml.safe_load((folder / "_config.yml").read_text(encoding="utf-8"))
    assert config["execute"]["execute_notebooks"] == "force"
    assert config["sphinx"]["config"]["mathjax_path"].startswith("vendor/")


def test_the_sheet_has_each_question_with_its_right_answer():
    source = "\n".join(path.read_text(encoding="utf-8") for path in toc.notebooks())
    calls = re.findall(r"questions\.(choose|number|pose|slip)\(", source)
    asked = [each for path in toc.notebooks() for each in question_sheet.asked(path)]
    assert sum(each.count("(`") for each in asked) == len(calls)
    assert all("✓" in each for each in asked)
    assert "- ✓ 0.6: The exponentials are 6, 3 and 1" in question_sheet.sheet()


def test_a_build_that_fails_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(solutions, "FOLDER", tmp_path / "edition")
    monkeypatch.setattr(solutions.sys, "executable", "/bin/false")
    monkeypatch.setattr(solutions.assets, "ensure", lambda root: None)
    assert solutions.main([]) == 1
    assert "NOT built" in capsys.readouterr().out


@pytest.mark.slow
def test_the_edition_builds():
    assert solutions.main([]) == 0
