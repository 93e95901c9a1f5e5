"""Where a chapter stands: the drawing with its box lit, and what goes in and out there."""

from collections.abc import Mapping

from course import running_example
from transformer_lib import plot
from transformer_lib.plot.markup import Markup, escape, plain, share
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
WHOLE = "the whole model"


def here(
    box: str,
    takes: str,
    gives: str,
    *,
    kind: str = "encoder-decoder",
    place: str = "post",
    layers: int = 6,
    stop: str = "",
) -> Markup:
    """Show the small drawing with one box lit, whose other boxes lead to their chapters.

    Args:
        box: the name of the box that the chapter is about, or "" where it is about all of them.
        takes: what goes in, with its shape, in inline HTML.
        gives: what comes out, in the same way.
        kind: "encoder", "decoder" or "encoder-decoder".
        place: "post" or "pre", where the norms stand.
        layers: how often each block is repeated.
        stop: the stop of `course.running_example` that shows the sentence of the book here, or "".

    Raises:
        ValueError: kind or place is unknown, the drawing has no such box, or the example no such
            stop.

    >>> print(here("Linear", "rows, (n, d_model)", "logits, (n, V)", kind="decoder").text)
    You are here: Linear
    goes in: rows, (n, d_model)
    comes out: logits, (n, V)
    """
    name = box or WHOLE
    links = {each: f"{page}.html" for each, page in PAGES.items() if each != box}
    drawing = plot.architecture(kind, layers=layers, place=place, links=links, here=box, small=True)
    sentence = f"<dt>Our sentence</dt><dd>{running_example.shown(stop)}</dd>" if stop else ""
    html = (
        f'<div class="tl-place">{drawing.html}<dl><dt>You are here</dt>'
        f"<dd><b>{escape(name)}</b></dd><dt>What goes in</dt><dd>{takes}</dd>"
        f"<dt>What comes out</dt><dd>{gives}</dd>{sentence}</dl></div>"
    )
    lines = [("You are here", name), ("goes in", plain(takes)), ("comes out", plain(gives))]
    if stop:
        lines.append(("our sentence", plain(running_example.shown(stop))))
    text = "\n".join(": ".join(line) for line in lines)
    # Drawings further down the page need not bring their style again.
    own = [tag for tag in drawing.head if tag != DRAWINGS_STYLE]
    return Markup(share(*own).html + html, text, (DRAWINGS_STYLE,))


def our_sentence(stop: str) -> Markup:
    """Show what the trained model does with the sentence of the book in one chapter."""
    said = running_example.shown(stop)
    html = f"<dl><dt>Our sentence</dt><dd>{said}</dd></dl>"
    return Markup(f'<div class="tl-place">{html}</div>', f"our sentence: {plain(said)}")
