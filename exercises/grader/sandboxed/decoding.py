"""The other half of the protocol: values from JSON, each part checked before it is used."""

import base64
import binascii
import math
import re
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from exercises.grader.sandboxed import limits
from exercises.grader.sandboxed.encoding import DTYPES, Function, Plain, ProtocolError, Record

FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}")


class Decoder:
    """Build values from JSON, believing nothing; it counts, so one serves one message."""

    def __init__(self, function: Callable[[int], Function] | None = None) -> None:
        self.function = function
        self.left = limits.ITEMS

    def decode(self, data: Plain, depth: int = 0) -> Any:
        """Return the value, or raise ProtocolError with the error in `data`."""
        self.left -= 1
        if self.left < 0 or depth > limits.DEPTH:
            raise ProtocolError("a value has too many parts or is nested too deeply")
        if data is None or isinstance(data, bool | float):
            return data
        if isinstance(data, str):
            # A lone surrogate would break whoever writes it to a file. In a notebook a word of a
            # check is the same object as that word in a solution, and `is` compares objects.
            return sys.intern(data.encode("utf-8", "replace").decode("utf-8"))
        if isinstance(data, int):
            return _integer(data)
        if not isinstance(data, dict) or len(data) != 1:
            raise ProtocolError("a value has a type that cannot be passed to the check")
        [(kind, content)] = data.items()
        read = getattr(self, f"_{kind}", None) if kind in KINDS else None
        if read is None or not isinstance(content, list | int):
            raise ProtocolError("a value is of an unknown kind")
        return read(content, depth + 1)

    def _items(self, content: Plain, depth: int) -> list[Any]:
        if not isinstance(content, list):
            raise ProtocolError("a list is expected inside a value")
        return [self.decode(item, depth) for item in content]

    _list = _items

    def _tuple(self, content: Plain, depth: int) -> tuple[Any, ...]:
        return tuple(self._items(content, depth))

    def _set(self, content: Plain, depth: int) -> set[Any]:
        return set(self._dict([[item, None] for item in _some(content)], depth))

    def _dict(self, content: Plain, depth: int) -> dict[Any, Any]:
        if len(_some(content)) > limits.DICT_ITEMS:
            raise ProtocolError(f"a dict or set has more than {limits.DICT_ITEMS} entries")
        pairs = [self._items(pair, depth) for pair in content]
        try:
            return {key: value for key, value in pairs}
        except (TypeError, ValueError) as error:
            raise ProtocolError("a dict has a key that cannot be a key") from error

    def _record(self, content: Plain, depth: int) -> Record:
        fields, values = _some(content, 2)
        record = Record(self._items(values, depth))
        names = tuple(self._items(fields, depth))
        # Not one leading underscore: numpy would read memory at an __array_interface__.
        good = all(isinstance(name, str) and FIELD.fullmatch(name) for name in names)
        if not good or len(names) != len(record):
            raise ProtocolError("a named tuple has wrong names")
        record._fields = names
        return record

    def _complex(self, content: Plain, depth: int) -> complex:
        real, imaginary = _some(content, 2)
        if not isinstance(real, float) or not isinstance(imaginary, float):
            raise ProtocolError("a complex number needs two floats")
        return complex(real, imaginary)

    def _array(self, content: Plain, depth: int) -> Any:
        return _array_of(*_some(content, 3))

    def _scalar(self, content: Plain, depth: int) -> Any:
        array = _array_of(*_some(content, 3))
        if array.shape:
            raise ProtocolError("a single number came with a shape")
        return array[()]

    def _tensor(self, content: Plain, depth: int) -> Any:
        *parts, grad = _some(content, 4)
        torch = sys.modules.get("torch")
        if torch is None:
            raise ProtocolError("a value is a tensor, but torch is not used here")
        tensor = torch.from_numpy(_array_of(*parts))
        return tensor.requires_grad_() if grad is True and tensor.is_floating_point() else tensor

    def _generator(self, content: Plain, depth: int) -> Any:
        state, increment, has_half, half = map(_integer, _some(content, 4))
        bits = np.random.PCG64(0)
        fresh: dict[str, Any] = {**bits.state, "state": {"state": state, "inc": increment}}
        try:
            bits.state = {**fresh, "has_uint32": has_half, "uinteger": half}  # type: ignore[typeddict-item]
        except (TypeError, ValueError, OverflowError) as error:
            raise ProtocolError("a generator has a state that is not allowed") from error
        return np.random.Generator(bits)

    def _function(self, content: Plain, depth: int) -> Any:
        if self.function is None or not isinstance(content, int):
            raise ProtocolError("a function cannot be handed back")
        return self.function(content)


KINDS = frozenset(
    "list tuple set dict record complex array scalar tensor generator function".split()
)


def _some(content: Plain, length: int | None = None) -> list[Plain]:
    if not isinstance(content, list) or length not in (None, len(content)):
        raise ProtocolError("a value has the wrong number of parts")
    return content


def _integer(value: Plain) -> int:
    if type(value) is not int:
        raise ProtocolError("a whole number is expected inside a value")
    if value.bit_length() > limits.INTEGER_BITS:
        raise ProtocolError(f"a whole number has more than {limits.INTEGER_BITS} bits")
    return value


def _array_of(name: Plain, shape: Plain, data: Plain) -> Any:
    if not isinstance(name, str) or name not in DTYPES or not isinstance(data, str):
        raise ProtocolError("an array has a dtype that is not allowed")
    if not isinstance(shape, list) or len(shape) > limits.AXES:
        raise ProtocolError("an array has too many axes")
    if not all(type(side) is int and 0 <= side <= limits.SIDE for side in shape):
        raise ProtocolError("an array has an axis of a length that is not allowed")
    # A side of 0 must not hide a huge one: a sum over the empty axis would fill the memory.
    whole = math.prod(max(side, 1) for side in shape) * np.dtype(name).itemsize
    if whole > limits.FRAME_BYTES:
        raise ProtocolError(f"an array is larger than {limits.FRAME_BYTES} bytes")
    try:
        raw = base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ProtocolError("the bytes of an array are not base64") from error
    if len(raw) != math.prod(shape) * np.dtype(name).itemsize:
        raise ProtocolError("an array has more or fewer bytes than its shape says")
    if name == "bool":
        # A byte of 2 would be a True that equals neither True nor False.
        return (np.frombuffer(raw, np.uint8) != 0).reshape(shape)
    return np.frombuffer(raw, name).reshape(shape).copy()
