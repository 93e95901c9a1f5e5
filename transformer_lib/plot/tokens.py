"""A text cut into tokens, each in a box of its own."""

from collections.abc import Sequence

from transformer_lib.plot.markup import Markup, escape
from transformer_lib.plot.style import TABLE_STYLE

SIGNS = {" ": "␣", "\n": "↵", "\t": "⇥"}


def tokens(
    pieces: Sequence[str | bytes], ids: Sequence[int] | None = None, *, title: str = ""
) -> Markup:
    r"""Show tokens in a row, with symbols for spaces; bytes that are not text show their number.

    Args:
        pieces: the tokens, in order.
        ids: a number for each token, shown below it.
        title: shown above the tokens.

    Raises:
        ValueError: no token is given, or the number of ids is not that of tokens.

    >>> tokens(["The", " array", b"\xc3"], title="Three tokens")
    Three tokens
    The|␣array|C3
    """
    if not pieces or (ids is not None and len(ids) != len(pieces)):
        raise ValueError(
            f"ids must be one for each of one or more pieces, got {len(ids or ())} ids and "
            f"{len(pieces)} pieces"
        )
    shown = [visible(piece) for piece in pieces]
    below = [f"<small>{int(i)}</small>" for i in ids] if ids is not None else [""] * len(shown)
    boxes = "".join(
        f"<span><b>{escape(sign)}</b>{number}</span>"
        for sign, number in zip(shown, below, strict=True)
    )
    head = f"<p>{escape(title)}</p>" if title else ""
    text = "|".join(shown)
    lines = [*[title] * bool(title), text]
    if ids is not None:
        lines.append(" ".join(str(int(i)) for i in ids))
    html = f'<div class="tl-tokens">{head}<div>{boxes}</div></div>'
    return Markup(html, "\n".join(lines), (TABLE_STYLE,))


def visible(piece: str | bytes) -> str:
    """Return a token with symbols for its spaces, or its bytes in hexadecimal if it is not text.

    A character that would be invisible shows its number.

    >>> visible(b" x"), visible("é".encode()[:1]), visible("\u200d")
    ('␣x', 'C3', 'U+200D')
    """
    if isinstance(piece, bytes):
        try:
            piece = piece.decode()
        except UnicodeDecodeError:
            return " ".join(f"{byte:02X}" for byte in piece)
    return "".join(map(_sign, piece))


def _sign(character: str) -> str:
    is_seen = character in SIGNS or character.isprintable()
    return SIGNS.get(character, character) if is_seen else f"U+{ord(character):04X}"
