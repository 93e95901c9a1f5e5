"""GGUF files, in which llama.cpp stores models: read metadata and 4-bit weights with numpy.

A block of 32 weights has one scale d, and in one format a minimum m, each a float16:

    Q8_0: w = d q, q of 8 bits       Q4_0: w = d (q - 8), q of 4 bits       Q4_1: w = d q + m
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

BLOCK = 32
NUMBERS = dict(zip(range(8), ("u1", "i1", "<u2", "<i2", "<u4", "<i4", "<f4", "?"), strict=True))
NUMBERS |= {10: "<u8", 11: "<i8", 12: "<f8"}
STRING, ARRAY = 8, 9
KINDS = {0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 8: "Q8_0"}
REFUSED = {6: "Q5_0", 7: "Q5_1", 10: "Q2_K", 11: "Q3_K", 12: "Q4_K", 13: "Q5_K", 14: "Q6_K"}
REFUSED |= {9: "Q8_1", 15: "Q8_K", 20: "IQ4_NL", 23: "IQ4_XS", 28: "F64", 30: "BF16", 39: "MXFP4"}


def _q4(data: Any) -> Any:
    """Return the low halves of 16 bytes and then the high ones, (blocks, 32)."""
    return np.concatenate([data & 15, data >> 4], axis=1).astype(np.float32)


def _half(data: Any) -> Any:
    return np.ascontiguousarray(data).view("<f2").astype(np.float32)


def _scaled(q: Any, d: Any, m: Any = 0) -> Any:
    """Return d q + m in the array of q, because the largest matrix has no room for a second one."""
    q *= d
    q += m
    return q


OPENED: dict[str, tuple[int, int, Callable[[Any], Any]]] = {
    "F32": (4, 1, lambda x: x.view("<f4").astype(np.float32)),
    "F16": (2, 1, _half),
    "Q8_0": (34, BLOCK, lambda x: _scaled(x[:, 2:].view("i1").astype(np.float32), _half(x[:, :2]))),
    "Q4_0": (18, BLOCK, lambda x: _scaled(_q4(x[:, 2:]) - 8, _half(x[:, :2]))),
    "Q4_1": (20, BLOCK, lambda x: _scaled(_q4(x[:, 4:]), _half(x[:, :2]), _half(x[:, 2:4]))),
}
"""For each kind: a block's bytes, its weights, and the function that decodes (blocks, bytes)."""


class Entry(NamedTuple):
    """A tensor of a GGUF file: its kind, its shape (rows first) and the byte at which it begins."""

    kind: str
    shape: tuple[int, ...]
    start: int


def read_gguf(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Read the metadata and the tensors of a GGUF file, with every tensor converted to float32.

    Args:
        path: the file, of version 2 or 3.

    Raises:
        FileNotFoundError: the file does not exist.
        ValueError: the file is not in this format, is truncated or contradicts itself, or a tensor
            is of a kind other than F32, F16, Q8_0, Q4_0 and Q4_1.

    Source: the description of the format in the repository of ggml, docs/gguf.md.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "empty.gguf")
    ...     _ = path.write_bytes(b"GGUF" + bytes([3, 0, 0, 0]) + bytes(16))
    ...     read_gguf(path)
    ({}, {})
    """
    # One tensor after the other: in a browser there is no room for the file beside what it holds.
    with Path(path).open("rb") as opened:
        file = _File(path, opened)
        metadata, entries = _entries(file)
        return metadata, {name: _tensor(file, name, entry) for name, entry in entries.items()}


def read_entries(path: str | Path) -> dict[str, Entry]:
    """List the tensors of a GGUF file without decoding any; the errors are those of `read_gguf`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "empty.gguf")
    ...     _ = path.write_bytes(b"GGUF" + bytes([3, 0, 0, 0]) + bytes(16))
    ...     read_entries(path)
    {}
    """
    with Path(path).open("rb") as opened:
        return _entries(_File(path, opened))[1]


def read_metadata(path: str | Path) -> dict[str, Any]:
    """Read the metadata of a GGUF file but no tensor; the errors are those of `read_gguf`."""
    with Path(path).open("rb") as opened:
        return _metadata(_File(path, opened))[0]


def _metadata(file: "_File") -> tuple[dict[str, Any], int]:
    """Read the beginning of a file: its metadata, and how many tensors follow."""
    if file.take(4) != b"GGUF":
        raise file.broken("it does not begin with GGUF")
    version = file.number("<u4")
    if version not in (2, 3):
        raise file.broken(f"its version must be 2 or 3, got {version}")
    tensors, values = file.number("<u8"), file.number("<u8")
    metadata: dict[str, Any] = {}
    for _ in range(values):
        name = file.string()
        if name in metadata:
            raise file.broken(f"its metadata has {name!r} twice")
        metadata[name] = file.value(file.number("<u4"))
    return metadata, tensors


def _entries(file: "_File") -> tuple[dict[str, Any], dict[str, Entry]]:
    """Read the metadata and, of each tensor, where it is."""
    metadata, count = _metadata(file)
    named = [_entry(file) for _ in range(count)]
    if len(dict(named)) < count:
        raise file.broken("it has a tensor twice")
    step = metadata.get("general.alignment", 32)
    if type(step) is not int or step <= 0:
        raise file.broken(f"general.alignment must be an integer of 1 or more, got {step!r}")
    start = -(-file.place // step) * step
    return metadata, {name: each._replace(start=start + each.start) for name, each in named}


def _entry(file: "_File") -> tuple[str, Entry]:
    """Read the entry of a tensor; its start is still counted from the first tensor."""
    name, dimensions = file.string(), file.number("<u4")
    if dimensions > 4:
        raise file.broken(f"{name!r} must have at most 4 dimensions, got {dimensions}")
    shape = tuple(file.number("<u8") for _ in range(dimensions))[::-1]
    kind = file.number("<u4")
    if kind not in KINDS:
        known = ", ".join(KINDS.values())
        raise file.broken(f"{name!r} must be one of {known}, got {REFUSED.get(kind, kind)}")
    return name, Entry(KINDS[kind], shape, file.number("<u8"))


def _tensor(file: "_File", name: str, entry: Entry) -> Any:
    shape = entry.shape
    size, block, opened = OPENED[entry.kind]
    if not shape or 0 in shape or shape[-1] % block:
        raise file.broken(f"{name!r} must have rows of whole blocks of {block}, got {shape}")
    blocks = math.prod(shape) // block
    file.place = entry.start
    data = np.frombuffer(file.take(blocks * size), np.uint8).reshape(blocks, size)
    return opened(data).reshape(shape)


class _File:
    """The bytes of an open file, which are taken from a place on that moves."""

    def __init__(self, path: str | Path, opened: BinaryIO) -> None:
        self.path, self.opened, self.place = path, opened, 0
        self.size = Path(path).stat().st_size

    def take(self, count: int) -> bytes:
        if count > self.size - self.place:
            there = max(self.size - self.place, 0)
            raise self.broken(
                f"it needs {count} bytes at byte {self.place}, but only {there} follow"
            )
        self.opened.seek(self.place)
        self.place += count
        return self.opened.read(count)

    def number(self, code: str) -> Any:
        return np.frombuffer(self.take(np.dtype(code).itemsize), code)[0].item()

    def string(self) -> str:
        data = self.take(self.number("<u8"))
        try:
            return str(data, "utf-8")
        except UnicodeDecodeError:
            raise self.broken(f"the text before byte {self.place} is not UTF-8") from None

    def value(self, kind: int) -> Any:
        if kind == STRING:
            return self.string()
        if kind == ARRAY:
            return self.array(self.number("<u4"), self.number("<u8"))
        return self.number(self.code(kind))

    def array(self, kind: int, count: int) -> list[Any]:
        if kind == STRING:
            return [self.string() for _ in range(count)]
        code = self.code(kind)
        found: list[Any] = np.frombuffer(self.take(count * np.dtype(code).itemsize), code).tolist()
        return found

    def code(self, kind: int) -> str:
        if kind not in NUMBERS:
            raise self.broken(
                f"a value must have a type from 0 to 12, and no array may contain "
                f"another array, got {kind}"
            )
        return NUMBERS[kind]

    def broken(self, what: str) -> ValueError:
        return ValueError(f"{self.path} is not a complete GGUF file: {what}")
