"""Join what presents a page into one script and one style sheet, all without comments.

A page loads two files at the press of *Present*, which compress to less than their ten sources.
"""

import re
from pathlib import Path

SCRIPTS = ("prose", "slides", "fit", "question", "votes", "speaker", "bar", "talk")
"""In the order in which they use each other."""
STYLES = ("slide", "around")
NAME = "lecture"
_COMMENT = re.compile(r"(^|[ \t]+)(// [^\n]*|/\*(?:(?!\*/).)*\*/)$", re.MULTILINE | re.DOTALL)
_END = re.compile(r"([{;,(\[])\n")
_INDENT = re.compile(r"^\s+", re.MULTILINE)


def join(folder: Path) -> None:
    """Put the two files in the place of their sources, in a folder next to the button's script."""
    for names, suffix in ((SCRIPTS, ".js"), (STYLES, ".css")):
        paths = [folder / (name + suffix) for name in names]
        text = "".join(plain(path.read_text(encoding="utf-8")) for path in paths)
        for path in folder.glob(f"*{suffix}"):
            path.unlink()
        (folder / (NAME + suffix)).write_text(text, encoding="utf-8")
    button = folder.parent / "present.js"
    button.write_text(plain(button.read_text(encoding="utf-8")), encoding="utf-8")


def plain(text: str) -> str:
    r"""The text without indentation, each comment that ends a line, and breaks that say nothing.

    >>> plain("/* Two\n   lines. */\nb {\n  color: red;   /* why */\n}")
    'b {color: red;}\n'
    """
    text = _END.sub(r"\1", _INDENT.sub("", _COMMENT.sub("", text)))
    return text.rstrip() + "\n"
