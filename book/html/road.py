"""An extension of Sphinx: *Next* leads from chapter to chapter, past the pages below a chapter.

The road is the outer pages of `_toc.yml`. What lies below one of them, an exercise or a page that
measures, is offered beside it.
"""

from html import escape
from typing import Any, NamedTuple

from sphinx.application import Sphinx

from book import toc

FEW = 4
"""Where more pages lie below one, it lists them itself."""


class Way(NamedTuple):
    """Where a page leads: back, on, and to what lies beside it."""

    back: list[str]
    on: list[str]
    beside: list[str]


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what to call."""
    app.connect("html-page-context", _lead)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def way(page: str) -> Way | None:
    """Where a page of the contents leads.

    >>> way("chapters/03_positional_encoding").on
    ['chapters/04_attention']
    >>> way("chapters/look_back_1").back
    ['chapters/03_positional_encoding']
    """
    branches = toc.branches()
    for i, branch in enumerate(branches):
        if page in branch:
            back = branches[max(i - 1, 0) : i] if page == branch[0] else [branch]
            beside = [each for each in branch[1:] if each != page]
            on = [each[0] for each in branches[i + 1 : i + 2]]
            few = len(branch) <= FEW + 1
            return Way([each[0] for each in back], on, beside if few else [])
    return None


def _lead(app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any) -> None:
    """Give a page its neighbors on the road, and links to what lies below the same chapter."""
    if not (found := way(page)):
        return

    def links(pages: list[str]) -> list[dict[str, str]]:
        titles = [escape(app.env.titles[each].astext()) for each in pages]
        ways = [app.builder.get_relative_uri(page, each) for each in pages]
        return [{"link": to, "title": title} for to, title in zip(ways, titles, strict=True)]

    context["prev"], context["next"] = (next(iter(links(to)), None) for to in found[:2])
    context["beside"] = links(found.beside)
