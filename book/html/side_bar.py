"""An extension of Sphinx: the list of pages in the side bar, from titles alone.

The theme shows the title of each page. Sphinx copies all headings of the book for it, and every
name of the library, for each page anew, and drops them again: a third of the time of a build. Pages
that are in no list, those of the library's code, share one list.
"""

import functools
from collections.abc import Callable
from typing import Any

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

EARLY = 100
"""Before the theme, which makes its side bar at the same event, at 500."""


def setup(app: Sphinx) -> dict[str, bool]:
    """Tell Sphinx what to call."""
    app.connect("html-page-context", functools.partial(_give, {}), priority=EARLY)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _give(
    lists: dict[Any, str], app: Sphinx, page: str, template: str, context: dict[str, Any], tree: Any
) -> None:
    """Give a page the function that makes its list of pages, and makes it of titles."""
    whole = of_titles(app, context["toctree"])
    context["toctree"] = whole if page in app.env.tocs else of_depth(page, whole, lists)


def of_depth(page: str, whole: Callable[..., str], lists: dict[Any, str]) -> Callable[..., str]:
    """The function that makes the list of a page which is not in it: one for all at its depth."""

    def toctree(**options: Any) -> str:
        key = page.count("/"), *sorted(options.items())
        if key not in lists:
            lists[key] = whole(**options)
        return lists[key]

    return toctree


def of_titles(app: Sphinx, whole: Callable[..., str]) -> Callable[..., str]:
    """The function that Sphinx has made for a page, which is asked for titles alone."""

    def toctree(**options: Any) -> str:
        if not options.get("titles_only"):
            return whole(**options)
        headings, app.env.tocs = app.env.tocs, _titles(app.env)
        try:
            return whole(**options)
        finally:
            app.env.tocs = headings

    return toctree


@functools.cache
def _titles(env: BuildEnvironment) -> dict[str, Any]:
    """The title of each page of a book that has been read."""
    return {page: title_of(headings) for page, headings in env.tocs.items()}


def title_of(headings: Any) -> Any:
    """The title of a page and the lists of pages below it, as Sphinx leaves them of all headings.

    >>> from docutils.nodes import bullet_list, list_item, paragraph
    >>> title_of(bullet_list("", list_item("", paragraph("", "Title"), bullet_list()))).astext()
    'Title'
    """
    short = headings.deepcopy()
    for item in short.children:
        if len(item) > 1:
            if pages := list(item.findall(addnodes.toctree)):
                item[1][:] = pages
            else:
                item.pop(1)
    return short
