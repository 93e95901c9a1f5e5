"""Markdown that a cell shows, as HTML that MathJax typesets as it does that of the book."""

from html import escape

OPEN, CLOSE = {False: r"\(", True: r"\["}, {False: r"\)", True: r"\]"}


def to_html(text: str) -> str:
    """Return Markdown as HTML."""
    # Imported here because few cells show any.
    from markdown_it import MarkdownIt
    from mdit_py_plugins.dollarmath import dollarmath_plugin

    def math(formula: str, options: dict[str, bool]) -> str:
        display = options["display_mode"]
        return f"{OPEN[display]}{escape(formula)}{CLOSE[display]}"

    reader = MarkdownIt("commonmark").enable("table")
    reader.use(dollarmath_plugin, renderer=math, allow_labels=False)
    return str(reader.render(text))
