"""What the theme and its builders leave unnamed in a page, name wrongly or load amiss."""

import re
from collections.abc import Callable
from typing import NamedTuple

Replacement = str | Callable[[re.Match[str]], str]


class Mend(NamedTuple):
    """Why something is mended, what it looks like, and what stands there instead."""

    why: str
    pattern: re.Pattern[str]
    by: Replacement


MENDS = (
    Mend(
        "the page that leads to the first one has no head",
        re.compile(r'\A(<meta http-equiv="Refresh" content="0; url=([^"]+)" />)\s*\Z'),
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>The Worked Transformer'
        r'</title><link rel="icon" href="_static/favicon.svg">\1</head>'
        r'<body><a href="\2">The first page</a></body></html>',
    ),
    Mend(
        "a page whose theme no script has chosen has no colors",
        re.compile(r'(<html [^>]*data-theme=)"auto"'),
        r'\1"light"',
    ),
    Mend(
        "a script of 1.5 MB draws again what the theme's font of icons draws",
        re.compile(r'<script [^>]*src="[^"]*/scripts/fontawesome\.js[^"]*"></script>\s*'),
        "",
    ),
    Mend(
        "the index of the search, 0.1 MB, is loaded by each page and used by one",
        re.compile(
            r'<script src="[^"]*(?:searchtools|language_data|searchindex)\.js[^"]*"></script>\s*'
            r'(?![\s\S]*id="search-results")'
        ),
        "",
    ),
    Mend(
        "the triangle beside a chapter has no name",
        re.compile(r'(<a class="[^"]*" href="[^"]*">([^<]*)</a><details[^>]*>)<summary>'),
        r'\1<summary aria-label="Pages below \2">',
    ),
    Mend(
        "another name than the words of the summary, which say it better",
        re.compile(r'<summary aria-label="Toggle hidden content">'),
        "<summary>",
    ),
    Mend(
        "the name of the search button lacks the keys that it shows",
        re.compile(r'(<button class="btn search-button-field[^>]*) aria-label="Search"'),
        r"\1",
    ),
    Mend(
        "three names of modes stand in a button that has a name",
        re.compile(r'(<i class="theme-switch[^>]*?)\s+title="[^"]*"'),
        r'\1 aria-hidden="true"',
    ),
    Mend(
        "the theme's scripts find a hidden button of a menu before the one that is seen",
        re.compile(r'<button class="pst-navbar-icon sidebar-toggle .*?</button>', re.DOTALL),
        "",
    ),
    Mend(
        "the button of a menu says what the theme calls it, in a box that covers the open menu",
        re.compile(
            r'(<button class="sidebar-toggle (?:(primary)|secondary)-toggle [^>]*?) title="Toggle '
            r'[^"]*" data-bs-placement="bottom" data-bs-toggle="tooltip"'
        ),
        lambda found: f'{found[1]} title="{"Menu" if found[2] else "On this page"}"',
    ),
    Mend(
        "the dialog that a menu becomes has no name",
        re.compile(r'(<dialog id="pst-(?:(primary)|secondary)-sidebar-modal")'),
        lambda found: f'{found[1]} aria-label="{"Menu" if found[2] else "On this page"}"',
    ),
    Mend(
        "the title of the book stands in no landmark",
        re.compile(r'<div id="pst-primary-sidebar" class'),
        '<div id="pst-primary-sidebar" role="navigation" aria-label="Book" class',
    ),
    Mend(
        "an entry of a list has a role that is no entry's",
        re.compile(r'(<div class="citation" [^>]*)role="doc-biblioentry"'),
        r'\1role="listitem"',
    ),
    Mend(
        "a cell that heads nothing is none of the heads",
        re.compile(r"<th\b[^>]*>(?:\s|</?[bp]>)*</th>"),
        "<td></td>",
    ),
)
"""What is mended, each in every page where it stands."""


def mend(page: str) -> str:
    """The page with every fault mended that `MENDS` knows.

    >>> mend('<a class="a" href="b">Heads</a><details><summary>v</summary>')
    '<a class="a" href="b">Heads</a><details><summary aria-label="Pages below Heads">v</summary>'
    >>> mend('<tr><th scope="col"><b></b></th><th>words</th></tr>')
    '<tr><td></td><th>words</th></tr>'
    """
    for each in MENDS:
        page = each.pattern.sub(each.by, page)
    return page
