"""The side bar of each page lists every page of the book, in its order, and no heading of one."""

import os

import pytest
from bs4 import BeautifulSoup, SoupStrainer

from book import toc
from book.paths import html_folder

BAR = SoupStrainer("nav", class_="bd-links bd-docs-nav")


PAGES = [
    *("chapters/04_attention", "chapters/api", "exercises/release/17_tokens/17_tokens_exercise"),
    *("genindex", "_modules/transformer_lib/decoding/beam"),  # no page of the list is this one
]


@pytest.mark.parametrize("name", PAGES)
def test_it_lists_the_pages_in_their_order(name: str) -> None:
    page = html_folder() / f"{name}.html"
    if not page.exists():
        pytest.skip("there is no book: call make book first")
    bar = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser", parse_only=BAR)
    shown = [link["href"].replace("#", page.name) for link in bar("a")]
    found = [os.path.relpath(page.parent / link, html_folder()) for link in shown]
    assert found == [f"{each}.html" for each in toc.pages()]
    here = [link for link in bar("li", class_="current") if not link.find("li", class_="current")]
    assert len(here) == (name in toc.pages())
