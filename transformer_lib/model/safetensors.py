"""Weights on disk: read and write safetensors files as numpy arrays, using only numpy."""

import json
import math
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import numpy as np

DTYPES = {
    "F16": "<f2",
    "F32": "<f4",
    "F64": "<f8",
    "BF16": "<u2",
    "I8": "<i1",
    "I16": "<i2",
    "I32": "<i4",
    "I64": "<i8",
    "U8": "<u1",
    "U16": "<u2",
    "U32": "<u4",
    "U64": "<u8",
    "BOOL": "<u1",
}


def read_safetensors(path: str | Path) -> dict[str, Any]:
    """Read every tensor of a safetensors file as a separate numpy array, in the order of the file.

    The file consists of 8 bytes with the length of the header, the header (JSON, from name to
    dtype, shape and location), and the numbers. Arrays of bfloat16, a dtype missing from numpy, are
    returned as float32 with the same values.

    Args:
        path: the file.

    Raises:
        FileNotFoundError: the file does not exist.
        ValueError: the file is not in this format or is truncated, or its header contradicts itself
            or the file: bytes overlap or are missing, a size does not match dtype and shape, or a
            dtype is missing from numpy.

    Source: the description of the format in the safetensors repository of Hugging Face, README.

    >>> import tempfile, numpy as np
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_safetensors({"E": np.array([[1.0, 2.0]])}, folder + "/w.safetensors")
    ...     read_safetensors(folder + "/w.safetensors")
    {'E': array([[1., 2.]])}
    """
    data = Path(path).read_bytes()
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or length > len(data) - 8:
        raise _broken(
            path, f"its header should take {length} bytes, but {max(len(data) - 8, 0)} follow"
        )
    header = _header(path, data[8 : 8 + length])
    numbers = memoryview(data)[8 + length :]
    entries = {name: _entry(path, name, e) for name, e in header.items() if name != "__metadata__"}
    _check_places(path, entries, len(numbers))
    return {name: _array(numbers, *entry) for name, entry in entries.items()}


def write_safetensors(
    arrays: Mapping[str, Any], path: str | Path, *, bfloat16: Collection[str] = ()
) -> None:
    """Write named numpy arrays as a safetensors file.

    Args:
        arrays: float16, float32, float64, integer or boolean numpy arrays by name.
        path: the file; an existing file is replaced.
        bfloat16: names of uint16 arrays that contain the bits of bfloat16, a dtype missing from
            numpy.

    Raises:
        ValueError: a value is not a numpy array of such a dtype, or a name is not a string or is
            `__metadata__`, which is reserved by the format.
    """
    names = {np.dtype(code): name for name, code in DTYPES.items() if name not in ("BF16", "BOOL")}
    names[np.dtype(bool)] = "BOOL"
    header: dict[str, Any] = {}
    parts, end = [], 0
    for name, array in arrays.items():
        if not isinstance(name, str) or name == "__metadata__":
            raise ValueError(f"names must be text other than '__metadata__', got {name!r}")
        if not isinstance(array, np.ndarray) or array.dtype.newbyteorder("=") not in names:
            kind = getattr(array, "dtype", type(array).__name__)
            raise ValueError(f"{name} must be a numpy array of real numbers or bool, got {kind}")
        parts.append(array.astype(array.dtype.newbyteorder("<")).tobytes())
        start, end = end, end + array.nbytes
        dtype = "BF16" if name in bfloat16 else names[array.dtype.newbyteorder("=")]
        header[name] = {"dtype": dtype, "shape": array.shape, "data_offsets": [start, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    Path(path).write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))


Entry = tuple[str, tuple[int, ...], int, int]


def _header(path: str | Path, text: bytes) -> dict[str, Any]:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({name for name, _ in pairs}) < len(pairs):
            raise _broken(path, "its header gives a name twice")
        return dict(pairs)

    try:
        header = json.loads(text.decode(), object_pairs_hook=once)
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError):
        raise _broken(path, "its header is not JSON") from None
    if not isinstance(header, dict):
        raise _broken(path, "its header is not a JSON object")
    return header


def _entry(path: str | Path, name: str, entry: Any) -> Entry:
    try:
        dtype, shape, (start, end) = (entry[key] for key in ("dtype", "shape", "data_offsets"))
        sizes = [*shape, start, end]
    except (TypeError, KeyError, ValueError):
        raise _broken(path, f"{name!r} must have a dtype, a shape and two data_offsets") from None
    if not all(type(size) is int and size >= 0 for size in sizes):
        raise _broken(path, f"{name!r} has a size or an offset that is not an integer of 0 or more")
    if not isinstance(dtype, str) or dtype not in DTYPES:
        raise _broken(
            path, f"{name!r} has the unknown dtype {dtype!r}, known are {', '.join(DTYPES)}"
        )
    needed = math.prod(shape) * np.dtype(DTYPES[dtype]).itemsize
    if end - start != needed:
        raise _broken(
            path, f"{name!r} needs {needed} bytes for {dtype} {tuple(shape)}, but has {end - start}"
        )
    return dtype, tuple(shape), start, end


def _check_places(path: str | Path, entries: dict[str, Entry], size: int) -> None:
    """Raise ValueError unless the entries cover the `size` bytes once, without a gap."""
    reached = 0
    for name, (_, _, start, end) in sorted(entries.items(), key=lambda item: item[1][2:]):
        if start != reached:
            raise _broken(
                path, f"{name!r} starts at byte {start}, but the tensor before it ends at {reached}"
            )
        reached = end
    if reached != size:
        raise _broken(path, f"its tensors take {reached} bytes, but the file has {size}")


def _array(numbers: memoryview, dtype: str, shape: tuple[int, ...], start: int, end: int) -> Any:
    flat = np.frombuffer(numbers[start:end], DTYPES[dtype]) if end > start else np.empty(0)
    if dtype == "BF16":
        # The upper half of a float32 is a bfloat16.
        return (flat.astype(np.uint32) << 16).view(np.float32).reshape(shape)
    native = np.dtype(bool) if dtype == "BOOL" else np.dtype(DTYPES[dtype]).newbyteorder("=")
    return flat.astype(native).reshape(shape)


def _broken(path: str | Path, what: str) -> ValueError:
    return ValueError(f"{path} is not a complete safetensors file: {what}")
