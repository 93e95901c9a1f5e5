"""Every link of every page that stays in the book leads to something."""

from urllib.parse import unquote, urlsplit

from book.paths import html_folder
from tests.browser.visit import Visit

LINKS = "() => [...document.querySelectorAll('a[href]')].map((link) => link.href)"


def test_links_and_downloads_exist(fresh: Visit) -> None:
    links = [urlsplit(link) for link in fresh.page.evaluate(LINKS)]
    own = {unquote(link.path).lstrip("/") for link in links if fresh.is_own(link.geturl())}
    files = [html_folder() / (path or "index.html") for path in own]
    assert [file.name for file in files if not file.is_file()] == []


def test_places_in_the_page_exist(fresh: Visit) -> None:
    missing = """() => [...document.querySelectorAll('a[href^="#"]')]
      .map((link) => decodeURIComponent(link.getAttribute('href').slice(1)))
      .filter((id) => id && !document.getElementById(id))"""
    assert fresh.page.evaluate(missing) == []
