"""The glossary holds the terms of the chapters and says where each is taught."""

import re
from functools import cache
from pathlib import Path

import pytest

from book import prose, toc
from book.paths import ROOT

CHAPTERS = toc.chapters()
ROW = re.compile(r"^\| \*\*(.+?)\*\* \| (.+?) \(\[([^]]+)\]\((.+?)\)\) \|$", re.MULTILINE)
GLOSSARY = (ROOT / "chapters" / "glossary.md").read_text(encoding="utf-8")
ROWS = ROW.findall(GLOSSARY)
TAUGHT = {term: file for words, _, _, file in ROWS for term in words.split(", ")}

EMPHASIS = {
    *("row", "column", "this", "pairs", "ours", "adds", "clips", "right", "one token", "both"),
    *("split", "attend", "merge", "the rnn", "the lstm", "the transformer", "gain and bias"),
}
"""Bold words that are no terms; a bold sentence, and what ends in a period, is none either."""

ORDINARY = set(
    "attention batch bias block candidate cosine gain gate gradient head id key layer leak mask "
    "mean memory query rate score serial span spread stack value warm-up weight".split()
)
"""Terms that are everyday words too, so that an earlier chapter may use them as such."""


@cache
def texts() -> dict[str, str]:
    return {path.name: text(path) for path in CHAPTERS}


def text(path: Path) -> str:
    return "\n\n".join(passage.text for passage in prose.passages(prose.read(path)))


def pattern(term: str) -> str:
    """The term in one or in several, at a line's end too."""
    words = r"[\s-]".join(map(re.escape, term.split()))
    return rf"(?<![\w-]){words}(?:s|es)?(?![\w-])"


def bold_terms(text: str) -> list[str]:
    spans = re.findall(r"\*\*([^*]+)\*\*", text)
    short = [span for span in spans if span[-1] not in ".:,?" and len(span.split()) < 5]
    return [s for s in short if s.lower() not in EMPHASIS and s != "After this chapter you can"]


def is_defined(term: str) -> bool:
    return any(re.fullmatch(pattern(known), term, re.IGNORECASE) for known in TAUGHT)


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_each_bold_term_of_a_chapter_stands_in_the_glossary(path: Path) -> None:
    missing = [
        term
        for term in bold_terms(text(path))
        if term not in ("You need", "The transpose", "The bias") and not is_defined(term)
    ]
    assert missing == [], "define them in chapters/glossary.md; emphasis is set in italics"


def test_each_row_is_read_and_they_stand_in_order() -> None:
    words = [row[0].lower() for row in ROWS]
    assert len(words) == GLOSSARY.count("\n| **") > 80
    assert words == sorted(words) and len(TAUGHT) == len({term.lower() for term in TAUGHT})
    assert all(texts()[file].startswith(f"# {title}\n") for _, _, title, file in ROWS)


@pytest.mark.parametrize("term", TAUGHT)
def test_a_term_is_taught_where_the_glossary_says(term: str) -> None:
    assert re.search(pattern(term), texts()[TAUGHT[term]], re.IGNORECASE)


def early_uses(found: dict[str, str]) -> list[str]:
    """Terms in a chapter before the one that teaches them, the first of them with no link."""
    early = []
    for name, content in found.items():
        plain = re.sub(r"`[^`]*`|\$[^$]*\$", "", content)
        for term, file in TAUGHT.items():
            first = re.search(pattern(term), plain, re.IGNORECASE)
            if term in ORDINARY or not first or name >= file:
                continue
            if not re.search(rf"\[[^\]]*{pattern(term)}[^\]]*\]\(", plain, re.IGNORECASE):
                early.append(f"{name} uses “{term}”, which {file} teaches")
    return early


def test_a_term_that_comes_before_its_chapter_is_linked() -> None:
    assert early_uses(texts()) == [], "write [the term](glossary.md)"


def test_an_early_term_is_found_and_its_link_too() -> None:
    said = early_uses({"02_embeddings.ipynb": "It needs cross-attention, and padding."})
    assert said == [
        "02_embeddings.ipynb uses “cross-attention”, which 07_cross_attention.ipynb teaches",
        "02_embeddings.ipynb uses “padding”, which 06_masked_attention.ipynb teaches",
    ]
    assert early_uses({"02_embeddings.ipynb": "It needs [Cross-attention](glossary.md)."}) == []
    assert bold_terms("A **Jacobian** and **this**. **No term.**") == ["Jacobian"]
