"""Formulas as MathML: what a page shows before MathJax has drawn it, and where no script runs."""

import html
import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import yaml  # type: ignore[import-untyped]

from book import assets, npm
from book.paths import ROOT

SCRIPT = "book/html/mathml.cjs"
_FORMULA = re.compile(
    r'(?P<open><(?P<tag>span|div) class="math notranslate nohighlight"[^>]*>)\s*'
    r"\\(?P<kind>[(\[])(?P<tex>[^<]*)\\[)\]]\s*</(?P=tag)>"
)
# What MathJax makes of a command that it does not know, and of what it cannot read.
_SLASH = ('<mrow data-mjx-texclass="ORD"><mo>/</mo></mrow>', '<mo lspace="0" rspace="0">/</mo>')
_WRONG = re.compile(r'<merror|mathcolor="red"')
# Line breaks between the elements, and a name space that HTML does not need.
_NEEDLESS = re.compile(r'\s*\n\s*| xmlns="[^"]*"')


class Formula(NamedTuple):
    """A formula as a page has it: its TeX, and whether it stands on a line of its own."""

    tex: str
    display: bool


def formulas(page: str) -> list[Formula]:
    r"""The formulas of a page, in order.

    >>> formulas(r'<p>So <span class="math notranslate nohighlight">\(a &lt; b\)</span>.</p>')
    [Formula(tex='a < b', display=False)]
    """
    return [_formula(match) for match in _FORMULA.finditer(page)]


def convert(wanted: Iterable[Formula], root: Path = ROOT) -> dict[Formula, str]:
    """MathML of formulas, with the macros of `_config.yml` expanded.

    Raises:
        SystemExit: when MathJax cannot read a formula.
    """
    listed = sorted(set(wanted))
    asked = {"macros": macros(root), "formulas": [each._asdict() for each in listed]}
    # As TeX has it, there is no space around a slash; a browser would put some there.
    found = (_NEEDLESS.sub("", each).replace(*_SLASH) for each in _run(asked))
    made = dict(zip(listed, found, strict=True))
    for formula, mathml in made.items():
        if _WRONG.search(mathml):
            raise SystemExit(f"MathJax cannot read the formula {formula.tex!r}: {mathml}")
    return made


def put(page: str, made: dict[Formula, str]) -> str:
    """The page with MathML where its TeX stood; MathJax takes it up from there."""
    return _FORMULA.sub(
        lambda match: f"{match['open']}{made[_formula(match)]}</{match['tag']}>", page
    )


def macros(root: Path = ROOT) -> dict[str, Any]:
    """The macros that the pages give to MathJax."""
    config = yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))
    found: dict[str, Any] = config["sphinx"]["config"]["mathjax3_config"]["tex"]["macros"]
    return found


def _formula(match: re.Match[str]) -> Formula:
    return Formula(html.unescape(match["tex"]), match["kind"] == "[")


def _run(asked: dict[str, Any]) -> list[str]:
    """Ask MathJax in Node.js.

    Raises:
        SystemExit: when it fails.
    """
    command = [npm.node(), str(ROOT / SCRIPT), str(assets.tools() / "mathjax")]
    done = subprocess.run(
        command, input=json.dumps(asked), capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{SCRIPT} failed:\n{done.stderr}")
    answer: list[str] = json.loads(done.stdout)
    return answer
