"""Plain data between the judge and the sandbox: JSON in which an array is dtype, shape, bytes.

Both sides use this file. What `Decoder` returns is built from numbers, strings and bytes, so
nothing that arrives can carry behavior: no pickle, no class of the student, no lying array.
"""

import base64
import decimal
import numbers
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from exercises.grader.sandboxed import limits

DTYPES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "float16 float32 float64 complex64 complex128".split()
)
WIDE = {"g": "float64", "G": "complex128"}
Plain = Any
Function = Callable[..., Any]


class ProtocolError(ValueError):
    """The data that arrived are not plain, or more than is allowed."""


class Record(tuple[Any, ...]):
    """A named tuple that arrived: a tuple whose items also have names."""

    _fields: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        """Return the item of that name."""
        if name not in self._fields:
            raise AttributeError(f"the result has no field {name!r}, only {self._fields}")
        return self[self._fields.index(name)]


def encode(value: Any, functions: list[Function] | None = None, depth: int = 0) -> Plain:
    """Return `value` as JSON can hold it.

    Args:
        value: numbers, strings, None, lists, tuples, dicts, sets, arrays, tensors, named tuples.
        functions: where to put functions in `value`; the other side gets their number.
        depth: how deep inside the whole value this one is.

    Raises:
        ProtocolError: a kind of value that is not plain data.
    """
    if depth > limits.DEPTH:
        raise ProtocolError(f"a value is nested deeper than {limits.DEPTH} levels")

    def inside(values: Any) -> list[Plain]:
        return [encode(item, functions, depth + 1) for item in values]

    if isinstance(value, np.ndarray):
        return {"array": _bytes_of(value)}
    if isinstance(value, np.generic):
        return {"scalar": _bytes_of(np.asarray(value))}
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        return {"record": [list(fields), inside(value)]} if fields else {"tuple": inside(value)}
    if isinstance(value, list):
        return {"list": inside(value)}
    if isinstance(value, set | frozenset):
        return {"set": inside(value)}
    if isinstance(value, dict):
        return {"dict": [inside(pair) for pair in value.items()]}
    return _encode_rare(value, functions)


def _encode_rare(value: Any, functions: list[Function] | None) -> Plain:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        grad = bool(value.requires_grad)
        return {"tensor": [*_bytes_of(value.detach().cpu().numpy()), grad]}
    if isinstance(value, np.random.Generator):
        state = value.bit_generator.state
        if state["bit_generator"] == "PCG64":
            # A draw of 32 bits leaves the other half of 64 for the next one.
            parts = [*state["state"].values(), state["has_uint32"], state["uinteger"]]
            return {"generator": [int(part) for part in parts]}
    if isinstance(value, numbers.Rational | decimal.Decimal):
        return float(value)
    if callable(value) and functions is not None:
        functions.append(value)
        return {"function": len(functions) - 1}
    raise ProtocolError(
        f"a value of type {type(value).__name__} cannot be passed to the check: "
        "numbers, strings, lists, tuples, dicts, sets and arrays of numbers can"
    )


def _bytes_of(array: Any) -> list[Plain]:
    array = np.asarray(array)
    if array.dtype.char in WIDE:  # more digits than all machines have
        array = array.astype(WIDE[array.dtype.char])
    name = str(array.dtype)
    if name not in DTYPES:
        raise ProtocolError(
            f"an array of dtype {name} cannot be passed to the check: it must contain numbers"
        )
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode("ascii")
    return [name, [int(side) for side in array.shape], data]
