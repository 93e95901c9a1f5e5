"""The side bar of each page lists every page of the book, in its order, and no heading of one."""

import os
from typing import Any

import pytest
from bs4 import BeautifulSoup, SoupStrainer

from book import toc
from book.html.side_bar import of_depth
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


def test_one_screen_holds_the_contents() -> None:
    """A line for each outer page; what lies below a page is closed, unless the reader is there."""
    page = html_folder() / "chapters/04_attention.html"
    if not page.exists():
        pytest.skip("there is no book: call make book first")
    bar = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser", parse_only=BAR)
    shown = [line for line in bar("li") if not line.find_parent("details", open=False)]
    lines = [line for line in shown if "toctree-l1" in line["class"]]
    assert len(lines) == len(toc.branches()) <= 28
    assert [each.a.text for each in shown if each not in lines] == ["Exercise 04: Attention"]


ROAD = [
    ("chapters/attention", "intro", "chapters/01_why_attention", 2),
    ("chapters/03_positional_encoding", "chapters/02_embeddings", "chapters/04_attention", 2),
    ("chapters/look_back_1", "chapters/03_positional_encoding", "chapters/04_attention", 1),
    ("chapters/13_decoding", "chapters/12_training", "chapters/own_language", 2),
    ("chapters/glossary", "chapters/look_up", None, 0),
]


@pytest.mark.parametrize(("name", "before", "after", "beside"), ROAD)
def test_next_leads_along_the_road(name: str, before: str, after: str | None, beside: int) -> None:
    page = html_folder() / f"{name}.html"
    if not page.exists():
        pytest.skip("there is no book: call make book first")
    soup = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    for side, to in (("a.left-prev", before), ("a.right-next", after)):
        found = [
            os.path.relpath(page.parent / link["href"], html_folder()) for link in soup.select(side)
        ]
        assert found == ([f"{to}.html"] if to else [])
    assert len(soup.select(".tl-beside a")) == beside


def test_pages_at_one_depth_share_a_list_and_others_have_their_own() -> None:
    asked: list[str] = []
    lists: dict[Any, str] = {}

    def listed(page: str, **options: Any) -> str:
        def whole(**options: Any) -> str:
            asked.append(page)
            return f"{'../' * page.count('/')}intro.html {sorted(options)}"

        return of_depth(page, whole, lists)(**options)

    assert (
        listed("_modules/a", depth=1) == listed("_modules/b", depth=1) == "../intro.html ['depth']"
    )
    assert listed("_modules/a/c", depth=1).startswith("../../")
    assert listed("_modules/b", titles=True) != listed("_modules/b", depth=1)
    assert asked == ["_modules/a", "_modules/a/c", "_modules/b"]
