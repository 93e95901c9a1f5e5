"""An editor of queries, keys and values, which is interactive if a kernel runs."""

import math
import re
from typing import Any

import ipywidgets
import numpy as np
from numpy.typing import NDArray

from transformer_lib.formulas.attention import attention_steps
from transformer_lib.plot.markup import Markup
from transformer_lib.plot.numbers import as_matrix
from transformer_lib.plot.step_table import step_table
from transformer_lib.widgets.box import Box, following

LARGEST = 12


def attention_editor(Q: Any, K: Any, V: Any, *, decimals: int = 4) -> Box:
    """Let the reader type Q, K, V and the divisor, and show every step of attention at once.

    Args:
        Q: the first queries, (n_q, d_k).
        K: the first keys, (n_k, d_k).
        V: the first values, (n_k, d_v).
        decimals: how many decimals each number shows.

    Raises:
        ValueError: an argument is not a matrix of numbers. Input that is typed later never raises
            an error: the editor shows what is wrong with it.
    """
    given = {"Q": as_matrix(Q, "Q"), "K": as_matrix(K, "K"), "V": as_matrix(V, "V")}
    fields = {name: _field(name, array) for name, array in given.items()}
    divisor = ipywidgets.Text(value="sqrt(d_k)", description="divisor", layout={"width": "15em"})

    def answer() -> Markup:
        arrays = {name: parse_matrix(name, field.value) for name, field in fields.items()}
        number = parse_divisor(divisor.value, arrays["Q"].shape[1])
        return step_table(attention_steps(**arrays, divisor=number), decimals=decimals)

    shown = following([*fields.values(), divisor], answer)
    row = ipywidgets.HBox([*fields.values(), divisor], layout={"flex_flow": "row wrap"})
    sizes = ", ".join(f"{name} {array.shape}" for name, array in given.items())
    return Box([row, shown], f"editor of {sizes} and the divisor")


def parse_matrix(name: str, text: str) -> NDArray[np.float64]:
    r"""Read a matrix: one row per line, with spaces or commas between the numbers.

    >>> parse_matrix("Q", "1 0.5\n0, -2").tolist()
    [[1.0, 0.5], [0.0, -2.0]]

    Raises:
        ValueError: a word is not a finite number, rows differ in length, no row is given, or there
            are too many rows or columns.
    """
    lines = [line for line in text.replace("−", "-").splitlines() if line.strip()]
    rows = [[_number(name, word) for word in re.split(r"[\s,;]+", line.strip())] for line in lines]
    widths = sorted({len(row) for row in rows})
    if not rows:
        raise ValueError(f"{name} must have at least one row of numbers")
    if len(widths) > 1:
        raise ValueError(f"{name} must have rows of equal length, got rows of {widths} numbers")
    if max(len(rows), *widths) > LARGEST:
        raise ValueError(f"{name} must have at most {LARGEST} rows and columns here")
    return np.array(rows)


def parse_divisor(text: str, d_k: int) -> float:
    """Read a number, or the square root of one: sqrt(3), √3, sqrt(d_k).

    Raises:
        ValueError: text is neither a number nor a root.
    """
    inner = re.fullmatch(r"(?:sqrt\s*\((.*)\)|√\s*(.*))", text.strip())
    if inner is None:
        return _number("divisor", text.strip())
    word = (inner[1] or inner[2] or "").strip()
    value = float(d_k) if word == "d_k" else _number("divisor", word)
    if value < 0:
        raise ValueError(f"divisor must be the root of a number of 0 or more, got {text.strip()!r}")
    return math.sqrt(value)


def _number(name: str, word: str) -> float:
    try:
        value = float(word)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(f"{name} must contain finite numbers, got {word!r}")
    return value


def _field(name: str, array: NDArray[np.float64]) -> Any:
    text = "\n".join(" ".join(f"{x:.10g}" for x in row) for row in array)
    return ipywidgets.Textarea(
        value=text,
        description=name,
        rows=max(3, len(array)),
        style={"description_width": "1.5em"},
        layout={"width": "15em", "height": "auto"},
    )
