"""Every link of every page that stays in the book leads to something."""

from urllib.parse import unquote, urlsplit

from book.paths import html_folder
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
