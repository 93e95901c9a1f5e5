"""Say it when a model overflows: |x| <= 65504 in float16, or nan and inf follow."""

from collections.abc import Callable, Iterable

from transformer_lib.formulas.checks import Array, compiling, library

Named = Iterable[tuple[str, Array]]
"""Parameters with their names."""

SHOWN = 3
"""The most names of parameters in a message."""


def check_finite(rows: Array, parameters: Callable[[], Named]) -> None:
    """Raise ValueError if rows, (..., n, d_model), contain nan or inf, and say where it begins.

    Args:
        rows: what a model gives before its head.
        parameters: returns names and arrays of the model; called only if rows are not finite.
    """
    xp = library(rows)
    if compiling(xp):
        return
    try:
        sound = bool(xp.isfinite(rows).all())
    except RuntimeError:  # of torch, whose rows have no numbers on "meta" and while it maps a model
        return
    if not sound:
        raise ValueError(f"the last rows of the model must be finite, {reason(rows, parameters())}")


def reason(rows: Array, parameters: Named) -> str:
    """Return what is wrong with a model that gives nan or inf in rows, for a message."""
    found = [name for name, x in parameters if not bool(library(x).isfinite(x).all())]
    listed = ", ".join(found[:SHOWN])
    if len(found) > SHOWN:
        listed += f" and {len(found) - SHOWN} more"
    half = str(rows.dtype).removeprefix("torch.") == "float16"
    way_out = ", but float16 ends at 65504: use bfloat16 or float32" if half else ""
    return "got nan or inf; its parameters are " + (
        f"not finite in {listed}" if found else f"finite{way_out}"
    )
