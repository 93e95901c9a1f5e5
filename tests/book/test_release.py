"""One version, named alike everywhere, and the command that gives the next."""

import shutil
import sys
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
