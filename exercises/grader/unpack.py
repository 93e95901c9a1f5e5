"""Files of a folder or a zip as a list: foreign names that are never used as paths of ours."""

import os
import shutil
import stat
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from exercises.grader.results import naming
from exercises.grader.sandboxed.limits import FILE_BYTES, MEBIBYTE

MOST_FILES = 20_000
MOST_BYTES = 4096 * MEBIBYTE  # of all notebooks together, unpacked
LONGEST_NAME = 255  # letters in one part of a path; no file system takes more
MOST_FOLDERS = 12  # one in the other
INDEX_BYTES = 8 * MEBIBYTE
PART = MEBIBYTE
END_OF_ZIP = b"PK\x05\x06"
LINK = "it is a symbolic link"


class File(NamedTuple):
    """A file as it was exported: its name there, where it lies here, when it was written."""

    name: str
    inside: str
    time: float = 0.0
    problem: str = ""


def listed(source: Path, into: Path) -> tuple[Path, list[File]]:
    """Return the folder to read from and all files; a zip is unpacked `into` a folder.

    Raises:
        ValueError: there is no such folder or zip, or it holds too much.
    """
    if source.is_dir():
        files = list(_walk(source, ""))
        return source, sorted(files, key=lambda file: file.name)
    if not source.is_file():
        raise ValueError(f"SUBMISSIONS must be a folder or a zip; {source} is neither")
    if into.exists():
        shutil.rmtree(into)
    into.mkdir(parents=True)
    _check_size(source)
    try:
        archive = zipfile.ZipFile(source)
    except Exception as error:  # what is damaged may lead to any
        raise ValueError(f"{source} is no zip that can be read: {error}") from error
    with archive:
        return into, list(_unpacked(archive, into))


def _walk(root: Path, below: str, depth: int = 0) -> Iterator[File]:
    count = 0
    with os.scandir(root / below) as entries:
        for entry in entries:
            count += 1
            if count > MOST_FILES:
                raise ValueError(f"{root / below} holds more than {MOST_FILES} files")
            name = f"{below}/{entry.name}" if below else entry.name
            if entry.is_symlink():
                yield File(name, name, problem=LINK)
            elif not entry.is_dir(follow_symlinks=False):
                yield File(name, name, entry.stat(follow_symlinks=False).st_mtime)
            elif depth >= MOST_FOLDERS:
                yield File(f"{name}/", name, problem="it lies too deep")
            elif entry.name.startswith("."):
                yield File(f"{name}/", name)
            else:
                inner = list(_walk(root, name, depth + 1))
                yield from inner or [File(f"{name}/", name)]


def _check_size(source: Path) -> None:
    # The index of a zip is read into memory as a whole, before anyone could count.
    with source.open("rb") as file:
        file.seek(max(0, source.stat().st_size - 2**16 - 22))
        tail = file.read()
    place = tail.rfind(END_OF_ZIP)
    if int.from_bytes(tail[place + 12 : place + 16], "little") > INDEX_BYTES and place >= 0:
        raise ValueError(f"{source} lists too many files: unpack it and name the folder instead")


def _unpacked(archive: zipfile.ZipFile, into: Path) -> Iterator[File]:
    infos = archive.infolist()
    if len(infos) > MOST_FILES:
        raise ValueError(f"{archive.filename} holds {len(infos)} files, more than {MOST_FILES}")
    left = MOST_BYTES
    for number, info in enumerate(infos):
        name = _name(info)
        if info.filename and info.is_dir():
            continue
        if (why := _refused(info, name)) or not name.endswith(".ipynb"):
            yield File(name, "", problem=why)
            continue
        inside = f"{number:05}.ipynb"
        why, size = _copy(archive, info, into / inside)
        if (left := left - size) < 0:
            raise ValueError(f"the notebooks in {archive.filename} are larger than 4 GB together")
        yield File(name, inside, _time(info), why)


def _name(info: zipfile.ZipInfo) -> str:
    name = info.filename
    if not info.flag_bits & 0x800:  # not declared as UTF-8, and often UTF-8 all the same
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    parts = name.replace("\\", "/").split("/")
    return "/".join(part[:LONGEST_NAME] for part in parts if part not in ("", "."))


def _refused(info: zipfile.ZipInfo, name: str) -> str:
    raw = info.filename.replace("\\", "/")
    if not name:
        return "it has no name"
    if raw.startswith("/") or ".." in name.split("/") or raw[1:2] == ":":
        return "its path leads out of the zip"
    if len(max(raw.split("/"), key=len)) > LONGEST_NAME:
        return "its name is too long"
    if stat.S_ISLNK(info.external_attr >> 16):
        return LINK
    return "it is locked by a password" if info.flag_bits & 1 else ""


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, path: Path) -> tuple[str, int]:
    """Unpack one file, whatever size it claims to have; return what is wrong and the bytes."""
    size = 0
    try:
        with naming(path), path.open("xb") as target:
            for part in _parts(archive, info):
                size += len(part)
                if size > FILE_BYTES:
                    return f"the file is larger than {FILE_BYTES // MEBIBYTE} MB", size
                target.write(part)
    except zipfile.BadZipFile as error:
        return f"it cannot be unpacked: {error}", size
    return "", size


def _parts(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    """Yield what an entry holds; whatever is wrong with it is a BadZipFile."""
    try:
        with archive.open(info) as source:
            while part := source.read(PART):
                yield part
    except Exception as error:  # each kind of compression has errors of its own
        raise zipfile.BadZipFile(str(error)) from error


def _time(info: zipfile.ZipInfo) -> float:
    try:
        return time.mktime((*info.date_time, 0, 0, -1))
    except (ValueError, OverflowError):
        return 0.0
