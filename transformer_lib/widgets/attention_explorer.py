"""Attention with a slider for the number that its scores are divided by."""

import math
from collections.abc import Sequence
from typing import Any

from transformer_lib.formulas.attention import attention_steps
from transformer_lib.plot.heat_map import heat_map
from transformer_lib.plot.markup import Markup, join
from transformer_lib.widgets.frames import frames

DIVISORS = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 2**0.5, 3**0.5, 2.0, 3.0, 5.0, 7.0, 10.0)


def attention_explorer(
    Q: Any,
    K: Any,
    V: Any,
    queries: Sequence[object] | None = None,
    keys: Sequence[object] | None = None,
    *,
    divisors: Sequence[float] = DIVISORS,
    labels: Sequence[str] | None = None,
    start: int | None = None,
    caption: str = "Change the divisor. Notice how evenly each row of weights is shared out.",
    decimals: int = 4,
) -> Markup:
    """Show the weights and the output of attention for every divisor of the scores.

    Args:
        Q: queries, (n_q, d_k).
        K: keys, (n_k, d_k).
        V: values, (n_k, d_v).
        queries: one label per query.
        keys: one label per key.
        divisors: the stops of the slider.
        labels: what the stops are called; unless given, their numbers, with √ for roots of
            integers.
        start: the index of the first stop shown; the stop nearest to 1 unless given.
        caption: the one thing to change and the one thing to notice.
        decimals: how many decimals each number shows.

    Raises:
        ValueError: as `attention_steps`, `heat_map` and `frames`.
    """

    def fn(divisor: float) -> Markup:
        steps = attention_steps(Q, K, V, divisor=divisor)
        weights = heat_map(steps.weights, queries, keys, title="weights", decimals=decimals)
        output = heat_map(
            steps.output, queries, title="output", meaning="values", decimals=decimals
        )
        shown = join([weights, output])
        return Markup(f'<div class="tl-row tl-steps">{shown.html}</div>', shown.text, shown.head)

    nearest = min(range(len(divisors)), key=lambda i: abs(divisors[i] - 1), default=0)
    return frames(
        fn,
        caption=caption,
        names={"divisor": "Divide the scores by"},
        labels={"divisor": [root_label(d) for d in divisors] if labels is None else labels},
        start={"divisor": nearest if start is None else start},
        divisor=divisors,
    )


def root_label(value: float) -> str:
    """Return a number as a string, with √ if it is the root of an integer.

    >>> root_label(3**0.5), root_label(2.0), root_label(0.05)
    ('√3 ≈ 1.732', '2', '0.05')
    """
    square = round(value * value)
    is_root = math.isclose(value * value, square, rel_tol=1e-12) and math.isqrt(square) != value
    return f"√{square} ≈ {value:.4g}" if is_root else f"{value:g}"
