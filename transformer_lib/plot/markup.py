"""What a notebook displays: HTML for a page, plain text for a terminal and for comparison."""

import html
import re
from collections.abc import Iterable
from typing import NamedTuple

# The tags that a notebook has shown once for all its outputs.
_shared: set[str] = set()


class Markup(NamedTuple):
    """HTML with its plain-text twin and the style and script tags (`head`) that it needs."""

    html: str
    text: str
    head: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        return tags(self.head) + self.html

    def __repr__(self) -> str:
        return self.text


Content = str | Markup | Iterable[str | Markup]


def share(*head: str) -> Markup:
    """Return style and script tags to show once, so that later outputs no longer repeat them."""
    _shared.update(head)
    return Markup("".join(head), "The style of the outputs below.")


def tags(head: Iterable[str]) -> str:
    """Return the tags that an output has to include: those that are not shared."""
    return "".join(tag for tag in head if tag not in _shared)


def join(content: Content) -> Markup:
    """Join strings of inline HTML and display objects in order, with each head tag once.

    >>> join(["The row <b>sums</b> to", Markup("<i>1</i>", "1")])
    The row sums to
    1
    """
    pieces = [as_markup(piece) for piece in parts(content)]
    head = dict.fromkeys(tag for piece in pieces for tag in piece.head)
    html = "".join(piece.html for piece in pieces)
    return Markup(html, "\n".join(piece.text for piece in pieces), tuple(head))


def parts(content: Content) -> list[str | Markup]:
    """Return content as a list."""
    # A Markup is a tuple, hence iterable: it is asked for first.
    return [content] if isinstance(content, str | Markup) else list(content)


def as_markup(piece: str | Markup) -> Markup:
    """Return a string of inline HTML as a display object; leave a display object as it is."""
    return piece if isinstance(piece, Markup) else Markup(piece, plain(piece))


def plain(inline: str) -> str:
    """Return the text of inline HTML.

    >>> plain("Q K<sup>T</sup> &lt; 1")
    'Q KT < 1'
    """
    return html.unescape(re.sub(r"<[^>]+>", "", inline))


def escape(text: object) -> str:
    """Return any text, such as the token <pad>, as HTML that displays it."""
    return html.escape(str(text))
