"""The instructor's edition holds every exercise, run, and asks no other host."""

import pytest
import yaml

from book import solutions
from book.paths import ROOT
from tests.exercises.assignments import NAMES


def test_the_edition_lists_every_assignment(tmp_path):
    folder = tmp_path / "edition"
    assert solutions.lay_out(ROOT / "exercises/source", folder) == NAMES
    contents = yaml.safe_load((folder / "_toc.yml").read_text(encoding="utf-8"))
    assert [chapter["file"] for chapter in contents["chapters"]] == NAMES
    for name in NAMES:
        assert "### BEGIN SOLUTION" in (folder / f"{name}.ipynb").read_text(encoding="utf-8")
    config = yaml.safe_load((folder / "_config.yml").read_text(encoding="utf-8"))
    assert config["execute"]["execute_notebooks"] == "force"
    assert config["sphinx"]["config"]["mathjax_path"].startswith("vendor/")


def test_a_build_that_fails_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(solutions, "FOLDER", tmp_path / "edition")
    monkeypatch.setattr(solutions.sys, "executable", "/bin/false")
    monkeypatch.setattr(solutions.assets, "ensure", lambda root: None)
    assert solutions.main([]) == 1
    assert "NOT built" in capsys.readouterr().out


@pytest.mark.slow
def test_the_edition_builds():
    assert solutions.main([]) == 0
