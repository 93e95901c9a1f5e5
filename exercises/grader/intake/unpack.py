"""List the files of a folder or a zip; their foreign names are never used as paths of ours.

A zip in it, which a student packed, is opened too, as a folder of its name, but no zip inside that.
"""

import itertools
import os
import re
import shutil
import stat
import time
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from exercises.grader.intake import notebook
from exercises.grader.mark.results import naming
from exercises.grader.sandboxed.limits import FILE_BYTES, MEBIBYTE

MOST_FILES = 20_000
MOST_BYTES = 4096 * MEBIBYTE  # of all notebooks together, unpacked
LONGEST_NAME = 255  # letters in one part of a path; no file system takes more
MOST_FOLDERS = 12  # one in the other
INDEX_BYTES = 8 * MEBIBYTE
PART = MEBIBYTE
END_OF_ZIP = b"PK\x05\x06"
LINK = "it is a symbolic link"
EMPTY = "it is a zip without a file in it"
BOOK = re.compile(r"(?i)\.ipynb(\.json|\.txt)?$|(?<!\.ipynb)\.(json|txt)$")
"""Endings of a notebook: browsers and mail programs add others or take its own away."""
ZIP = re.compile(r"(?i)\.zip$")


class File(NamedTuple):
    """This is an exported file: its name there, its name here, and the time when it was written."""

    name: str
    inside: str
    time: float = 0.0
    problem: str = ""


def listed(source: Path, into: Path) -> tuple[Path, list[File]]:
    """Return the folder to read from and all files; a zip is unpacked `into` a folder.

    Raises:
        ValueError: there is no such folder or zip, or it contains too much.
    """
    if source.is_dir():
        files = sorted(_walk(source, ""), key=lambda file: file.name)
        if not any(ZIP.search(file.name) for file in files):
            return source, [_as_book(file, source) for file in files]
        store = Store(_empty(into))
        return into, [file for each in files for file in store.taken(each, source)]
    if not source.is_file():
        raise ValueError(f"SUBMISSIONS must be a folder or a zip, but {source} is neither")
    return into, list(Store(_empty(into)).unpacked(source))


def _empty(into: Path) -> Path:
    if into.exists():
        shutil.rmtree(into)
    into.mkdir(parents=True)
    return into


def _as_book(file: File, root: Path) -> File:
    """Return a file under the name of a notebook if it is one, whatever it is called."""
    if not (match := BOOK.search(file.name)) or file.problem:
        return file
    if ".ipynb" not in match[0].casefold():  # a table or a text that somebody put there, perhaps
        try:
            raw = notebook.read_bytes(root, file.inside)
        except notebook.Unreadable:
            return file
        if b'"nbformat"' not in raw or b'"cells"' not in raw:
            return file
    return file._replace(name=BOOK.sub(".ipynb", file.name))


def _walk(root: Path, below: str, depth: int = 0) -> Iterator[File]:
    count = 0
    with os.scandir(root / below) as entries:
        for entry in entries:
            count += 1
            if count > MOST_FILES:
                raise ValueError(f"{root / below} contains more than {MOST_FILES} files")
            name = f"{below}/{entry.name}" if below else entry.name
            if entry.is_symlink():
                yield File(name, name, problem=LINK)
            elif not entry.is_dir(follow_symlinks=False):
                yield File(name, name, entry.stat(follow_symlinks=False).st_mtime)
            elif depth >= MOST_FOLDERS:
                yield File(f"{name}/", name, problem="it is nested too deeply")
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


class Store:
    """This is a folder of files under numbers, and how many more bytes it takes."""

    def __init__(self, into: Path) -> None:
        self.into, self.count, self.left = into, 0, MOST_BYTES

    def place(self, ending: str) -> str:
        """Return the name of the next file.

        Raises:
            ValueError: there are too many.
        """
        if self.count >= MOST_FILES:
            raise ValueError(f"SUBMISSIONS contains more than {MOST_FILES} files")
        self.count += 1
        return f"{self.count - 1:05}{ending}"

    def taken(self, file: File, root: Path) -> Iterator[File]:
        """Yield a copy of a file of a folder or, if it is a zip, the files in it."""
        kind = ".zip" if ZIP.search(file.name) else ".ipynb" if BOOK.search(file.name) else ""
        if not kind or file.problem:
            yield file._replace(inside="")
            return
        inside = self.place(kind)
        try:
            raw = notebook.read_bytes(root, file.inside)
        except notebook.Unreadable as error:
            yield file._replace(inside="", problem=str(error))
            return
        with naming(self.into / inside):
            (self.into / inside).write_bytes(raw)
        yield from self.stored(file._replace(inside=inside), len(raw))

    def stored(self, file: File, size: int, is_inner: bool = False) -> Iterator[File]:
        """Yield a file of the store; a zip of a student is opened.

        Raises:
            ValueError: all files together are too large.
        """
        self.left -= size
        if self.left < 0:
            raise ValueError("the notebooks in SUBMISSIONS are larger than 4 GB together")
        if file.problem or not ZIP.search(file.name):
            yield _as_book(file, self.into)
        elif is_inner:
            yield file._replace(inside="", problem="it is a zip in a zip in a zip")
        else:
            yield from self._opened(file)

    def _opened(self, file: File) -> Iterator[File]:
        """Yield the files in the zip of a student; whatever it is, the student handed it in."""
        is_empty, problem = True, EMPTY
        try:
            for one in self.unpacked(self.into / file.inside, ZIP.sub("/", file.name)):
                is_empty = False
                yield one
        except ValueError as error:
            is_empty, problem = True, f"it cannot be unpacked: {error}"
        if is_empty:
            yield file._replace(inside="", problem=problem)

    def unpacked(self, path: Path, around: str = "") -> Iterator[File]:
        """Yield the files in a zip, each name after `around`.

        Raises:
            ValueError: it is not a zip that can be read, or it contains too much.
        """
        _check_size(path)
        try:
            archive = zipfile.ZipFile(path)
        except Exception as error:  # what is damaged may lead to any
            name = f"{around[:-1]}.zip" if around else path
            raise ValueError(f"{name} cannot be read as a zip: {error}") from error
        with archive:
            infos = archive.infolist()
            if len(infos) > MOST_FILES:
                raise ValueError(f"{path} contains {len(infos)} files, more than {MOST_FILES}")
            yield from [] if around else _empty_folders(infos)
            for info in infos:
                yield from self._one(archive, info, around)

    def _one(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, around: str) -> Iterator[File]:
        name = _name(info)
        if info.filename and info.is_dir():
            return
        why = _refused(info, name)
        kind = ".zip" if ZIP.search(name) else ".ipynb" if BOOK.search(name) else ""
        if why or not kind:
            yield File(around + name, "", problem=why)
            return
        inside = self.place(kind)
        why, size = _copy(archive, info, self.into / inside)
        yield from self.stored(File(around + name, inside, _time(info), why), size, bool(around))


def _empty_folders(infos: Sequence[zipfile.ZipInfo]) -> Iterator[File]:
    """Yield each folder of a zip that nothing is in: its student handed in something."""
    folders = {info.filename: info for info in infos if info.filename}
    # Sorted, what is in a folder comes next to it: no name is taken apart, however long it is.
    names = sorted(folders)
    for name, after in itertools.zip_longest(names, names[1:], fillvalue=""):
        if name.endswith("/") and not after.startswith(name):
            shown = _name(folders[name])
            if not _refused(folders[name], shown):
                yield File(f"{shown}/", "")


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
