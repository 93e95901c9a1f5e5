"""What an instructor writes in a notebook, as HTML: paragraphs, lists, code, emphasis, formulas."""

import re
from html import escape

from exercises.grader.mathml import mathml

FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\$\$(?P<block>.+?)\$\$|\$(?P<math>[^$]+?)\$"
    r"|\*\*(?P<strong>.+?)\*\*|\*(?P<em>[^*\s][^*]*?)\*|\[(?P<words>[^\]]+)\]\([^)]*\)",
    re.DOTALL,
)
ITEM = re.compile(r"^(?:[-*]|\d+\.) ", re.MULTILINE)


def prose(text: str) -> str:
    """Return a text in Markdown as HTML; a link is shown by its words alone."""
    made = []
    for number, part in enumerate(FENCE.split(text)):
        if number % 2:
            made.append(f"<pre><code>{escape(part)}</code></pre>")
        else:
            blocks = re.split(r"\n\s*\n", part)
            made += [_block(block.strip()) for block in blocks if block.strip()]
    return "\n".join(made)


def _block(text: str) -> str:
    if ITEM.match(text):
        items = [f"<li>{inline(item.strip())}</li>" for item in ITEM.split(text) if item.strip()]
        return f"<ul>{''.join(items)}</ul>"
    return f"<p>{inline(text)}</p>"


def inline(text: str) -> str:
    """Return a line of Markdown as HTML."""
    made, end = [], 0
    for match in INLINE.finditer(text):
        made.append(escape(text[end : match.start()]))
        made.append(_marked(match))
        end = match.end()
    return "".join([*made, escape(text[end:])])


def _marked(match: re.Match[str]) -> str:
    kind, inner = str(match.lastgroup), match[str(match.lastgroup)]
    if kind in ("math", "block"):
        return mathml(inner, block=kind == "block")
    if kind == "words":
        return inline(inner)
    return f"<{kind}>{escape(inner) if kind == 'code' else inline(inner)}</{kind}>"
