"""Sentences beside an output that compare, and that no tie checks: `python -m book.comparisons 04`.

It is a command of its own, and `make chapter` does not call it: of fifty sentences that it listed,
drawn with seed 0, 19 compared what the cells compute.
"""

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from book import refresh, ties
from book.reasons import END, sentences
from book.text import prose

COMPARES = re.compile(
    r"\b(?:no|none|both|first|last|only|never|always|same|equal|agree|best|worst|most|least"
    r"|(?:small|larg|high|low|long|short|near|great)e(?:r|st)|more|less|fewer)\b",
    re.IGNORECASE,
)


def comparisons(notebook: dict[str, Any]) -> Iterator[str]:
    """The sentences of a chapter that compare something in a section that shows a result."""
    for passage in prose.passages(notebook):
        cells = [notebook["cells"][at] for at in ties.section(notebook, passage)]
        if not any(cell.get("outputs") for cell in cells):
            continue
        for raw in END.split(re.sub(r"<!--.*?-->", "", passage.text, flags=re.DOTALL)):
            for sentence in sentences(raw) if raw and "data-tie" not in raw else ():
                if COMPARES.search(sentence):
                    yield f"{passage.cell}: {sentence}"


def main(words: Sequence[str] | None = None) -> int:
    """List the sentences, chapter by chapter."""
    reader = argparse.ArgumentParser(prog="python -m book.comparisons", description=__doc__)
    for path in refresh.asked(reader, words):
        for sentence in comparisons(prose.read(path)):
            print(f"{path.stem}, {sentence}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
