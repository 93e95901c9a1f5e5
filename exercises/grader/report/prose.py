"""Turn an instructor's Markdown into HTML: paragraphs, lists, code, emphasis, formulas.

A browser draws the MathML of a formula itself, without a script or a font from outside.
"""

from html import escape
from typing import Any

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin


def _mathml(tex: str, options: dict[str, Any]) -> str:
    kind = "block" if options["display_mode"] else "inline"
    try:
        made = convert(tex, display=kind)
    except Exception:  # its errors have no kind of their own, and a slip stops no class
        return f"<code>{escape(tex)}</code>"
    return made.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")


READER = MarkdownIt("commonmark", {"html": False}).use(dollarmath_plugin, renderer=_mathml)
READER.disable("image")
for name in ("link_open", "link_close"):  # the page asks nobody for anything
    READER.add_render_rule(name, lambda self, tokens, place, options, env: "")


def prose(text: str) -> str:
    """Return a text in Markdown as HTML, in which only the words of a link are shown."""
    return str(READER.render(text))


def inline(text: str) -> str:
    """Return a line of Markdown as HTML."""
    return str(READER.renderInline(text))
