"""The font of the icons, without those that no page shows."""

import re
from collections.abc import Iterable
from pathlib import Path

from fontTools import subset

FONT = "_static/vendor/fontawesome/webfonts/fa-solid-900.woff2"
STYLES = "_static/styles/*.css"
SCRIPTS = "_static/scripts/*.js"
OTHERS = {"fontawesome.js"}
"""Scripts that name every icon and that no page loads."""

NAME = re.compile(r"\bfa-[a-z0-9-]+")
RULE = re.compile(r'([^{}]*)\{[^{}]*content:"\\([ef][0-9a-f]{3})"')


def drop_unused(html: Path, pages: Iterable[str]) -> None:
    """Write the font of a built book anew, with the icons that it shows alone."""
    scripts = [path for path in html.glob(SCRIPTS) if path.name not in OTHERS]
    texts = [*pages, *(path.read_text(encoding="utf-8") for path in scripts)]
    names = {name for text in texts for name in NAME.findall(text)}
    styles = "".join(path.read_text(encoding="utf-8") for path in sorted(html.glob(STYLES)))
    options = subset.Options(flavor="woff2", layout_features=[])
    font = subset.load_font(html / FONT, options)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=used(styles, names))
    cutter.subset(font)
    subset.save_font(font, html / FONT, options)


def used(styles: str, names: set[str]) -> set[int]:
    r"""Return the places in the font of these icons, and of those that a style asks for itself.

    >>> styles = r'.fa-a:before,.fa-b:before{content:"\f001"}.fa-c:before{content:"\f002"}'
    >>> [hex(place) for place in used(styles, {"fa-b"})]
    ['0xf001']
    >>> [hex(place) for place in used(r'.bar:after{color:red;content:"\f107"}', set())]
    ['0xf107']
    """
    found = set()
    for selector, place in RULE.findall(styles):
        asked = NAME.findall(selector)
        if not asked or names & set(asked):
            found.add(int(place, 16))
    return found
