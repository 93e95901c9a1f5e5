"""Check the arguments of a formula against its signature, once, when a caller enters it."""

import functools
import inspect
import types
from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, Protocol, TypeVar, get_args, runtime_checkable

from jaxtyping import AbstractArray, Bool, Int, Shaped

from transformer_lib.formulas import checks
from transformer_lib.formulas.checks import Array

P = ParamSpec("P")
R = TypeVar("R", covariant=True)
Rule = str | Callable[..., None]
WORDS = {-1: "columns", -2: "rows"}
REMEMBERED = 256
"""How many sets of shapes and dtypes a function remembers."""


@runtime_checkable
class Checked(Protocol[P, R]):
    """A function that checks its arguments and also offers its formula without the checks."""

    @property
    def formula(self) -> Callable[P, R]:
        """The function as it is written, without any checks."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Check the arguments, then compute the formula."""


class _Shape(NamedTuple):
    """An array of a signature: its kind, its batch ("...", "*name" or "") and its last axes."""

    kind: Any
    batch: str
    axes: tuple[str, ...]
    others: frozenset[str]  # the names that say its whole shape, where other arrays have them


def checked(
    also: Callable[..., None] | None = None, **rules: Rule
) -> Callable[[Callable[P, R]], Checked[P, R]]:
    """Check the arguments against the shapes in a signature, and promote reals to one float dtype.

    Axes with the same name must be equally long, "..." axes must broadcast together, and None is
    allowed where it is the default. A rule is either the shape to which an argument must broadcast
    or a function that is called with the argument by its name; `also` is called with all arguments
    by their names. An argument that does not fit raises a ValueError. The attribute `formula` is
    the function without its checks.

    >>> import numpy as np
    >>> from jaxtyping import Num
    >>> @checked(step=checks.positive)
    ... def moved(x: Num[Any, "n"], y: Num[Any, "n"], *, step: float = 1.0): return x + step * y
    >>> moved(np.ones(3), np.ones(2))
    Traceback (most recent call last):
    ...
    ValueError: y must have shape (3,), got shape (2,)
    """

    def decorate(function: Callable[P, R]) -> Checked[P, R]:
        parameters = inspect.signature(function).parameters
        names = [n for n, p in parameters.items() if p.kind is p.POSITIONAL_OR_KEYWORD]
        defaults = {n: p.default for n, p in parameters.items() if p.default is not p.empty}
        optional = {n for n, value in defaults.items() if value is None}
        shapes = {n: s for n, p in parameters.items() if (s := _shape(p.annotation))}
        plain: Any = function
        axes = {n: rule.split() for n, rule in rules.items() if isinstance(rule, str)}
        fits = functools.partial(_fits, shapes, axes)
        looks = [(n, rule) for n, rule in rules.items() if callable(rule)]
        passed: set[Any] = set()  # what had these shapes and dtypes need not be looked at again

        def check(values: dict[str, Any]) -> None:
            skipped = {n for n in optional if values[n] is None}
            arrays = {n: values[n] for n in shapes if n not in skipped}
            key = _key(arrays)
            if key not in passed:
                promoted = fits(arrays)
                values.update(promoted)
                if key is not None and not any(promoted[n] is not arrays[n] for n in promoted):
                    if len(passed) == REMEMBERED:
                        passed.clear()
                    passed.add(key)
            for n, rule in looks:
                if n not in skipped:
                    rule(**{n: values[n]})
            if also is not None:
                also(**values)

        def entry(*args: Any, **kwargs: Any) -> Any:
            given = {**dict(zip(names, args)), **kwargs}  # noqa: B905
            values = {**defaults, **given}
            if len(given) < len(args) + len(kwargs) or values.keys() != parameters.keys():
                return plain(*args, **kwargs)  # which Python refuses in its own words
            check(values)
            return plain(**values)

        # doctest reads a function where its globals are those of the file.
        bare, its = inspect.unwrap(entry), getattr(inspect.unwrap(function), "__globals__", {})
        own: Any = types.FunctionType(bare.__code__, its, closure=bare.__closure__)
        own = functools.update_wrapper(own, plain)
        own.formula = function
        return own  # type: ignore[no-any-return]

    return decorate


def _shape(annotation: Any) -> _Shape | None:
    for each in (annotation, *get_args(annotation)):
        if inspect.isclass(each) and issubclass(each, AbstractArray):
            axes = each.dim_str.split()
            batch = axes.pop(0) if axes and axes[0][0] in ".*" else ""
            others = frozenset(axis.rpartition("*")[2] for axis in axes)
            if batch and (axes or batch != "..."):
                others |= {batch}
            return _Shape(each.dtype, batch, tuple(axes), others)
    return None


def _key(arrays: dict[str, Any]) -> Any:
    """Return the names, kinds, dtypes and shapes of arrays, None where they are not to be kept."""
    try:
        key = tuple((name, type(x), x.dtype, x.shape) for name, x in arrays.items())
        hash(key)  # torch has lengths that are not known yet
    except (AttributeError, TypeError):
        return None
    return key


def _fits(
    shapes: dict[str, _Shape], axes: dict[str, list[str]], arrays: dict[str, Array]
) -> dict[str, Array]:
    """Raise ValueError for the first array that does not fit; return what is real as floats."""
    xp = checks.namespace(**arrays)
    numbers = {}
    for name, array in arrays.items():
        kind = shapes[name].kind
        if kind is Int:
            checks.integers(xp, **{name: array})
        elif kind is Bool:
            checks.boolean(xp, **{name: array})
        elif kind is not Shaped:
            numbers[name] = array
    promoted = dict(zip(numbers, checks.real(xp, **numbers), strict=True))
    lengths = _lengths(shapes, arrays)
    for name, (batch, *rest) in axes.items():
        if name in arrays:
            whole = (*lengths[batch], *(lengths[axis] for axis in rest))
            checks.broadcasts_to(whole, **{name: arrays[name]})
    return promoted


def _lengths(shapes: dict[str, _Shape], arrays: dict[str, Array]) -> dict[str, Any]:
    """Return the length of each named axis, or raise ValueError where arrays do not agree."""
    lengths: dict[str, Any] = {}
    first: dict[str, str] = {}  # the array that has an axis first
    batches: dict[str, tuple[int, ...]] = {}
    for name, array in arrays.items():
        _, batch, axes, others = shapes[name]
        shape = tuple(array.shape)
        n = len(shape) - len(axes)
        if others <= lengths.keys():  # all its axes are those of others
            if others:
                whole = [*lengths.get(batch, ()), *(_length(lengths, axis) for axis in axes)]
                checks.exact_shape(tuple(whole), **{name: array})
        elif n < 0 or (n and not batch):
            (checks.at_least_rank if batch else checks.exact_rank)(len(axes), **{name: array})
        else:
            found: dict[str, Any] = {batch: shape[:n], **dict(zip(axes, shape[n:], strict=True))}
            if batch == "...":
                batches[name] = found.pop(batch)
            for axis, length in found.items():
                if lengths.setdefault(axis, length) != length:
                    raise ValueError(_disagreement(axis, shapes, arrays, first[axis], name))
                first.setdefault(axis, name)
    return {**lengths, "...": checks.batch_shape(batches, **arrays)}


def _length(lengths: dict[str, Any], axis: str) -> Any:
    """Return the length of an axis, of "4*d" 4 times that of d."""
    times, _, one = axis.rpartition("*")
    return lengths[one] * int(times) if times else lengths[one]


def _disagreement(
    axis: str, shapes: dict[str, _Shape], arrays: dict[str, Array], one: str, other: str
) -> str:
    """Return what is wrong with two arrays whose axes of one name differ in length."""
    are = ", ".join(f"{name} is {checks.shape_of(arrays[name])}" for name in (one, other))
    if axis.startswith("*"):
        return f"{one} and {other} must have the same batch axes: {are}"
    places = [shapes[name].axes.index(axis) - len(shapes[name].axes) for name in (one, other)]
    has, must = (WORDS.get(place, "entries") for place in places)
    many = f"{must} ({axis}) as {one}" if has == must else f"{must} as {one} has {has}"
    return f"{other} must have as many {many}: {are}"
