"""The small drawing at the top of a chapter: its box is lit, and the others lead to their pages."""

import re

import pytest

import course
from book import toc
from course.place import PAGES


def test_the_box_is_lit_and_the_others_are_links():
    html = course.here("Feed-forward", "rows", "rows").html
    lit = re.findall(r'<(\w+) class="[^"]*tl-here"', html)
    assert lit == ["div", "div"]  # in the encoder and in the decoder, and no link to itself
    assert "08_feed_forward.html" not in html
    assert html.count('href="09_add_and_norm.html"') == 5
    assert "tl-small" in html


def test_every_box_leads_to_a_page_of_the_book():
    assert {f"chapters/{page}" for page in PAGES.values()} <= set(toc.pages())


def test_what_goes_in_and_out_is_read_with_its_shape():
    shown = course.here("Softmax", "scores, (n, <i>V</i>)", "shares", kind="decoder", place="pre")
    assert "<dd>scores, (n, <i>V</i>)</dd>" in shown.html
    assert shown.text.endswith("goes in: scores, (n, V)\ncomes out: shares")
    assert shown.html.count('href="09_add_and_norm.html"') == 5


def test_a_box_that_the_drawing_does_not_have_is_refused():
    with pytest.raises(ValueError, match=r"here must name a box of .*, got 'Cross-attention'"):
        course.here("Cross-attention", "rows", "rows", kind="decoder")
