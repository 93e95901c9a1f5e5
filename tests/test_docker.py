"""The container files as far as they can be read here; docs/jupyterhub.md says what was not run."""

import ast
import re
import shutil
import subprocess
import sys
import urllib.parse
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HADOLINT = Path(sys.executable).with_name("hadolint")
FILES = sorted((ROOT / "docker").glob("*.Dockerfile"))
BUILT = {"_build/html"}
"""What a container file copies and `make book` makes."""
OURS = {"jupyterhub", "nbgitpuller", "jupyter-server-proxy"}
"""What only a hub needs: no other part of the course pins it."""


def steps(path: Path) -> list[tuple[str, str]]:
    """The instructions of a container file with their words, comments and line ends taken out."""
    lines = [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if not line.lstrip().startswith("#")
    ]
    joined = "\n".join(lines).replace("\\\n", " ")
    pairs = [line.split(None, 1) for line in joined.splitlines() if line.strip()]
    return [(word, " ".join(rest.split())) for word, rest in pairs]


def copied(path: Path) -> list[str]:
    return [part for word, rest in steps(path) if word == "COPY" for part in rest.split()[:-1]]


def locked() -> set[str]:
    return set(
        (ROOT / "requirements/lock.txt").read_text(encoding="utf-8").replace("_", "-").splitlines()
    )


def test_there_is_one_for_a_hub_for_the_judge_and_for_one_person() -> None:
    assert [path.stem for path in FILES] == ["hub", "judge", "lab"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_copied_exists_and_is_let_in(path: Path) -> None:
    assert len(copied(path)) > 3
    for part in set(copied(path)) - BUILT:
        assert (ROOT / part).exists(), part
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {part.rstrip("/") for part in copied(path)}.isdisjoint(ignored)
    assert "!_build/html" in ignored and {".git", ".venv", "my"} <= set(ignored)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_base_and_all_packages_are_pinned(path: Path) -> None:
    words = dict(steps(path))
    assert re.fullmatch(r"python:3\.11\.\d+-slim-bookworm", words["FROM"])
    runs = [rest for word, rest in steps(path) if word == "RUN"]
    apt = [re.findall(r"recommends (.*?) &&", run)[0] for run in runs if "apt-get" in run]
    assert all("=" in name for names in apt for name in names.split())
    (pip,) = [run for run in runs if "pip install" in run]
    assert "--constraint requirements/lock.txt" in pip
    names = [name for name in pip.split()[2:] if not name.startswith("-") and "/" not in name]
    assert len(names) > 3 and all("==" in name for name in names)
    assert {name for name in names if name.split("==")[0] not in OURS} <= locked()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_it_does_not_run_as_root(path: Path) -> None:
    assert [rest for word, rest in steps(path) if word == "USER"] == ["1000"]


def test_the_judge_is_complete_where_the_files_lie(tmp_path: Path) -> None:
    """The command starts from a copy of no more than what the image gets."""
    for step in [rest.split() for word, rest in steps(FILES[1]) if word == "COPY"]:
        *sources, target = step
        for part in sources:
            into = tmp_path / target
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, into)
            else:
                into.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / part, into)
    (entry,) = [rest for word, rest in steps(FILES[1]) if word == "ENTRYPOINT"]
    python, *words = ast.literal_eval(entry)
    assert python == "python"
    said = subprocess.run(
        [sys.executable, *words, "none", str(tmp_path), "--out", str(tmp_path.parent / "out")],
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 2
    assert f"there is no assignment none: {tmp_path}/exercises/source/none" in said.stderr


def test_lab_copies_the_notebooks_where_the_files_lie(tmp_path: Path) -> None:
    """What the image runs first, with no more than what the image gets."""
    for step in [rest.split() for word, rest in steps(FILES[2]) if word == "COPY"]:
        *sources, target = step
        for part in set(sources) - BUILT:
            into = tmp_path / target
            if (ROOT / part).is_dir():
                shutil.copytree(ROOT / part, into, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                into.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / part, into)
    (command,) = [ast.literal_eval(rest) for word, rest in steps(FILES[2]) if word == "CMD"]
    assert command[:3] == ["python", "-m", "book.lab"]
    code = "from book import copies; print(len(copies.bring().new))"
    said = subprocess.run(
        [sys.executable, "-c", code],
        env={"PYTHONPATH": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert int(said.stdout) > 20 and (tmp_path / "my" / "start.md").is_file()


def test_the_links_of_the_page_lead_to_notebooks() -> None:
    page = (ROOT / "docs/jupyterhub.md").read_text(encoding="utf-8")
    links = re.findall(r"^https://\S*git-pull\S*$", page, re.MULTILINE)
    assert len(links) == 2
    for link in links:
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query, strict_parsing=True)
        name = query["repo"][0].rpartition("/")[2]
        lab, tree, folder, path = query["urlpath"][0].split("/", 3)
        assert (lab, tree, folder) == ("lab", "tree", name)
        assert (ROOT / path).is_file(), path


def test_the_settings_of_the_server_are_python_and_serve_the_book_of_the_image() -> None:
    text = (ROOT / "docker/jupyter_server_config.py").read_text(encoding="utf-8")
    ast.parse(text)
    assert (
        dict(re.findall(r"COPY (_build/html) (\S+)", FILES[0].read_text(encoding="utf-8")))[
            "_build/html"
        ]
        in text
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_hadolint_finds_nothing(path: Path) -> None:
    said = subprocess.run([HADOLINT, str(path)], capture_output=True, text=True, check=False)
    assert (said.stdout, said.returncode) == ("", 0)
