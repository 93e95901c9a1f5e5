"""Every page at two widths, light and dark."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from benchmarks.page_site import Compressing
from benchmarks.page_speed import shift
from book.paths import ROOT
from book.serve import served
from tests.browser.visit import DESKTOP, Visit

SCREENSHOTS = ROOT / "_build" / "screenshots"

SPILLING = """() => {
  const width = document.documentElement.clientWidth;
  const spills = document.documentElement.scrollWidth > width + 1;
  if (!spills) return [];
  return [...document.querySelectorAll('main *')]
    .filter((element) => element.getBoundingClientRect().right > width + 1)
    .map((element) => `${element.tagName}.${element.className}`).slice(0, 5)
    .concat('the page scrolls sideways');
}"""
RAW_MATH = """() => {
  const walker = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  const raw = [];
  while (walker.nextNode()) {
    const { nodeValue, parentElement } = walker.currentNode;
    if (parentElement.closest('pre, code, script, style, textarea')) continue;
    if (/\\$\\$|\\\\[([]|\\$[^\\s$][^$]*\\$/.test(nodeValue)) raw.push(nodeValue);
  }
  return raw;
}"""
UNTYPESET = """() => [...document.querySelectorAll('main .math')]
  .filter((element) => !element.querySelector('mjx-container')).map((element) => element.innerText)
"""
MATH_ERRORS = "() => [...document.querySelectorAll('mjx-merror')].map((error) => error.innerText)"
NAMELESS = """() => [
  ...[...document.querySelectorAll('main img')].filter(
    (image) => !image.getAttribute('alt')?.trim()),
  ...[...document.querySelectorAll('main svg')].filter(
    (svg) => !svg.closest('button, mjx-container, [aria-hidden=true]')
      && !svg.getAttribute('aria-label')?.trim() && !svg.getAttribute('aria-labelledby')
      && !svg.querySelector('title')?.textContent.trim()),
].map((element) => element.outerHTML.slice(0, 200))"""


IDLE_STOPS = """() => [...document.querySelectorAll('main .math, main .math *')]
  .filter((each) => each.tabIndex === 0 && each.scrollWidth <= each.clientWidth + 1)
  .map((each) => each.outerHTML.slice(0, 100))"""
JOINED = """() => [...document.querySelectorAll('main :is(pre, code, .cm-line)')]
  .filter((each) => getComputedStyle(each).fontVariantLigatures !== 'none')
  .map((each) => each.textContent)"""
ABOVE = """() => {
  const title = document.querySelector('main article h1').getBoundingClientRect().top;
  return [...document.querySelectorAll('main article :is(.cell, .tl-live-bar)')]
    .filter((each) => each.getBoundingClientRect().top < title).map((each) => each.innerText);
}"""


@pytest.mark.parametrize(
    "page",
    [
        "intro",
        "chapters/00_warm_up",
        "chapters/13_decoding",
        "chapters/coming_from",
        "exercises/release/04_attention/04_attention_exercise",
    ],
)
def test_nothing_moves_while_a_page_comes_to_a_slow_phone(browser: Browser, page: str) -> None:
    with served(Compressing) as url:
        assert shift(browser, f"{url}/{page}.html") < 0.05


@pytest.mark.parametrize("path", ["intro", "chapters/04_attention", "search"])
def test_a_dark_page_is_dark_before_the_scripts_of_its_theme(
    browser: Browser, site: str, path: str
) -> None:
    """They come late: they are held back here, so what is painted is what came before them."""
    reader = browser.new_context(color_scheme="dark")
    page = reader.new_page()
    page.route("**/*.js*", lambda route: route.abort())
    page.goto(f"{site}/{path}.html", wait_until="commit")
    page.wait_for_load_state("domcontentloaded")
    assert 0 < page.evaluate(PAINTED) < 60  # of 255
    reader.close()


PAINTED = """() => {
  const [red] = getComputedStyle(document.body).backgroundColor.match(/\\d+/);
  return Number(red);
}"""


def test_a_formula_that_does_not_scroll_is_not_a_tab_stop(visit: Visit) -> None:
    assert visit.page.evaluate(IDLE_STOPS) == []


@DESKTOP
def test_no_two_signs_of_code_are_joined(visit: Visit) -> None:
    assert visit.page.evaluate(JOINED) == []


def test_a_page_begins_with_its_title(visit: Visit) -> None:
    assert visit.page.evaluate(ABOVE) == []


def test_no_other_host_is_asked_nothing_is_missing_and_the_console_is_empty(visit: Visit) -> None:
    assert (visit.foreign, visit.missing, visit.errors) == ([], [], [])


def test_theme_follows_the_reader(visit: Visit) -> None:
    assert visit.page.evaluate("document.documentElement.dataset.theme") == visit.theme


def test_page_does_not_scroll_sideways(visit: Visit) -> None:
    assert visit.page.evaluate(SPILLING) == []


def test_math_is_typeset(visit: Visit) -> None:
    assert visit.page.evaluate(UNTYPESET) == []
    assert visit.page.evaluate(RAW_MATH) == []
    assert visit.page.evaluate(MATH_ERRORS) == []


def test_pictures_have_a_text(visit: Visit) -> None:
    assert visit.page.evaluate(NAMELESS) == []


@pytest.mark.parametrize(("width", "theme"), [(1280, "light"), (390, "dark")], indirect=True)
def test_screenshot_is_stored(visit: Visit) -> None:
    page = urlsplit(visit.url).path.strip("/").removesuffix(".html").replace("/", "-")
    file = SCREENSHOTS / f"{page}-{visit.width}-{visit.theme}.jpg"
    # The theme scrolls a box inside the page: a window as high as its content shows all of it.
    height = visit.page.evaluate("document.documentElement.scrollHeight")
    visit.page.set_viewport_size({"width": visit.width, "height": min(height, 16_000)})
    # As PNG it takes the browser three times as long: seconds for each of some 150 pictures.
    visit.page.screenshot(path=file, quality=80)
    visit.page.set_viewport_size({"width": visit.width, "height": 900})
    assert file.stat().st_size > 10_000
