"""What is true of all chapters is said once."""

import re
from collections import defaultdict

from book import toc
from book.text import prose

LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)|[*`]")
LONG = 7
"""Words of a sentence that says something of its own."""


def test_no_sentence_stands_on_more_than_two_pages() -> None:
    pages = defaultdict(set)
    for path in toc.notebooks():
        for passage in prose.passages(prose.read(path)):
            text = LINK.sub(r"\1", " ".join(passage.text.split()))
            for sentence in re.split(r"(?<=[.?!])\s+", text):
                if not sentence.startswith("Time:"):
                    pages[sentence].add(path.stem)
    often = {said: where for said, where in pages.items() if len(where) > 2}
    assert [said for said in often if len(said.split()) >= LONG] == []
