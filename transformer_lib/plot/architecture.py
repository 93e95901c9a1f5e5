"""The architecture as an HTML drawing: boxes that link to chapters, and lines between them."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.style import OLIVE, RASPBERRY, WEIGHT, style_tag

PARTS = {
    "Embedding": "in",
    "Positions": "in",
    "Self-attention": "attend",
    "Masked self-attention": "attend",
    "Cross-attention": "attend",
    "Add & norm": "norm",
    "Norm": "norm",
    "Add": "norm",
    "Feed-forward": "forward",
    "Linear": "out",
    "Softmax": "out",
}
ENCODER = ("Self-attention", "Feed-forward")
DECODER = ("Masked self-attention", "Cross-attention", "Feed-forward")
AROUND = {
    "post": ("", "Add & norm"),
    "pre": ("Norm", "Add"),
}  # each sub-layer, by place of the norm

_COLORS = "".join(
    f".tl-arch .tl-{kind}{{background:rgb({' '.join(map(str, color))}/.22)}}"
    for kind, color in {
        "attend": WEIGHT,
        "forward": OLIVE,
        "in": RASPBERRY,
        "out": RASPBERRY,
        "norm": (128, 128, 128),
    }.items()
)
STYLE = style_tag(Path(__file__).with_suffix(".css")).replace("</style>", f"{_COLORS}</style>")


class _Column(NamedTuple):
    """One stack: its place in the grid and what stands in it."""

    first: int  # the column of the grid that it starts in
    top: int  # the row of its title
    title: str
    tokens: str
    before: tuple[str, ...]  # boxes above the block
    sublayers: tuple[tuple[str, ...], ...]  # the boxes of each, from norm or map to sum
    after: tuple[str, ...]  # boxes below the block

    def boxes(self) -> list[str]:
        """Return the names of all boxes, from the top down."""
        inside = [name for sublayer in self.sublayers for name in sublayer]
        return [*self.before, *inside, *self.after]


def architecture(
    kind: str = "encoder-decoder",
    *,
    layers: int = 6,
    place: str = "post",
    links: Mapping[str, str] | None = None,
    here: str = "",
    small: bool = False,
    positions: bool = True,
    embedding_norm: bool = False,
    notes: Mapping[str, str] | None = None,
) -> Markup:
    """Draw a Transformer from its tokens down to its probabilities.

    Args:
        kind: "encoder", "decoder" or "encoder-decoder".
        layers: the number of times that each block is repeated.
        place: "post" puts each norm after its sum; "pre" puts each norm before its sub-layer, and
            one more after the stack.
        links: the link of a box by its name, such as {"Feed-forward": "08_feed_forward.html"}.
        here: the name of the box that is highlighted.
        small: whether to draw it small, to fit next to other content.
        positions: whether positions are added after the embedding.
        embedding_norm: whether a norm follows the embedding and its positions.
        notes: a word below the name of a box, such as {"Feed-forward": "gated"}; notes for boxes
            that are not drawn are left out.

    Raises:
        ValueError: kind or place is unknown, links or notes name a box that does not exist, or
            here names a box that is not drawn.

    >>> architecture("decoder", layers=2)
    Decoder: tokens; Embedding; Positions;
      2 × (Masked self-attention; Add & norm; Feed-forward; Add & norm);
      Linear; Softmax
    """
    links, notes = dict(links or {}), dict(notes or {})
    for given, boxes in {"links": links, "notes": notes}.items():
        if unknown := sorted(set(boxes) - set(PARTS)):
            raise ValueError(f"{given} must name boxes of {list(PARTS)}, got {unknown}")
    if place not in AROUND:
        raise ValueError(f"place must be 'pre' or 'post', got {place!r}")
    before = ("Embedding", "Positions")[: 1 + positions] + ("Norm",) * embedding_norm
    columns = _columns(kind, place, before)
    drawn = [name for column in columns for name in column.boxes()]
    if here and here not in drawn:
        raise ValueError(f"here must name a box of {list(dict.fromkeys(drawn))}, got {here!r}")
    box = partial(_box, links=links, here=here, notes=notes)
    cells = "".join(_cells(column, layers, box) for column in columns)
    two = " tl-two" if len(columns) == 2 else ""
    size = " tl-small" if small else ""
    text = "\n".join(_text(column, layers, notes) for column in columns)
    if two:
        cells += _memory(columns[0])
        text += "\nThe encoder's output, the memory, goes to every cross-attention."
    if here:
        text += f"\nYou are at: {here}."
    said = escape(f"Architecture. {text}")
    html = f'<div class="tl-arch{two}{size}" role="group" aria-label="{said}">{cells}</div>'
    return Markup(html, text, (STYLE,))


def _columns(kind: str, place: str, first: tuple[str, ...]) -> list[_Column]:
    before, after = AROUND[place]
    last = (before,) if before else ()  # a norm of its own ends a stack of pre-norm layers
    out = (*last, "Linear", "Softmax")
    encoder, decoder = (
        tuple((*last, name, after) for name in names) for names in (ENCODER, DECODER)
    )
    if kind == "encoder":
        return [_Column(1, 1, "Encoder", "tokens", first, encoder, out)]
    if kind == "decoder":
        return [_Column(1, 1, "Decoder", "tokens", first, (decoder[0], decoder[2]), out)]
    if kind != "encoder-decoder":
        raise ValueError(f"kind must be 'encoder', 'decoder' or 'encoder-decoder', got {kind!r}")
    # The decoder starts lower, so that its cross-attention stands beside the encoder's output.
    source = _Column(1, 1, "Encoder", "source tokens", first, encoder, last)
    memory = 1 + 3 + len(source.boxes())
    target = _Column(5, 1, "Decoder", "target tokens so far", first, decoder, out)
    return [source, target._replace(top=memory - 3 - target.boxes().index("Cross-attention"))]


def _cells(column: _Column, layers: int, box: Callable[[str, str, int], str]) -> str:
    block = column.top + 3 + len(column.before)  # title, tokens, boxes, "6 ×"
    end = block + sum(map(len, column.sublayers))
    middle = f"grid-column:{column.first + 1}"
    cells = [
        _text_cell(f"<b>{column.title}</b>", middle, column.top),
        _text_cell(column.tokens, middle, column.top + 1),
        *(box(name, middle, column.top + 2 + i) for i, name in enumerate(column.before)),
        f'<div class="tl-block" aria-hidden="true" style="grid-area:{block - 1}/{column.first}/'
        f'{end}/{column.first + 3}"></div>',
        _text_cell(f"{layers} ×", middle, block - 1),
    ]
    row = block
    for sublayer in column.sublayers:
        cells.append(
            f'<div class="tl-skip" aria-hidden="true" style="grid-area:{row}/{column.first}/'
            f'{row + len(sublayer)}/{column.first + 2}"></div>'
        )
        cells += [box(name, middle, row + i) for i, name in enumerate(sublayer)]
        row += len(sublayer)
    cells += [box(name, middle, end + i) for i, name in enumerate(column.after)]
    return "".join(cells)


def _memory(encoder: _Column) -> str:
    row = encoder.top + 3 + len(encoder.boxes())
    return (
        f'<div class="tl-memory tl-arrow" style="grid-area:{row}/2">memory</div>'
        f'<div class="tl-road" aria-hidden="true" style="grid-area:{row}/2/{row + 1}/6"></div>'
    )


def _text_cell(text: str, column: str, row: int) -> str:
    return f'<div style="{column};grid-row:{row}">{text}</div>'


def _box(
    name: str,
    column: str,
    row: int,
    *,
    links: Mapping[str, str],
    here: str,
    notes: Mapping[str, str],
) -> str:
    tag, target = ("a", f' href="{escape(links[name])}"') if name in links else ("div", "")
    lit, current = (" tl-here", ' aria-current="true"') if name == here else ("", "")
    kind = f"tl-part tl-arrow tl-{PARTS[name]}{lit}"
    style = f"{column};grid-row:{row}"
    note = f"<small>{escape(notes[name])}</small>" if name in notes else ""
    return f'<{tag} class="{kind}"{current}{target} style="{style}">{escape(name)}{note}</{tag}>'


def _text(column: _Column, layers: int, notes: Mapping[str, str]) -> str:
    def said(names: Iterable[str]) -> str:
        return "; ".join(f"{name} ({notes[name]})" if name in notes else name for name in names)

    inside = said(name for sublayer in column.sublayers for name in sublayer)
    after = f";\n  {said(column.after)}" if column.after else ""
    start = f"{column.title}: {column.tokens}; {said(column.before)}"
    return f"{start};\n  {layers} × ({inside}){after}"
