"""The architecture as a drawing in HTML: boxes that lead to their chapters, and what joins them."""

from collections.abc import Mapping
from typing import NamedTuple

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.style import NEGATIVE, POSITIVE, WEIGHT

PARTS = {
    "Embedding": "in",
    "Positions": "in",
    "Self-attention": "attend",
    "Masked self-attention": "attend",
    "Cross-attention": "attend",
    "Add & norm": "norm",
    "Feed-forward": "forward",
    "Linear": "out",
    "Softmax": "out",
}
ENCODER = ("Self-attention", "Feed-forward")
DECODER = ("Masked self-attention", "Cross-attention", "Feed-forward")
_BEFORE_BLOCK = 5  # rows of a column above its block: title, tokens, two boxes, "6 ×"

_COLORS = "".join(
    f".tl-arch .tl-{kind}{{background:rgb({' '.join(map(str, color))}/.22)}}"
    for kind, color in {
        "attend": WEIGHT,
        "forward": POSITIVE,
        "in": NEGATIVE,
        "out": NEGATIVE,
        "norm": (128, 128, 128),
    }.items()
)
STYLE = (
    "<style>"
    ".tl-arch{display:grid;gap:.95rem 0;max-width:34rem;font-size:.875rem;line-height:1.25;"
    "text-align:center;color:inherit;margin:.6em 0;"
    "grid-template-columns:1.1rem minmax(0,1fr) .6rem}"
    ".tl-arch.tl-two{grid-template-columns:"
    "1.1rem minmax(0,1fr) .6rem 1.2rem 1.1rem minmax(0,1fr) .6rem}"
    ".tl-arch>*{position:relative}"
    ".tl-arch .tl-part{border:1.5px solid currentColor;border-radius:.35rem;padding:.3rem .2rem;"
    "color:inherit;text-decoration-thickness:1px;display:grid;place-content:center}"
    ".tl-arch .tl-arrow::before{content:'↓';position:absolute;left:0;right:0;top:-1.02rem;"
    "line-height:1rem;font-size:.8rem;text-decoration:none}"
    ".tl-arch .tl-block{border:1.5px dashed currentColor;border-radius:.6rem;opacity:.6;"
    "margin:-.3rem 0 -.45rem}"
    ".tl-arch .tl-skip{border:solid currentColor;border-width:1.5px 0 0 1.5px;opacity:.6;"
    "border-radius:.4rem 0 0 .4rem;margin:-.6rem 0 .8rem .35rem;width:calc(50% + .1rem)}"
    ".tl-arch .tl-skip::after{content:'';position:absolute;left:0;bottom:0;width:.7rem;"
    "border-bottom:1.5px solid currentColor}"
    ".tl-arch .tl-memory{font-style:italic;padding:.3rem .2rem}"
    ".tl-arch .tl-road{display:flex;align-items:center;"
    "margin-left:calc(50% + .9rem)}"
    ".tl-arch .tl-road::before{content:'';flex:1;border-top:1.5px solid currentColor}"
    ".tl-arch .tl-road::after{content:'▸';line-height:0;margin-left:-.3rem}"
    ".tl-arch .tl-here{outline:3px solid var(--tl-weight,rgb(112 66 184));font-weight:700}"
    ".tl-arch.tl-small{font-size:.72rem;gap:.8rem 0;max-width:11rem;min-width:9.5rem;"
    "line-height:1.1}"
    ".tl-arch.tl-small .tl-part{padding:.15rem .1rem}"
    ".tl-arch.tl-small .tl-arrow::before{top:-.88rem;font-size:.65rem}"
    f"{_COLORS}</style>"
)


class _Column(NamedTuple):
    """One stack: its place in the grid and what stands in it."""

    first: int  # the column of the grid that it starts in
    top: int  # the row of its title
    title: str
    tokens: str
    sublayers: tuple[str, ...]
    after: tuple[str, ...]  # boxes below the block


def architecture(
    kind: str = "encoder-decoder",
    *,
    layers: int = 6,
    links: Mapping[str, str] | None = None,
    here: str = "",
    small: bool = False,
) -> Markup:
    """Draw a Transformer from its tokens down to its probabilities, norms after the sums.

    Args:
        kind: "encoder", "decoder" or "encoder-decoder".
        layers: how often each block is repeated.
        links: where a box leads, by its name, such as {"Feed-forward": "08_feed_forward.html"}.
        here: the box that is lit, by its name.
        small: draw it small, to stand beside something else.

    Raises:
        ValueError: kind is unknown, or links or here name a box that does not exist.

    >>> architecture("decoder", layers=2)
    Decoder: tokens; Embedding; Positions;
      2 × (Masked self-attention; Add & norm; Feed-forward; Add & norm);
      Linear; Softmax
    """
    links = dict(links or {})
    if unknown := sorted({*links, *filter(None, [here])} - set(PARTS)):
        raise ValueError(f"links and here must name boxes of {list(PARTS)}, got {unknown}")
    columns = _columns(kind)
    cells = "".join(_cells(column, layers, links, here) for column in columns)
    two = " tl-two" if len(columns) == 2 else ""
    size = " tl-small" if small else ""
    text = "\n".join(_text(column, layers) for column in columns)
    if two:
        cells += _memory(columns[0])
        text += "\nThe encoder's output, the memory, goes to every cross-attention."
    if here:
        text += f"\nYou are at: {here}."
    said = escape(f"Architecture. {text}")
    html = f'<div class="tl-arch{two}{size}" role="group" aria-label="{said}">{cells}</div>'
    return Markup(html, text, (STYLE,))


def _columns(kind: str) -> list[_Column]:
    out = ("Linear", "Softmax")
    if kind == "encoder":
        return [_Column(1, 1, "Encoder", "tokens", ENCODER, out)]
    if kind == "decoder":
        alone = tuple(name for name in DECODER if name != "Cross-attention")
        return [_Column(1, 1, "Decoder", "tokens", alone, out)]
    if kind != "encoder-decoder":
        raise ValueError(f"kind must be 'encoder', 'decoder' or 'encoder-decoder', got {kind!r}")
    # The decoder starts lower, so that its cross-attention stands beside the encoder's output.
    memory = 1 + _BEFORE_BLOCK + 2 * len(ENCODER)
    cross = _BEFORE_BLOCK + 2 * DECODER.index("Cross-attention")
    source = _Column(1, 1, "Encoder", "source tokens", ENCODER, ())
    target = _Column(5, memory - cross, "Decoder", "target tokens so far", DECODER, out)
    return [source, target]


def _cells(column: _Column, layers: int, links: Mapping[str, str], here: str) -> str:
    block = column.top + _BEFORE_BLOCK
    end = block + 2 * len(column.sublayers)
    middle = f"grid-column:{column.first + 1}"
    cells = [
        _text_cell(f"<b>{column.title}</b>", middle, column.top),
        _text_cell(column.tokens, middle, column.top + 1),
        _box("Embedding", middle, column.top + 2, links, here),
        _box("Positions", middle, column.top + 3, links, here),
        f'<div class="tl-block" aria-hidden="true" style="grid-area:{block - 1}/{column.first}/'
        f'{end}/{column.first + 3}"></div>',
        _text_cell(f"{layers} ×", middle, block - 1),
    ]
    for i, name in enumerate(column.sublayers):
        row = block + 2 * i
        cells.append(
            f'<div class="tl-skip" aria-hidden="true" style="grid-area:{row}/{column.first}/'
            f'{row + 2}/{column.first + 2}"></div>'
        )
        cells += [
            _box(name, middle, row, links, here),
            _box("Add & norm", middle, row + 1, links, here),
        ]
    cells += [_box(name, middle, end + i, links, here) for i, name in enumerate(column.after)]
    return "".join(cells)


def _memory(encoder: _Column) -> str:
    row = encoder.top + _BEFORE_BLOCK + 2 * len(encoder.sublayers)
    return (
        f'<div class="tl-memory tl-arrow" style="grid-area:{row}/2">memory</div>'
        f'<div class="tl-road" aria-hidden="true" style="grid-area:{row}/2/{row + 1}/6"></div>'
    )


def _text_cell(text: str, column: str, row: int) -> str:
    return f'<div style="{column};grid-row:{row}">{text}</div>'


def _box(name: str, column: str, row: int, links: Mapping[str, str], here: str) -> str:
    tag, target = ("a", f' href="{escape(links[name])}"') if name in links else ("div", "")
    lit, current = (" tl-here", ' aria-current="true"') if name == here else ("", "")
    kind = f"tl-part tl-arrow tl-{PARTS[name]}{lit}"
    style = f"{column};grid-row:{row}"
    return f'<{tag} class="{kind}"{current}{target} style="{style}">{escape(name)}</{tag}>'


def _text(column: _Column, layers: int) -> str:
    inside = "; ".join(part for name in column.sublayers for part in (name, "Add & norm"))
    after = "".join(f";\n  {'; '.join(column.after)}" if column.after else "")
    start = f"{column.title}: {column.tokens}; Embedding; Positions"
    return f"{start};\n  {layers} × ({inside}){after}"
