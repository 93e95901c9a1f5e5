"""What a page may load and run: a Content-Security-Policy in the page, which each host serves."""

import base64
import hashlib
import html
import re
from collections.abc import Iterable

RULES = {
    "default-src": "'self'",
    # Pyodide compiles WebAssembly. Inline scripts are those of the build, known by their hashes.
    "script-src": "'self' 'wasm-unsafe-eval' 'unsafe-hashes'",
    # Tables, drawings and formulas have styles of their own.
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
_INLINE = re.compile(r"<script(?![^>]*\b(?:src|type)=)[^>]*>(.*?)</script>", re.DOTALL)
_HANDLER = re.compile(r'<[a-z][^>]*\son[a-z]+="([^"]*)"')
_ASKED = re.compile(r'<script\b(?![^>]*\bdefer\b)[^>]*\bsrc="([^"]+)"')
_CHARSET = re.compile(r'<meta charset="utf-8"\s*/?>')


def allow(page: str, handlers: Iterable[str] = (), host: str = "") -> str:
    """The page with a policy that allows what the build has put there, and no other host.

    Args:
        page: a page of the built book.
        handlers: the code of attributes of all pages, as `found` gives it.
        host: where the book is published. The page is also from there in a sandbox, where WebKit
            does not count it as from itself.

    A browser that reads a policy looks no further ahead for scripts, and would ask for each only
    after the last one ran. So the page names them all at its start.

    >>> "'sha256-" in allow('<head><meta charset="utf-8"><script>f()</script></head>')
    True
    """
    known = sorted(f"'sha256-{digest(each)}'" for each in {*_INLINE.findall(page), *handlers})
    rules = RULES | {"script-src": " ".join([RULES["script-src"], *known])}
    if host:
        rules = {name: each.replace("'self'", f"'self' {host}") for name, each in rules.items()}
    policy = "; ".join(f"{name} {allowed}" for name, allowed in rules.items())
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    asked = _ASKED.findall(page.partition("</head>")[0])
    ahead = "".join(f'<link rel="preload" as="script" href="{source}">' for source in asked)
    page = page.replace("</title>", "</title>" + ahead, 1)
    return _CHARSET.sub(lambda match: match[0] + meta, page, count=1)


def found(pages: Iterable[str]) -> set[str]:
    """The code of attributes such as `onclick`; the search reads pages into a page, so of all.

    >>> found(['<button class="a" onclick="print()">'])
    {'print()'}
    """
    return {html.unescape(code) for page in pages for code in _HANDLER.findall(page)}


def digest(code: str) -> str:
    """The hash of a script as a browser takes it."""
    return base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
