"""A text cut by several tokenizers as it is typed, which is interactive if a kernel runs."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Protocol, runtime_checkable

import ipywidgets

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.style import style_tag
from transformer_lib.plot.tokens import visible
from transformer_lib.widgets.box import Box, following

LONGEST = 400
STYLE = style_tag(Path(__file__).with_name("tokenizer_explorer.css"))


@runtime_checkable
class Encoder(Protocol):
    """What the explorer needs of a tokenizer; one that also has `tokens` shows single bytes."""

    def encode(self, text: str) -> list[int]:
        """Return the ids of a text."""

    def decode(self, ids: Iterable[int]) -> str:
        """Return the text of the ids."""


class Cut(NamedTuple):
    """The tokens of a text, and for each token whether decoding its id gives another text."""

    pieces: list[str | bytes]
    lost: list[bool]


def tokenizer_explorer(
    tokenizers: Mapping[str, Encoder],
    text: str = "",
    *,
    caption: str = "Guess which count grows most with the next letter. Type it and see.",
) -> Box:
    """Let the reader type a text and see, after each key, how every tokenizer cuts it.

    Args:
        tokenizers: objects with `encode` and `decode`, by name. If an object also has `tokens`, as
            those of `transformer_lib.text` do, a part of a character is shown as bytes.
        text: the first text.
        caption: what to guess, what to change and what to notice, in inline HTML.

    Raises:
        ValueError: no tokenizer is given, or a method is missing in one. Input that is typed later
            never raises an error: the explorer shows what is wrong with it.
    """
    if not tokenizers:
        raise ValueError("tokenizers must be one or more by name, got none")
    for name, each in tokenizers.items():
        if not (hasattr(each, "encode") and hasattr(each, "decode")):
            kind = type(each).__name__
            raise ValueError(f"tokenizers must have encode and decode, {name!r} is a {kind}")
    typed = ipywidgets.Textarea(value=text, description="text", rows=3)
    typed.layout = {"width": "auto", "max_width": "40rem"}
    page = following([typed], lambda: cuts(tokenizers, typed.value))
    about = f"a text cut as you type into {', '.join(tokenizers)}, live"
    return Box([ipywidgets.HTML(f"{STYLE}<p>{caption}</p>"), typed, page], about)


def cuts(tokenizers: Mapping[str, Encoder], text: str) -> Markup:
    """Show the tokens of a text by each tokenizer, with their number and the tokens per byte.

    Raises:
        ValueError: the text is longer than 400 characters, or a tokenizer rejects it.
    """
    if len(text) > LONGEST:
        raise ValueError(f"type at most {LONGEST} characters, got {len(text)}")
    rows = [_row(name, cut(each, text), len(text.encode())) for name, each in tokenizers.items()]
    html = "".join(row.html for row in rows)
    return Markup(f'<div class="tl-cuts">{html}</div>', "\n".join(row.text for row in rows))


def cut(tokenizer: Any, text: str) -> Cut:
    """Return the tokens of a text as they appear in it.

    A token is lost if it is text and decoding its id gives another text: the token was unknown.
    """
    ids = tokenizer.encode(text)
    alone = [tokenizer.decode([i]) for i in ids]
    if not hasattr(tokenizer, "tokens"):
        return Cut(alone, [False] * len(ids))
    pieces = tokenizer.tokens(text)
    both = zip(pieces, alone, strict=True)
    return Cut(pieces, [_is_text(piece) and piece.decode() != one for piece, one in both])


def _is_text(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return False
    return True


def _row(name: str, found: Cut, size: int) -> Markup:
    count, unknown = len(found.pieces), sum(found.lost)
    facts = [f"{count} token" + "s" * (count != 1)]
    if size:
        facts.append(f"{count / size:.2f} per byte")
    if unknown:
        facts.append(f"{unknown} unknown")
    said = "".join(f" <span>{fact}</span>" for fact in facts)
    chips = " ".join(map(_chip, found.pieces, found.lost))
    # A listener hears the counts after each key, and reads the tokens where they stand.
    html = (
        f'<div class="tl-cut"><p aria-live="polite"><b>{escape(name)}</b>{said}</p>'
        f'<div aria-live="off">{chips}</div></div>'
    )
    pieces = "|".join(map(visible, found.pieces))
    return Markup(html, f"{name}: {', '.join(facts)}\n{pieces}")


def _chip(piece: str | bytes, lost: bool) -> str:
    shown = escape(visible(piece))
    if lost:
        return f"<span><del>{shown}</del></span>"
    is_bytes = isinstance(piece, bytes) and not _is_text(piece)
    return f"<span><i>{shown}</i></span>" if is_bytes else f"<span>{shown}</span>"
