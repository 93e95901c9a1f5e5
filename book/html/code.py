"""Lines of code that hang: what goes on in a further row begins two columns behind its line."""

import html
import re
from collections.abc import Iterator

SHORT = 24
"""A line of so many columns fits a window of 320 pixels, and needs no mark."""

_CODE = re.compile(r'(<div class="highlight"><pre[^>]*>)(.*?)(?=</pre></div>)', re.DOTALL)
_FIRST = re.compile(r"^((?:<span[^>]*>)*)( +)((?:<span[^>]*>)*)(&[^;]+;|[^<& ])")
_TAG = re.compile(r"</?span[^>]*>")


def hang(page: str) -> str:
    r"""The page with a mark at each long line of code, which names the column where it begins.

    >>> page = f'<div class="highlight"><pre>a{" " * 40}\nb\n</pre></div>'
    >>> hang(page).partition("<pre>")[2].split("\n")[0].rstrip()
    '<span class="tl-line" style="--in:0">a'
    """
    return _CODE.sub(lambda found: found[1] + "".join(marked(found[2])), page)


def marked(code: str) -> Iterator[str]:
    """Each line of highlighted code; the mark holds the end of its line, so a copy is the same."""
    if "<div" in code:  # a page of source, whose functions are boxes
        yield code
        return
    *whole, rest = apart(code)
    for line in whole:
        plain = html.unescape(re.sub(r"<[^>]*>", "", line))
        column = len(plain) - len(plain.lstrip(" "))
        mark = f'<span class="tl-line" style="--in:{column}">'
        yield f"{mark}{held(line)}\n</span>" if len(plain) > SHORT else f"{line}\n"
    yield rest


def held(line: str) -> str:
    """The line with its first letter held at its column, where a long word would leave a row empty.

    >>> held('  <span class="n">ab</span>')
    '<span class="tl-in">  <span class="n">a</span></span><span class="n">b</span>'
    """
    return _FIRST.sub(_hold, line)


def _hold(found: re.Match[str]) -> str:
    before, column, opened, letter = found.groups()
    closed = "</span>" * opened.count("<")
    return f'{before}<span class="tl-in">{column}{opened}{letter}{closed}</span>{opened}'


def apart(code: str) -> Iterator[str]:
    r"""The lines of highlighted code, where a color that goes on begins again in each.

    >>> list(apart('<span class="s">a\nb</span>c'))
    ['<span class="s">a</span>', '<span class="s">b</span>c']
    """
    begun = list[str]()
    for line in code.split("\n"):
        again = "".join(begun)
        for tag in _TAG.findall(line):
            if tag == "</span>":
                begun.pop()
            else:
                begun.append(tag)
        yield again + line + "</span>" * len(begun)
