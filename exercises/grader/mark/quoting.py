"""Words of a student inside a sentence of the judge: marked, and shown as what they are.

A message of the student's code may read "right, 20 of 20 points", or turn the direction of writing
so that the rest of a line seems to read so. Therefore it is marked where it enters a sentence; a
page puts it into an element that is isolated from the text around it.
"""

import re
from html import escape

BEGIN, END = "\x02", "\x03"
QUOTED = re.compile(f"{BEGIN}([^{END}]*){END}?")


def quote(text: str) -> str:
    """Return a student's words for a sentence, with every invisible character spelled out."""
    return f"{BEGIN}{visible(text)}{END}" if text else ""


def visible(text: str) -> str:
    """Return a text in which marks, directions of writing and other controls are escapes."""
    return "".join(c if c.isprintable() or c in "\n\t" else _escape(c) for c in text)


def _escape(letter: str) -> str:
    return letter.encode("unicode_escape", "backslashreplace").decode("ascii", "replace")


def html(sentence: str) -> str:
    """Return a sentence for a page, in which quotations are isolated from the rest."""
    parts = QUOTED.split(sentence)
    shown = [
        f'<bdi class="quoted">{escape(p)}</bdi>' if i % 2 else escape(p)
        for i, p in enumerate(parts)
    ]
    return "".join(shown)


def plain(sentence: str) -> str:
    """Return a sentence for a table, in which quotations have quotation marks."""
    return QUOTED.sub("“\\1”", sentence)
