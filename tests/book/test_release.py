"""What a release holds, and when there is none."""

import hashlib
import subprocess
import zipfile
from pathlib import Path

import pytest

from book import build, release

CLOSED = "# Changelog\n\n## Unreleased\n\n## 1.0.0, 2026-12-01\n\n- All.\n"


@pytest.mark.parametrize(
    ("changes", "status", "says"),
    [
        (CLOSED, "", []),
        (CLOSED, "?? notes.txt\n", ["notes.txt is not committed"]),
        (CLOSED.replace("\n\n## 1", "\n\n- New.\n\n## 1"), "", ["under Unreleased"]),
        (CLOSED.replace("1.0.0", "0.9.0"), "", ["no head for 1.0.0"]),
    ],
)
def test_nothing_open_is_released(changes: str, status: str, says: list[str]) -> None:
    found = release.refusals(changes, status, "1.0.0")
    assert len(found) == len(says) and all(map(str.__contains__, found, says))


def test_a_zip_is_the_folder_without_what_a_build_reads(tmp_path: Path) -> None:
    book = tmp_path / "html"
    (book / "chapters").mkdir(parents=True)
    for name in ("index.html", "chapters/a.html", build.MARK):
        (book / name).write_text(name, encoding="utf-8")
    files = [release.pack(book, tmp_path / name / "book-1.zip") for name in ("one", "two")]
    with zipfile.ZipFile(files[0]) as packed:
        assert packed.namelist() == ["book-1/chapters/a.html", "book-1/index.html"]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_checksums_are_those_of_the_files(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"book")
    (tmp_path / release.SUMS).write_text("", encoding="utf-8")
    (line,) = release.checksums(tmp_path)
    assert line == f"{hashlib.sha256(b'book').hexdigest()}  a.zip\n"
    (tmp_path / release.SUMS).write_text(line, encoding="utf-8")
    subprocess.run(["sha256sum", "--check", release.SUMS], cwd=tmp_path, check=True)
