"""Displays side by side, which wrap if the page is narrow."""

from transformer_lib.plot.markup import Markup, as_markup, join
from transformer_lib.plot.style import TABLE_STYLE


def row(*pieces: str | Markup) -> Markup:
    """Put displays and strings of inline HTML next to each other.

    >>> row("left", "right")
    left
    right
    """
    joined = join([Markup(f"<div>{p.html}</div>", p.text, p.head) for p in map(as_markup, pieces)])
    html = f'<div class="tl-row">{joined.html}</div>'
    return Markup(html, joined.text, tuple(dict.fromkeys((TABLE_STYLE, *joined.head))))
