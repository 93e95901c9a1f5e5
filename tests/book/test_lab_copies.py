"""What `make lab` puts into my/: copies nobody overwrites, links that lead somewhere, a start."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from book import copies, lab
from book.paths import ROOT

PAGES = "format: jb-book\nroot: intro\nchapters:\n  - file: chapters/00_first\n"
LINK = re.compile(r"\]\(([^)\s]+)\)|<a[^>]* href=\\?\"([^\"\\]+)")


def notebook(text: str) -> str:
    return json.dumps({"cells": [{"cell_type": "markdown", "source": [text]}]})


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "exercises" / "release" / "one").mkdir(parents=True)
    (tmp_path / "_toc.yml").write_text(PAGES, encoding="utf-8")
    (tmp_path / "chapters" / "00_first.ipynb").write_text(notebook("# First\n"), encoding="utf-8")
    (tmp_path / "chapters" / "01_second.ipynb").write_text(notebook("# Second\n"), encoding="utf-8")
    (tmp_path / "exercises" / "release" / "one" / "one.ipynb").write_text(
        notebook("# One\n"), encoding="utf-8"
    )
    return tmp_path


def test_a_learners_copy_is_never_overwritten(root: Path) -> None:
    (root / "my").mkdir()
    (root / "my" / "00_first.ipynb").write_text("my own work", encoding="utf-8")
    made = {path.relative_to(root).as_posix() for path in copies.bring(root).new}
    assert made == {"my/01_second.ipynb", "my/exercises/one/one.ipynb"}
    assert (root / "my" / "00_first.ipynb").read_text(encoding="utf-8") == "my own work"
    assert copies.bring(root).new == []


def test_a_copy_of_something_that_has_changed_is_named(root: Path) -> None:
    assert copies.bring(root).stale == []
    (root / "my" / "01_second.ipynb").write_text("my own work", encoding="utf-8")
    assert copies.bring(root).stale == []
    (root / "chapters" / "00_first.ipynb").write_text(
        notebook("# First, mended\n"), encoding="utf-8"
    )
    done = copies.bring(root)
    assert done.stale == [root / "my" / "00_first.ipynb"]
    said = lab.report(done, root / "my")
    assert "The course has changed since these were copied:\n  my/00_first.ipynb\n" in said
    done.stale[0].unlink()
    assert copies.bring(root).stale == []
    assert "has changed" not in lab.report(copies.bring(root), root / "my")


def test_the_start_page_says_what_comes_first_and_is_kept_up_to_date(root: Path) -> None:
    copies.bring(root)
    start = root / "my" / "start.md"
    assert "- [First](00_first.ipynb)" in start.read_text(encoding="utf-8")
    assert "01_second" not in start.read_text(encoding="utf-8"), "it is no page of the book"
    (root / "chapters" / "00_first.ipynb").write_text(
        notebook("# First, mended\n"), encoding="utf-8"
    )
    copies.bring(root)
    assert "- [First, mended](00_first.ipynb)" in start.read_text(encoding="utf-8")


def test_every_link_in_my_leads_to_a_file_of_my() -> None:
    pages = {"start.md": copies.start_page(ROOT), **copies.contents(ROOT)}
    assert "[the warm-up](00_warm_up.ipynb) first" in pages["start.md"]
    links = 0
    for name, text in pages.items():
        if name.endswith(".ipynb"):
            cells = json.loads(text)["cells"]
            text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        for link in (urlsplit(a or b) for a, b in LINK.findall(text)):
            if link.scheme or not link.path:
                assert link.scheme or not link.fragment.startswith("transformer_lib"), name
                continue
            links += 1
            assert str((Path("/") / name).parent / link.path)[1:] in pages, (name, link.path)
    assert links > 100


def test_jupyterlab_reads_our_settings_before_its_own() -> None:
    made = lab.environment({"JUPYTER_CONFIG_PATH": "/theirs", "HOME": "/home"})
    assert made["JUPYTER_CONFIG_PATH"].endswith("book/jupyter:/theirs")
    assert lab.environment({})["JUPYTER_CONFIG_PATH"] == str(lab.CONFIGURATION)
    assert made["HOME"] == "/home" and made["PYTHONPATH"] == str(ROOT)
