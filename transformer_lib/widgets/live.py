"""What the widgets that need a kernel share: the line that says so, and how they refuse."""

from collections.abc import Callable

from transformer_lib.languages.vocabulary import Vocabulary
from transformer_lib.plot.markup import Markup, escape

MOST_WORDS = 40

# JupyterLab has the kernel that a static page lacks, so there the line is hidden.
NOTE = (
    "<style>.jp-Notebook .tl-live{display:none}</style>"
    '<p class="tl-live" style="font-size:1rem;line-height:1.5">'
    "This is its first state; the explorer is live in JupyterLab: <code>make lab</code></p>"
)


def shown_or_refused(show: Callable[[], Markup]) -> str:
    """Return what `show` shows as HTML, or what is wrong with what was typed."""
    try:
        return show()._repr_html_()
    except ValueError as error:
        return f'<p role="alert"><b>✗</b> {escape(error)}</p>'


def read_words(text: str, vocabulary: Vocabulary) -> list[str]:
    """Split a typed sentence into known words.

    Raises:
        ValueError: a word is not in the vocabulary, or there are more than 40.
    """
    words = text.split()
    unknown = sorted({word for word in words if word not in vocabulary})
    if unknown:
        raise ValueError(f"the model does not know {', '.join(unknown)}")
    if len(words) > MOST_WORDS:
        raise ValueError(f"type at most {MOST_WORDS} words, got {len(words)}")
    return words
