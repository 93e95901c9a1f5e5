"""A probability distribution as horizontal bars."""

from collections.abc import Sequence
from typing import Any

from transformer_lib.plot.heat_map import describe, spoken
from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.numbers import as_matrix, fixed, positive
from transformer_lib.plot.style import TABLE_STYLE


def bars(
    values: Any,
    labels: Sequence[object],
    *,
    title: str = "",
    decimals: int = 4,
    limit: float | None = None,
) -> Markup:
    """Show one bar and one number per label, such as the probability of each token.

    Args:
        values: numbers of 0 or more, one per label.
        labels: what each bar represents.
        title: shown above the bars.
        decimals: how many decimals each number shows.
        limit: the value of a full bar, the largest of the values unless given. Give it if several
            charts are to be compared.

    Raises:
        ValueError: values are not a vector, are negative or not finite, or do not fit the labels,
            or limit is not positive.
    """
    array = as_matrix(values, "values")
    if array.shape != (1, len(labels)):
        raise ValueError(f"values must be {len(labels)} numbers, one per label, got {array.shape}")
    if not ((array >= 0) & (array < float("inf"))).all():
        raise ValueError("values must be finite numbers of 0 or more")
    limit = (float(array.max()) or 1.0) if limit is None else limit
    positive("limit", limit)
    rows = zip(map(str, labels), array[0].tolist(), strict=True)
    lines = [(label, value, fixed(value, decimals)) for label, value in rows]
    body = "".join(
        f'<tr><th scope="row">{escape(label)}</th><td>{number}</td>'
        '<td class="tl-bar" aria-hidden="true">'
        f'<i style="width:{fixed(100 * min(value / limit, 1), 1)}%"></i></td></tr>'
        for label, value, number in lines
    )
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    said = spoken(title, describe(array.T, labels, ["value"], decimals=decimals))
    html = (
        f'<div class="tl-box"><table class="tl-table tl-bars" {said}>'
        f"{caption}<tbody>{body}</tbody></table></div>"
    )
    width = max(len(label) for label, _, _ in lines)
    text = [f"{label.rjust(width)}  {number}" for label, _, number in lines]
    return Markup(html, "\n".join([title] * bool(title) + text), (TABLE_STYLE,))
