"""Store what the published model predicts in our sentences: `python -m course.reading.surprisals`.

For each displayed word: its surprisal in bits up to where it ends, and its rarity, which is how
improbable it is without its context: its chance is averaged over the beginnings of the fillers.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from course.published import fetch
from course.published.model import START, Published, opened
from course.reading.items import Version, versions
from transformer_lib import log_softmax
from transformer_lib.text import word_bits, words

OUTPUT = Path(__file__).resolve().parents[2] / "assets/reading/items.js"
MARKS = ".,"


def surprisals(model: Published, shown: Sequence[str]) -> list[float]:
    """Return the bits of each displayed word: of what stands between two blanks, with its marks."""
    tokenizer, bits = model.tokenizer, [0.0] * len(shown)
    ids = tokenizer.encode(" ".join(shown), special=False)
    logs = log_softmax(np.asarray(model([*tokenizer.encode(START), *ids]), np.float64))
    groups, at = words(ids, model.ends), -1
    for group, each in zip(groups, word_bits(logs, np.array(ids), model.ends), strict=True):
        at += at < 0 or tokenizer.decode([ids[group[0]]]).startswith(" ")
        bits[at] += float(each)
    if at != len(shown) - 1:
        raise ValueError(f"shown must be words between blanks, but the tokens have {at + 1} words")
    return bits


def log_chances(
    model: Published, context: Sequence[int], asked: Sequence[str]
) -> NDArray[np.float64]:
    """Return the log2 of the chance that a context ends here and each word follows, (words,)."""
    ids = [model.tokenizer.encode(f" {word}", special=False) for word in asked]
    by_length: dict[int, list[int]] = defaultdict(list)
    for i, own in enumerate(ids):
        by_length[len(own)].append(i)
    found = np.zeros(len(asked))
    for places in by_length.values():
        rows = np.array([ids[i] for i in places])
        before = np.broadcast_to(np.array(context), (len(rows), len(context)))
        logs = log_softmax(np.asarray(model(np.hstack([before, rows])), np.float64))
        after = logs[:, len(context) - 1 :]
        bits = [word_bits(each, row, model.ends) for each, row in zip(after, rows, strict=True)]
        found[places] = [-each.sum() for each in bits]
    return found


def rarities(model: Published, every: Sequence[Version]) -> dict[tuple[str, str], float]:
    """Return the bits of each word of each item without its context, from those of other items."""
    asked = sorted({word.strip(MARKS) for each in every for word in each.words})
    fillers = [each for each in every if each.kind == "filler"]
    starts = [" ".join(each.words[: len(each.words) // 2]) for each in fillers]
    tokens = [model.tokenizer.encode(START) + model.tokenizer.encode(text) for text in starts]
    chances = np.exp2([log_chances(model, context, asked) for context in tokens])
    items = np.array([each.item for each in fillers])
    return {
        (item, word): float(-np.log2(chances[items != item, asked.index(word)].mean()))
        for item, word in {(each.item, w.strip(MARKS)) for each in every for w in each.words}
    }


def stored(model: Published) -> list[dict[str, object]]:
    """Return one row for each item in each condition, as the page reads it."""
    every = versions()
    rare = rarities(model, every)
    return [
        each._asdict()
        | {"words": " ".join(each.words)}
        | {"bits": [round(x, 2) for x in surprisals(model, each.words)]}
        | {"rare": [round(rare[each.item, word.strip(MARKS)], 1) for word in each.words]}
        for each in every
    ]


def main() -> None:
    """Write the script that the page loads."""
    rows = stored(opened(fetch.fetched()))
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows)
    head = "// Made by python -m course.reading.surprisals."
    OUTPUT.write_text(f"{head}\nwindow.tlItems = [\n{lines}\n];\n", encoding="utf-8")
    print(f"{OUTPUT.name} holds {len(rows)} versions of the sentences.")


if __name__ == "__main__":
    main()
