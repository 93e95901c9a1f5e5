"""What a published book says of its address, to links, previews and search engines.

`BOOK_ADDRESS=https://host/path/ make book` gives each page a canonical link and a preview, and the
book a `sitemap.xml`, a `robots.txt`, a page for addresses that lead nowhere, and the mark by which
a forge leaves no folder out. Without the variable this extension does nothing.
"""

import html
import os
import re
import textwrap
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from docutils import nodes  # type: ignore[import-untyped]
from sphinx.application import Sphinx
from sphinx.config import Config

VARIABLE = "BOOK_ADDRESS"
EXTENSIONS = ("sphinxext.opengraph", "sphinx_sitemap", "notfound.extension")
ROBOTS = "User-agent: *\nAllow: /\nSitemap: {}sitemap.xml\n"
LOST = (
    "<p>There is no page at this address. It may have moved, or a letter of the address is wrong."
    '</p><p><a href="{0}intro.html">The first page</a> · <a href="{0}search.html">Search</a></p>'
)
PICTURE = (
    '<meta property="og:image:type" content="image/png" />',
    '<meta property="og:image:width" content="2520" />',
    '<meta property="og:image:height" content="1320" />',
    '<meta name="twitter:card" content="summary_large_image" />',
)
"""How large the preview is that `python -m book.preview` draws: an app then shows all of it."""
LENGTH = 200
"""The letters of a description; previews show no more."""
HEAD = ("After this chapter", "You need", "Time:")
"""What heads a chapter, and says nothing to whoever does not know it."""
_PREVIEW = re.compile(
    r'<meta (?:property="og:|name="(?:description|twitter:card)")[^>]*>|<link rel="canonical"[^>]*>'
)


def read(value: str) -> str:
    """The address of the book, with the slash at its end; nothing, where none is given.

    Raises:
        ValueError: the value is not the address of a folder.

    >>> read("https://host/course"), read("")
    ('https://host/course/', '')
    """
    parts = urlsplit(value)
    if value and (
        parts.scheme not in ("http", "https") or not parts.netloc or parts.query or parts.fragment
    ):
        raise ValueError(f"{VARIABLE} is {value!r}; it must be like https://host/path/")
    return value and value.rstrip("/") + "/"


def settings(address: str) -> dict[str, Any]:
    """What the three extensions and Sphinx itself need to know of an address."""
    folder = urlsplit(address).path
    return {
        "html_baseurl": address,
        "sitemap_url_scheme": "{link}",
        "sitemap_locales": [None],
        "sitemap_excludes": ["search.html", "genindex.html", "404.html", "_modules/*"],
        "ogp_site_url": address,
        "ogp_site_name": "The Worked Transformer",
        "ogp_image": "_static/preview.png",
        "ogp_image_alt": "The words of a sentence as lines, one arc of attention between two, and "
        "the next words with their probabilities",
        "ogp_custom_meta_tags": PICTURE,
        "ogp_enable_meta_description": True,
        "ogp_social_cards": {"enable": False},
        "notfound_urls_prefix": folder,
        "notfound_context": {
            "title": "No such page",
            "body": f"<section><h1>No such page</h1>{LOST.format(folder)}</section>",
            "pageurl": "",
        },
    }


def opening(page: nodes.document) -> str:
    """How a page begins, for its preview: its first paragraphs, without those with a formula."""
    own = (each for each in page.findall(nodes.paragraph) if isinstance(each.parent, nodes.section))
    said = (spoken(each) for each in own if not any(each.findall(nodes.math)))
    kept = [re.sub(":$", " …", text) for text in said if not text.startswith(HEAD)]
    return textwrap.shorten(" ".join(kept), LENGTH, placeholder=" …", break_on_hyphens=False)


def spoken(paragraph: nodes.paragraph) -> str:
    """The words of a paragraph, without its HTML."""
    texts = (text for text in paragraph.findall(nodes.Text))
    return "".join(text.astext() for text in texts if not isinstance(text.parent, nodes.raw))


def describe(_: Sphinx, __: str, ___: str, context: dict[str, Any], page: nodes.document) -> None:
    """Give the description of a page to previews and to search engines."""
    if page and (text := opening(page)):
        context["meta"] = (context["meta"] or {}) | {"og:description": text}
        context["metatags"] += f'<meta name="description" content="{html.escape(text)}" />\n'


def setup(app: Sphinx) -> dict[str, bool]:
    """Let Sphinx know the address, if there is one."""
    if address := read(os.environ.get(VARIABLE, "")):
        for name in EXTENSIONS:
            app.setup_extension(name)

        def inform(_: Sphinx, config: Config) -> None:
            for name, value in settings(address).items():
                config[name] = value

        app.connect("config-inited", inform, priority=0)
        app.connect("html-page-context", describe, priority=400)  # before the preview is written
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def finish(book: Path, address: str) -> None:
    """Write what a host reads beside the pages, and give the address itself a preview."""
    (book / "robots.txt").write_text(ROBOTS.format(address), encoding="utf-8")
    (book / ".nojekyll").touch()
    index, first = book / "index.html", (book / "intro.html").read_text(encoding="utf-8")
    tags = "".join(_PREVIEW.findall(first))
    page = index.read_text(encoding="utf-8").replace("</title>", f"</title>{tags}", 1)
    index.write_text(page, encoding="utf-8")
