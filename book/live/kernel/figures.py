"""The backend of matplotlib in a page: a figure of pyplot is an output of the cell that drew it."""

import base64
import io
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas

from book.live.kernel.shell import InteractiveShell

__all__ = ["FigureCanvas", "show"]
DOTS = 2
"""Dots of a figure for each pixel of the page, so that it is sharp on a phone."""


def show(*_: Any, **__: Any) -> None:
    """Show and close all open figures, which `plt.show()` calls."""
    from matplotlib import pyplot  # which asks for this module when it is imported

    for number in pyplot.get_fignums():
        figure = pyplot.figure(number)
        InteractiveShell.display_pub.publish(picture(figure))
        pyplot.close(figure)


def taken(figure: Any) -> dict[str, str]:
    """Return a figure that is the value of a cell, and close it: it is not to be shown twice."""
    from matplotlib import pyplot

    data = picture(figure)
    pyplot.close(figure)
    return data


def picture(figure: Any) -> dict[str, str]:
    """Return a figure as a PNG in base64, by kind."""
    drawn = io.BytesIO()
    figure.savefig(drawn, format="png", dpi=DOTS * figure.dpi, bbox_inches="tight")
    return {
        "image/png": base64.b64encode(drawn.getvalue()).decode(),
        "text/plain": repr(figure),
    }
