"""The steps of a computation side by side."""

from collections.abc import Sequence

import numpy as np

from transformer_lib.formulas.attention import AttentionSteps
from transformer_lib.plot.heat_map import Meaning, heat_map
from transformer_lib.plot.markup import Markup, join
from transformer_lib.plot.numbers import as_matrix

_SHOWN: dict[str, tuple[str, Meaning]] = {
    "scores": ("scores", "scores"),
    "scaled": ("scaled", "scores"),
    "masked": ("masked", "scores"),
    "weights": ("weights", "weights"),
    "output": ("output", "values"),
}


def step_table(
    steps: AttentionSteps,
    queries: Sequence[object] | None = None,
    keys: Sequence[object] | None = None,
    *,
    decimals: int = 4,
) -> Markup:
    """Show every step of attention as a table of its own; the tables wrap on a narrow screen.

    Args:
        steps: the steps of attention without batch axes; `masked` is left out if no mask changed
            anything.
        queries: one label per query (the rows).
        keys: one label per key (the columns of all steps but the output).
        decimals: how many decimals each number shows.

    Raises:
        ValueError: a step is not a matrix, or labels do not fit.
    """
    unmasked = np.array_equal(as_matrix(steps.scaled, "scaled"), as_matrix(steps.masked, "masked"))
    tables = [
        heat_map(
            as_matrix(getattr(steps, name), name),
            queries,
            None if name == "output" else keys,
            title=title,
            meaning=meaning,
            decimals=decimals,
        )
        for name, (title, meaning) in _SHOWN.items()
        if not (name == "masked" and unmasked)
    ]
    joined = join(tables)
    text = "\n\n".join(table.text for table in tables)
    return Markup(f'<div class="tl-row tl-steps">{joined.html}</div>', text, joined.head)
