"""Every link that stays in the book leads to something, and the search finds pages."""

import re
from urllib.parse import quote, unquote, urlsplit

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Page, expect

from book.html import icons
from book.paths import ROOT, html_folder
from tests.browser.visit import DESKTOP, Visit

LINKS = "() => [...document.querySelectorAll('a[href]')].map((link) => link.href)"


@DESKTOP
def test_links_and_downloads_exist(visit: Visit) -> None:
    links = [urlsplit(link) for link in visit.page.evaluate(LINKS)]
    own = {unquote(link.path).lstrip("/") for link in links if visit.is_own(link.geturl())}
    files = [html_folder() / (path or "index.html") for path in own]
    assert [file.name for file in files if not file.is_file()] == []


@DESKTOP
def test_fonts_exist(visit: Visit) -> None:
    # Of two faces of one name the browser asks for the later one, and which that is varies.
    faces = """() => [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
      .filter((rule) => rule instanceof CSSFontFaceRule)
      .flatMap((rule) => [...rule.cssText.matchAll(/url\\("([^"]+[.]woff2)[^"]*"\\)/g)]
        .map((found) => new URL(found[1], rule.parentStyleSheet.href ?? document.baseURI).href))"""
    fonts = [unquote(urlsplit(url).path).lstrip("/") for url in visit.page.evaluate(faces)]
    assert fonts, "no page is without fonts"
    assert [font for font in fonts if not (html_folder() / font).is_file()] == []


@DESKTOP
def test_places_in_the_page_exist(visit: Visit) -> None:
    missing = """() => [...document.querySelectorAll('a[href^="#"]')]
      .map((link) => decodeURIComponent(link.getAttribute('href').slice(1)))
      .filter((id) => id && !document.getElementById(id))"""
    assert visit.page.evaluate(missing) == []


@DESKTOP
def test_each_icon_is_in_the_font(visit: Visit) -> None:
    shown = """() => [...document.querySelectorAll('[class*="fa-"]')]
      .map((icon) => getComputedStyle(icon, '::before').content)
      .map((content) => /^"(.)"$/u.exec(content)?.[1].codePointAt(0)).filter(Boolean)"""
    places = set(visit.page.evaluate(shown))
    assert places, "no page is without icons"
    assert places <= TTFont(html_folder() / icons.FONT).getBestCmap().keys()


def test_the_search_finds_a_page(fresh: Page, site: str) -> None:
    fresh.goto(f"{site}/chapters/04_attention.html")
    fresh.keyboard.press("ControlOrMeta+k")
    fresh.keyboard.type("softmax")
    fresh.keyboard.press("Enter")
    fresh.locator("#search-results li a", has_text="Attention").first.wait_for()


@pytest.mark.parametrize("words", ["softmax", "causal mask", "KV cache"])
def test_the_search_lists_chapters_first(fresh: Page, site: str, words: str) -> None:
    fresh.goto(f"{site}/search.html?q={words}")
    fresh.locator("#search-results > p", has_text="finished").wait_for()
    links = fresh.locator("#search-results li > a").all()
    found = [str(link.get_attribute("href")) for link in links]
    later = [not re.match(r"chapters/(\d\d|whole_model|questions)", link) for link in found]
    assert not later[0] and later == sorted(later), found[:5]


def test_the_search_leads_a_whole_question_to_its_answer(fresh: Page, site: str) -> None:
    text = (ROOT / "chapters/questions.md").read_text(encoding="utf-8")
    bold = re.findall(r"^\d+\. \*\*(.*?)\*\*", text, re.MULTILINE)
    asked = [re.sub(r"\$.*?\$,?|[`*\"]", "", question) for question in bold]
    assert len(asked) > 20
    for question in filter(lambda each: len(each.split()) > 3, asked):
        fresh.goto(f"{site}/search.html?q={quote(question)}")
        first = fresh.locator("#search-results li > a").first
        expect(first, question).to_have_text("Questions people ask")


def test_what_the_search_finds_fits_a_phone(fresh: Page, site: str) -> None:
    fresh.set_viewport_size({"width": 390, "height": 844})
    fresh.goto(f"{site}/search.html?q=softmax", wait_until="networkidle")
    assert fresh.evaluate("document.documentElement.scrollWidth") == 390
    glass, field = (fresh.locator(f"main .bd-search {part}") for part in ("i", "input"))
    padding = field.evaluate("(field) => parseFloat(getComputedStyle(field).paddingLeft)")
    ends, begins = glass.bounding_box(), field.bounding_box()
    assert ends and begins and ends["x"] + ends["width"] < begins["x"] + padding
