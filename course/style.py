"""Style and script of the chapters: the book loads two files, a notebook shows them once."""

import numpy as np

from course.root import ROOT
from transformer_lib.plot.markup import Markup, share
from transformer_lib.plot.style import (
    DRAWINGS_STYLE,
    PARTS_SCRIPT,
    PARTS_STYLE,
    TABLE_STYLE,
    style_tag,
)

ASSETS = ROOT / "assets"
STYLE = style_tag(ASSETS / "course.css")
SCRIPT = f"<script>\n{(ASSETS / 'course.js').read_text(encoding='utf-8')}</script>"


def setup() -> Markup:
    """Show the style and the script of a chapter once; its other outputs then leave them out.

    The book hides this output, for its pages load the files. Arrays are shown with four decimals,
    and scalars as plain numbers.
    """
    np.set_printoptions(legacy="1.25", precision=4, suppress=True)
    return share(TABLE_STYLE, PARTS_STYLE, DRAWINGS_STYLE, PARTS_SCRIPT, STYLE, SCRIPT)
