"""The files for the forge as far as they can be read here; CONTRIBUTING says what was not run."""

import re
import shlex
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]

from book import tools
from book.paths import ROOT

FORGE = ROOT / ".github"
WORKFLOWS = sorted((FORGE / "workflows").glob("*.yml"))
FORMS = [p for p in sorted((FORGE / "ISSUE_TEMPLATE").glob("*.yml")) if p.stem != "config"]
ACTION = re.compile(r"uses: (actions/[\w-]+)@([0-9a-f]{40})  # v(\d+\.\d+\.\d+)$")
TARGETS = re.findall(
    r"^([\w.$()/-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
)


def load(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def jobs(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = load(path)["jobs"]
    return found


def commands(path: Path) -> list[list[str]]:
    """The words of each command that a workflow runs."""
    steps = [step for job in jobs(path).values() for step in job["steps"] if "run" in step]
    lines = [part for step in steps for part in re.split(r"\n|&&", step["run"])]
    return [shlex.split(line, posix=False) for line in lines if line.strip()]


def test_there_are_the_four_workflows() -> None:
    assert [path.stem for path in WORKFLOWS] == ["checks", "newest", "nightly", "release"]
    assert all(len(commands(path)) >= 3 for path in WORKFLOWS)


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_command_is_there(path: Path) -> None:
    for words in commands(path):
        if words[0] == "make":
            assert words[1].replace(".venv/.installed", "$(INSTALLED)") in TARGETS, words
        if words[0].startswith("."):
            assert words[0].startswith(".venv/") or (ROOT / words[0]).is_file(), words
        if "-m" in words and words[words.index("-m") + 1].startswith("book."):
            module = words[words.index("-m") + 1].replace(".", "/")
            assert (ROOT / f"{module}.py").is_file(), words
        for word in words:
            if word.startswith(("requirements/", "./")):
                assert (ROOT / word).exists(), words


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_to_commits_and_rights_are_named(path: Path) -> None:
    uses = [line for line in path.read_text(encoding="utf-8").splitlines() if "uses:" in line]
    pins = {ACTION.search(line).groups()[:2] for line in uses if ACTION.search(line)}  # type: ignore[union-attr]
    assert all(ACTION.search(line) for line in uses) and len({name for name, _ in pins}) == len(
        pins
    )
    assert "permissions" in load(path)
    assert all(job["timeout-minutes"] <= 180 for job in jobs(path).values() if "container" in job)


def test_checks_are_those_of_ci_on_both_ends_of_python_and_on_other_systems() -> None:
    held = jobs(WORKFLOWS[0])
    oldest = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    minor = oldest["requires-python"].removeprefix(">=")
    images = held["all"]["strategy"]["matrix"]["image"]
    assert images == [f"python:{minor}-bookworm", "python:3-bookworm"]
    assert held["all"]["steps"][-1]["run"] == ".ci/run"
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "\nmake test\n" in script and "test-all" not in script
    nightly = load(FORGE / "workflows" / "nightly.yml")
    assert nightly[True]["schedule"]
    assert nightly["jobs"]["long"]["steps"][-1]["run"] == "make test-all"
    systems = held["book"]["strategy"]["matrix"]["os"]
    assert [name.split("-")[0] for name in systems] == ["macos", "windows"]
    assert held["book"]["steps"][-1]["run"] == "python -m book.build"
    assert held["site"]["needs"] == ["all", "book"]
    assert held["site"]["if"] == "github.event_name == 'push'"
    (upload,) = [s for s in held["site"]["steps"] if "upload-pages" in s.get("uses", "")]
    assert upload["with"]["path"] == "_build/html"


def test_the_newest_packages_are_tried_on_a_schedule_and_a_failure_opens_an_issue() -> None:
    newest = FORGE / "workflows" / "newest.yml"
    held = jobs(newest)
    assert load(newest)[True]["schedule"]  # YAML reads the key `on` as true
    words = {word for command in commands(newest) for word in command}
    assert {"torch", "numpy", "ipywidgets", *(tool.package for tool in tools.ALL)} <= words
    assert (held["report"]["needs"], held["report"]["if"]) == ("test", "failure()")
    assert held["report"]["permissions"] == {"issues": "write"}
    assert "gh issue create" in held["report"]["steps"][0]["run"]


def test_dependabot_stays_off_jupyter_book_2_and_looks_where_the_pins_are() -> None:
    updates = {
        each["package-ecosystem"]: each for each in load(FORGE / "dependabot.yml")["updates"]
    }
    assert updates.keys() == {"pip", "docker", "github-actions"}
    assert {"dependency-name": "jupyter-book", "versions": [">=2"]} in updates["pip"]["ignore"]
    pin = (ROOT / "requirements" / "direct.txt").read_text(encoding="utf-8")
    assert re.search(r"^jupyter-book==1\.", pin, re.MULTILINE)
    for each in updates.values():
        assert (ROOT / each["directory"].strip("/")).is_dir()


def test_hooks_are_tools_that_the_pins_bring() -> None:
    (held,) = load(ROOT / ".pre-commit-config.yaml")["repos"]
    entries = {hook["id"]: hook["entry"].split() for hook in held["hooks"]}
    assert entries.keys() == {"lint", "format", "types", "ties"}
    pins = (ROOT / "requirements" / "direct.txt").read_text(encoding="utf-8")
    for python, option, module, *_ in entries.values():
        assert (python, option) == (".venv/bin/python", "-m")
        ours = (ROOT / f"{module.replace('.', '/')}.py").is_file()
        assert ours or re.search(rf"^{module}==", pins, re.MULTILINE), module


@pytest.mark.parametrize("path", FORMS, ids=lambda path: path.stem)
def test_a_form_asks_something_once(path: Path) -> None:
    held = load(path)
    assert held["name"].lower().replace(" ", "_") == path.stem and held["description"]
    fields = [field["id"] for field in held["body"] if field["type"] != "markdown"]
    assert len(fields) >= 4 and len(set(fields)) == len(fields)
    assert any(field.get("validations", {}).get("required") for field in held["body"])


def test_there_is_a_form_for_a_number_and_one_for_lost_points() -> None:
    assert [path.stem for path in FORMS] == ["a_number_looks_wrong", "a_right_answer_lost_points"]


def test_security_names_no_address_and_links_to_what_is_there() -> None:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert not re.search(r"\S+@\S+\.\w+|https?://", text)
    assert "private report" in text
    links = re.findall(r"\]\(([^)]+)\)", text)
    tests = [f"tests/grader/{name}" for name in ("test_attacks.py", "test_hostile.py")]
    assert links and all((ROOT / name).is_file() for name in [*links, *tests])


@pytest.mark.parametrize(
    "path", [*WORKFLOWS, *FORMS, FORGE / "dependabot.yml", ROOT / "CITATION.cff"]
)
def test_no_file_names_a_repository_that_was_made_up(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"https?://\S+|github\.com/\S+|uses: (?!actions/)\S+", text)
    assert named == []
