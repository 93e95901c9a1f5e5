"""One version, named alike everywhere, and the command that gives the next."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml  # type: ignore[import-untyped]

import transformer_lib
from book import release
from book.paths import ROOT


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The files that name the version, with something new under Unreleased."""
    for name in [*release.PLACES, "CHANGELOG.md"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    path = tmp_path / "CHANGELOG.md"
    text = path.read_text(encoding="utf-8")
    new = f"{release.UNRELEASED}\n- Something new.\n"
    path.write_text(text.replace(release.UNRELEASED, new, 1), encoding="utf-8")
    return tmp_path


def test_every_file_names_the_version_of_the_library() -> None:
    assert set(release.versions().values()) == {transformer_lib.__version__}


def test_the_citation_has_what_its_format_asks_for() -> None:
    held = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    # Required by the Citation File Format 1.2.0; an author without a person's name is an entity.
    assert held["cff-version"] == "1.2.0" and held["message"] and held["title"]
    assert held["authors"] == [{"name": "The authors of The Worked Transformer"}]
    assert held["type"] in {"software", "dataset"} and held["license"] == "MIT"
    known = {"abstract", "keywords", "version", "date-released"}
    assert held.keys() <= known | {"cff-version", "message", "title", "authors", "type", "license"}
    heading = release.HEADING.search((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert heading and heading.groups() == (held["version"], held["date-released"].isoformat())


def test_a_release_moves_every_number_and_what_was_unreleased(copy: Path) -> None:
    old = release.notes(transformer_lib.__version__, copy)
    before = (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    unreleased = release.section(before, release.UNRELEASED)
    release.release("0.12.3", "2031-02-03", copy)
    assert set(release.versions(copy).values()) == {"0.12.3"}
    assert "date-released: 2031-02-03\n" in (copy / "CITATION.cff").read_text(encoding="utf-8")
    assert release.notes("0.12.3", copy) == unreleased and "- Something new." in unreleased
    text = (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    assert text.index(release.UNRELEASED) < text.index("## 0.12.3, 2031-02-03\n")
    assert release.section(text, release.UNRELEASED) == "" and old in text


@pytest.mark.parametrize("version", ["0.1", "v1.0.0", "0.0.9", transformer_lib.__version__])
def test_a_version_that_is_none_or_no_newer_is_refused(copy: Path, version: str) -> None:
    with pytest.raises(ValueError, match=f"version was '?{version}"):
        release.release(version, "2031-02-03", copy)
    assert set(release.versions(copy).values()) == {transformer_lib.__version__}


def test_what_is_not_in_the_changelog_is_not_released(copy: Path) -> None:
    release.release("0.12.3", "2031-02-03", copy)
    with pytest.raises(ValueError, match="under Unreleased"):
        release.release("0.12.4", "2031-02-04", copy)


def test_notes_of_another_version_are_refused(copy: Path) -> None:
    with pytest.raises(ValueError, match="must be that of"):
        release.notes("9.9.9", copy)


def test_the_workflow_may_call_it_with_python_alone() -> None:
    source = (ROOT / "book" / "release.py").read_text(encoding="utf-8")
    lines = [line.split()[1] for line in source.splitlines() if line.startswith(("import", "from"))]
    tops = {name.split(".")[0] for name in lines}
    assert tops - {"book"} <= sys.stdlib_module_names


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package index on this disk, the only one that pip asks."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "index").as_uri())
    monkeypatch.delenv("PIP_EXTRA_INDEX_URL", raising=False)
    monkeypatch.setattr(release, "release", lambda *_: None)
    return tmp_path / "index"


@pytest.mark.parametrize(
    "held,words,says",
    [
        (["numpy"], [], "free in the package index: worked-transformer, worked-transformer-j"),
        (["numpy", "worked-transformer"], [], "holds a package worked-transformer, so the name"),
        (["numpy", "worked-transformer"], ["--ours"], "The version is 9.9.9 now"),
        ([], [], "pip found no package index, so nothing tells whether worked-transformer"),
    ],
)
def test_a_release_asks_whether_its_names_are_free(
    index: Path, held: list[str], words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in held:
        (index / name).mkdir(parents=True)
        wheel = f"{name.replace('-', '_')}-0.1.0-py3-none-any.whl"
        (index / name / "index.html").write_text(f'<a href="{wheel}">{wheel}</a>', encoding="utf-8")
    refused = len(held) == 2 and not words
    assert release.main(["9.9.9", *words]) == refused
    said = capsys.readouterr()
    assert says in said.out + said.err and ("now. Look at" in said.out) != refused


def test_no_text_installs_by_a_name_that_was_never_published() -> None:
    """Another package has the name of ours, so what pip would fetch by name is not this one."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    named = re.compile(
        r"""pip3? (?:install|download) [^\n`]*?(?<![\w./-])"""
        r"""(?:transformer[-_]lib|worked[-_]transformer)\b(?![-_\w]*\.whl|/)"""
    )
    paths = [ROOT / name for name in files.stdout.split("\0")[:-1]]
    texts = [p for p in paths if p.suffix in {".md", ".py", ".ipynb", ".js", ""} and p.is_file()]
    found = [
        f"{path}: {hit}"
        for path in texts
        if path != Path(__file__)
        for hit in named.findall(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert len(texts) > 500 and found == []
    library = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert library["name"] != "transformer_lib"
