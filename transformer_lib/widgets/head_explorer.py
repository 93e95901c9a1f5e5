"""The weights of every head of every layer, with two sliders."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from transformer_lib.plot.heat_map import heat_map
from transformer_lib.plot.markup import Markup
from transformer_lib.widgets.frames import frames


def head_explorer(
    weights: Any,
    rows: Sequence[object],
    columns: Sequence[object],
    *,
    caption: str = "Change the layer and the head. Notice that each head looks elsewhere.",
    decimals: int = 2,
) -> Markup:
    """Show the attention weights of a stack, one head at a time.

    Layers and heads are counted from 1. A stack of one layer, or of one head, has one slider.

    Args:
        weights: the weights of all layers and heads, (layers, heads, n_q, n_k), such as
            `[layer.self_attention.inner.weights for layer in stack.layers]`.
        rows: one label per query.
        columns: one label per key.
        caption: the one thing to change and the one thing to notice.
        decimals: how many decimals each weight shows.

    Raises:
        ValueError: weights do not have four axes, are empty or have more than 200 heads, or the
            labels do not fit.
    """
    given = [one.detach().cpu() if hasattr(one, "detach") else one for one in weights]
    stack = np.asarray(given, dtype=np.float64)
    if stack.ndim != 4 or stack.size == 0:
        raise ValueError(
            f"weights must have the axes layers, heads, n_q and n_k, none of them empty, "
            f"got {stack.shape}"
        )

    def fn(layer: int = 1, head: int = 1) -> Markup:
        title = f"layer {layer}, head {head}"
        return heat_map(stack[layer - 1, head - 1], rows, columns, title=title, decimals=decimals)

    layers, heads = stack.shape[:2]
    grid: dict[str, Any] = {"layer": range(1, layers + 1)} if layers > 1 or heads == 1 else {}
    grid |= {"head": range(1, heads + 1)} if heads > 1 else {}
    return frames(fn, caption=caption, **grid)
