"""How a widget that needs a kernel refuses what was typed."""

from collections.abc import Callable

from transformer_lib.plot.markup import Markup, escape


def shown_or_refused(show: Callable[[], Markup]) -> str:
    """Return what `show` shows as HTML, or what is wrong with what was typed."""
    try:
        return show()._repr_html_()
    except ValueError as error:
        return f'<p role="alert"><b>✗</b> {escape(error)}</p>'
