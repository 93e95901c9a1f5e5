"""Where a chapter stands: the drawing with its box lit, and what goes in and out there."""

from collections.abc import Mapping

from transformer_lib import plot
from transformer_lib.plot.markup import Markup, escape, plain
from transformer_lib.plot.style import DRAWINGS_STYLE

PAGES: Mapping[str, str] = {
    "Embedding": "02_embeddings",
    "Positions": "03_positional_encoding",
    "Self-attention": "04_attention",
    "Masked self-attention": "06_masked_attention",
    "Cross-attention": "07_cross_attention",
    "Feed-forward": "08_feed_forward",
    "Add & norm": "09_add_and_norm",
    "Norm": "09_add_and_norm",
    "Add": "09_add_and_norm",
    "Linear": "11_language_model_head",
    "Softmax": "11_language_model_head",
}


def here(
    box: str, takes: str, gives: str, *, kind: str = "encoder-decoder", place: str = "post"
) -> Markup:
    """Show the small drawing with one box lit, whose other boxes lead to their chapters.

    Args:
        box: the name of the box that the chapter is about.
        takes: what goes in, with its shape, in inline HTML.
        gives: what comes out, in the same way.
        kind: "encoder", "decoder" or "encoder-decoder".
        place: "post" or "pre", where the norms stand.

    Raises:
        ValueError: kind or place is unknown, or the drawing has no such box.

    >>> print(here("Linear", "rows, (n, d_model)", "logits, (n, V)", kind="decoder").text)
    You are here: Linear
    goes in: rows, (n, d_model)
    comes out: logits, (n, V)
    """
    links = {name: f"{page}.html" for name, page in PAGES.items() if name != box}
    drawing = plot.architecture(kind, place=place, links=links, here=box, small=True)
    html = (
        f'<div class="tl-place">{drawing.html}<dl><dt>You are here</dt>'
        f"<dd><b>{escape(box)}</b></dd><dt>What goes in</dt><dd>{takes}</dd>"
        f"<dt>What comes out</dt><dd>{gives}</dd></dl></div>"
    )
    said = [plain(text) for text in (takes, gives)]
    text = f"You are here: {box}\ngoes in: {said[0]}\ncomes out: {said[1]}"
    return Markup(html, text, (*drawing.head, DRAWINGS_STYLE))
