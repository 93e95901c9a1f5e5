"""No page keeps anything from readers who listen, or who use the keyboard: axe-core finds nothing.

A page is looked at before anybody has used it here, and in both themes and at both widths once
everything on it was used in test_used_page.py. Which elements there are depends on no theme, so
the second theme is asked for its colors alone.
"""

import io

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread
from playwright.sync_api import FloatRect, Page

from book.paths import html_folder
from tests.browser.axe import COLORS, violations
from tests.browser.test_page import SPILLING
from tests.browser.visit import Visit

SOURCES = sorted(
    path.relative_to(html_folder()).as_posix() for path in html_folder().glob("_modules/**/*.html")
)
WITHOUT_A_PLACE = ["search.html", "genindex.html", "_modules/index.html"]
BOTH_LOOKS = [(1280, "light"), (390, "dark")]
COLOR = "(element) => getComputedStyle(element).getPropertyValue('--tl-weight')"


@pytest.mark.parametrize(("width", "theme"), BOTH_LOOKS, indirect=True)
def test_a_new_page_has_no_violation(visit: Visit) -> None:
    assert violations(visit.page) == []


@pytest.mark.parametrize("page", [*WITHOUT_A_PLACE, *SOURCES[1::40]])
def test_a_page_beside_the_book_has_no_violation(tab: Page, site: str, page: str) -> None:
    for width in (1280, 390):
        with Visit(tab, f"{site}/{page}", width, "light") as visit:
            assert violations(visit.page) == []
            visit.turn("dark")
            assert violations(visit.page, COLORS) == []


@pytest.mark.parametrize("link", [".bd-links a", "#pst-page-toc-nav a", ".left-prev"])
def test_a_link_is_legible_below_the_pointer(tab: Page, site: str, link: str) -> None:
    with Visit(tab, f"{site}/chapters/04_attention.html", 1280, "light") as visit:
        for theme in ("light", "dark"):
            visit.turn(theme)
            visit.page.locator(link).nth(-1).hover()
            assert violations(visit.page, COLORS) == []
        visit.page.mouse.move(0, 0)


def test_what_is_wrong_is_found(tab: Page, site: str) -> None:
    with Visit(tab, f"{site}/chapters/notation.html", 1280, "light") as visit:
        visit.page.evaluate("""() => document.querySelector("main article").insertAdjacentHTML(
          "beforeend", "<p style='color: #aaa; background: #fff'>pale</p><button></button>")""")
        found = violations(visit.page)
    assert [each.split()[0] for each in found] == ["button-name", "color-contrast"]


def test_no_page_of_source_scrolls_a_phone_sideways(scriptless: Page, site: str) -> None:
    scriptless.set_viewport_size({"width": 390, "height": 900})
    wide = []
    for source in SOURCES:
        scriptless.goto(f"{site}/{source}")
        if scriptless.evaluate(SPILLING):
            wide.append(source)
    assert SOURCES and wide == []


def test_a_box_is_reached_where_it_scrolls_and_passed_over_where_it_does_not(
    tab: Page, site: str
) -> None:
    with Visit(tab, f"{site}/chapters/14_families.html", 390, "light") as visit:
        # At once, not box by box: the page may still take a box back while it is drawn.
        visit.page.wait_for_function(
            """() => {
                const boxes = [...document.querySelectorAll("main [data-reached]")];
                return boxes.length > 3 && boxes.every((box) => box.tabIndex === 0)
                    && boxes.some((box) => box.getAttribute("aria-label") === "Table");
            }"""
        )
        visit.page.set_viewport_size({"width": 1280, "height": 900})
        visit.page.wait_for_function(
            """() => document.querySelectorAll("main [data-reached]").length < 4
                && !document.querySelector("main .tl-box[tabindex]:not([data-reached])")"""
        )


def test_the_handle_of_a_slider_is_a_finger_wide_and_clear_of_the_words(
    tab: Page, site: str
) -> None:
    with Visit(tab, f"{site}/chapters/04_attention.html", 390, "light") as visit:
        slider = visit.page.locator(".tl-frames input[type=range]").first
        paint = to_rgb(slider.evaluate(COLOR).strip())
        for end in ("min", "max"):
            slider.evaluate("(e, end) => { e.value = e[end]; }", end)
            assert min(handle(slider.screenshot(), paint)) >= 23
        words = slider.locator("xpath=..").locator("span, output")
        line = slider.bounding_box()
        assert words.count() == 2 and line
        assert not any(overlap(line, each.bounding_box() or line) for each in words.all())


def handle(picture: bytes, paint: tuple[float, float, float]) -> tuple[int, int]:
    """Width and height of what is painted in a color."""
    pixels = imread(io.BytesIO(picture))[..., :3]
    rows, columns = np.nonzero(np.abs(pixels - paint).max(axis=-1) < 0.05)
    return int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


def overlap(one: FloatRect, other: FloatRect) -> bool:
    """Whether two boxes share a place."""
    beside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
    below = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
    return not beside and not below
