"""Checks of kind, rank, number of columns and dtype that every formula makes before it computes."""

import functools
from types import ModuleType
from typing import Any

import array_api_compat
import numpy as np

Array = Any

# What `like` is unless a caller says otherwise: an array of floats in numpy.
NUMPY = np.empty(0)

# Classes of arrays and their libraries, numpy from the start. Asking array_api_compat about each
# array is ten times slower, and neither torch.compile nor torch.export can follow it.
_KNOWN: list[tuple[type, ModuleType]] = [(np.ndarray, np)]
_FLOATS: set[Any] = {np.dtype(name) for name in ("float64", "float32", "float16")}
_INTEGERS: set[Any] = {np.dtype("int64")}


def library(array: Array) -> ModuleType:
    """Return the array library of an array that the caller has already checked."""
    for kind, xp in _KNOWN:
        if isinstance(array, kind):
            return xp
    return namespace(array=array)


def namespace(**arrays: Array) -> ModuleType:
    """Return the array library that all the named arrays share."""
    for kind, xp in _KNOWN:
        for array in arrays.values():
            if not isinstance(array, kind):
                break
        else:
            return xp
    for name, array in arrays.items():
        if not array_api_compat.is_array_api_obj(array):
            raise ValueError(
                f"{name} must be a numpy array or a torch tensor, got {type(array).__name__}"
            )
    kinds = {type(array).__module__.split(".")[0] for array in arrays.values()}
    if len(kinds) > 1:
        listed = ", ".join(f"{n} is from {type(a).__module__}" for n, a in arrays.items())
        raise ValueError(f"arrays must all come from one library, but {listed}")
    found = array_api_compat.array_namespace(*arrays.values())
    if array_api_compat.is_torch_namespace(found):
        know_torch()
    return found


def know_torch() -> None:
    """Make `namespace` recognize tensors and their subclasses immediately."""
    import array_api_compat.torch as xp
    import torch

    if len(_KNOWN) == 1:
        _KNOWN.append((torch.Tensor, xp))
        _FLOATS.update((torch.float64, torch.float32, torch.float16, torch.bfloat16))
        _INTEGERS.add(torch.int64)


def given(**optional: Any) -> dict[str, Any]:
    """Return the named arguments that are not None."""
    return {name: array for name, array in optional.items() if array is not None}


def real(xp: ModuleType, **arrays: Array) -> list[Array]:
    """Return the arrays as floats of one dtype; promote integers and reject other kinds."""
    dtypes = {array.dtype for array in arrays.values()}
    if len(dtypes) == 1 and next(iter(dtypes)) in _FLOATS:
        return list(arrays.values())
    for name, array in arrays.items():
        if not _is_kind(xp, array.dtype, ("real floating", "integral")):
            raise ValueError(f"{name} must contain real numbers, got dtype {array.dtype}")
    floats = [dtype for dtype in dtypes if _is_kind(xp, dtype, "real floating")]
    dtype = xp.result_type(*floats) if floats else xp.asarray(0.0).dtype
    return [a if a.dtype == dtype else xp.astype(a, dtype) for a in arrays.values()]


def integers(xp: ModuleType, **arrays: Array) -> None:
    """Raise ValueError unless every named array holds integers."""
    for name, array in arrays.items():
        if not is_integer(xp, array):
            raise ValueError(f"{name} must contain integers, got dtype {array.dtype}")


def is_integer(xp: ModuleType, array: Array) -> bool:
    """Return whether an array holds integers, which booleans are not."""
    return array.dtype in _INTEGERS or _is_kind(xp, array.dtype, "integral")


def below(xp: ModuleType, limit: int, **arrays: Array) -> None:
    """Raise ValueError unless every entry of every named integer array is from 0 to limit - 1."""
    for name, array in arrays.items():
        if 0 in array.shape:
            continue
        array = xp.astype(array, xp.int64, copy=False)  # torch has no minimum of uint16
        least, most = int(xp.min(array)), int(xp.max(array))
        if least < 0 or most >= limit:
            raise ValueError(f"{name} must be from 0 to {limit - 1}, got {least} to {most}")


def count(least: int, **values: int) -> None:
    """Raise ValueError unless every named value is an integer of at least `least`."""
    for name, value in values.items():
        # A length of an exported model is a symbol: no int, but as good as one. That of a compiled
        # model is one to isinstance alone.
        whole = isinstance(value, int) or hasattr(value, "__index__")
        if isinstance(value, bool) or not whole or value < least:
            raise ValueError(f"{name} must be an integer of {least} or more, got {value!r}")


natural = functools.partial(count, 0)
whole = functools.partial(count, 1)


def positive(**values: float) -> None:
    """Raise ValueError unless every named value is a positive, finite number."""
    for name, value in values.items():
        number = isinstance(value, int | float) or hasattr(value, "__float__")
        if not (number and 0 < value < float("inf")):
            raise ValueError(f"{name} must be positive and finite, got {value!r}")


def not_negative(**values: float) -> None:
    """Raise ValueError unless every named value is a finite number that is not negative."""
    for name, value in values.items():
        if not 0 <= value < float("inf"):
            raise ValueError(f"{name} must be 0 or more and finite, got {value}")


def columns(**arrays: Array) -> None:
    """Raise ValueError unless every named array has at least one column."""
    for name, array in arrays.items():
        if array.shape[-1] == 0:
            raise ValueError(
                f"{name} must have a last axis of length 1 or more, got {shape_of(array)}"
            )


def before_or_after(place: str) -> None:
    """Raise ValueError unless place is "pre" or "post"."""
    if place not in ("pre", "post"):
        raise ValueError(f"place must be 'pre' or 'post', got {place!r}")


def even_columns(**arrays: Array) -> None:
    """Raise ValueError unless every named array has an even number of columns, at least 2."""
    for name, array in arrays.items():
        if array.shape[-1] % 2 or array.shape[-1] == 0:
            raise ValueError(
                f"{name} must have a last axis of even length, at least 2, got {shape_of(array)}"
            )


def has_axis(x: Array, axis: int) -> None:
    """Raise ValueError unless x has this axis."""
    if not -x.ndim <= axis < x.ndim:
        raise ValueError(f"axis must be from {-x.ndim} to {x.ndim - 1}, got {axis}")


def exact_shape(shape: tuple[int, ...], **arrays: Array | None) -> None:
    """Raise ValueError unless every named array (None is skipped) has exactly `shape`."""
    for name, array in arrays.items():
        if array is not None and tuple(array.shape) != shape:
            raise ValueError(f"{name} must have shape {shape}, got {shape_of(array)}")


def at_least_rank(rank: int, **arrays: Array) -> None:
    """Raise ValueError unless every named array has at least `rank` axes."""
    for name, array in arrays.items():
        if array.ndim < rank:
            raise ValueError(f"{name} must have at least {rank} axes, got {shape_of(array)}")


def exact_rank(rank: int, **arrays: Array) -> None:
    """Raise ValueError unless every named array has exactly `rank` axes."""
    for name, array in arrays.items():
        if array.ndim != rank:
            raise ValueError(f"{name} must have {rank} axes, got {shape_of(array)}")


def batch_shape(batches: dict[str, tuple[int, ...]], **arrays: Array) -> tuple[int, ...]:
    """Return the shape to which the named batch axes broadcast, or raise ValueError."""
    shapes = {*batches.values()}
    shape = shapes.pop() if len(shapes) == 1 else _broadcast(list(batches.values()))
    if shape is None:
        listed = ", ".join(f"{name} is {shape_of(arrays[name])}" for name in batches)
        raise ValueError(f"batch axes must broadcast together, but {listed}")
    return shape


def broadcasts_to(shape: tuple[int, ...], **arrays: Array) -> None:
    """Raise ValueError unless every named array broadcasts to exactly `shape`."""
    for name, array in arrays.items():
        if _broadcast([tuple(array.shape), shape]) != shape:
            raise ValueError(f"{name} must broadcast to {shape}, got {shape_of(array)}")


def boolean(xp: ModuleType, **arrays: Array) -> None:
    """Raise ValueError unless every named array is boolean."""
    for name, array in arrays.items():
        if array.dtype != xp.bool:
            raise ValueError(
                f"{name} must be boolean (True = may be attended), got dtype {array.dtype}"
            )


def compiling(xp: ModuleType) -> bool:
    """Return whether torch is compiling or exporting, so that no number can be looked at."""
    return hasattr(xp, "compiler") and bool(xp.compiler.is_compiling())


def shape_of(array: Array) -> str:
    """Return the shape of an array as text, in the same form for both libraries."""
    return f"shape {tuple(array.shape)}"


def _broadcast(shapes: list[tuple[int, ...]]) -> tuple[int, ...] | None:
    """Return the shape that all shapes broadcast to, or None.

    Not numpy's, because an exported model has lengths that are symbols and not yet numbers.
    """
    rank = max([0, *(len(shape) for shape in shapes)])
    whole = [1] * rank
    for shape in shapes:
        for axis, length in enumerate(shape, start=rank - len(shape)):
            if length == whole[axis] or length == 1:
                continue
            if whole[axis] != 1:
                return None
            whole[axis] = length
    return tuple(whole)


@functools.cache
def _is_kind(xp: ModuleType, dtype: Any, kind: str | tuple[str, ...]) -> bool:
    return bool(xp.isdtype(dtype, kind))
