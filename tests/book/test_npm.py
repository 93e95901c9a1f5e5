import base64
import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from book import assets, npm
from book.live import editor


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A package with one script and one font."""
    path = tmp_path / "package.tgz"
    with tarfile.open(path, "w:gz") as tar:
        for name in ("package/dist/run.js", "package/dist/letters.woff2", "package/README.md"):
            member = tarfile.TarInfo(name)
            member.size = len(name)
            tar.addfile(member, io.BytesIO(name.encode()))
    return path


def test_the_pinned_archive_passes(archive: Path) -> None:
    digest = base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode()
    npm.verify(archive, f"sha512-{digest}")


def test_another_archive_is_refused(archive: Path) -> None:
    with pytest.raises(SystemExit, match="is not the pinned file"):
        npm.verify(archive, "sha512-" + "A" * 86 + "==")


def test_only_the_files_asked_for_are_copied(archive: Path, tmp_path: Path) -> None:
    vendor = tmp_path / "vendor"
    assets.unpack(archive, {"dist/*.js": "", "dist/*.woff2": "fonts"}, vendor)
    files = {path.relative_to(vendor).as_posix() for path in vendor.rglob("*") if path.is_file()}
    assert files == {"run.js", "fonts/letters.woff2"}


def test_a_file_that_is_not_there_is_named(archive: Path, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"holds no file dist/\*\.css"):
        assets.unpack(archive, {"dist/*.css": ""}, tmp_path)


def test_nothing_is_fetched_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "book/live").mkdir(parents=True)
    (tmp_path / "book" / "assets.toml").write_text("package = []\nbundled = []\n", encoding="utf-8")
    (tmp_path / editor.ENTRY).write_text("export {};", encoding="utf-8")
    (tmp_path / "assets" / "vendor").mkdir(parents=True)
    monkeypatch.setattr(assets, "fetch_all", lambda packages, vendor: vendor.mkdir(parents=True))
    monkeypatch.setattr(editor, "bundle", lambda packages, vendor, root: None)
    assert assets.ensure(tmp_path)
    assert not assets.ensure(tmp_path)
    (tmp_path / editor.ENTRY).write_text("export const other = 1;", encoding="utf-8")
    assert assets.ensure(tmp_path), "the editor is bundled anew when its source changes"
