"""How near our models come to those of `transformers`: `python -m tests.families.parity bert`.

It writes chapters/parity.json, which chapter 14 shows: for each family, what was compared and a
power of ten that no difference exceeds, in float32 and in float64; the tests allow no larger one. A
difference is taken relative to the largest of the numbers compared, or to 1 if they are smaller.
Families that are not named keep what is stored; without a name all are measured.
"""

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from book.paths import ROOT

FILE = ROOT / "chapters" / "parity.json"
KINDS = {
    "logits": ("logits",),
    "hidden states": ("encoder", "decoder"),
    "attention weights": ("weights", "cross"),
    "loss": ("loss",),
    "gradient of the embedding": ("gradient",),
    "classes": ("classes",),
}
ROOM = 3  # another processor adds in another order, and may be off by so many times as much

LEAST = {"float32": 1e-6, "float64": 1e-14}  # nearer ones are near by chance


def read() -> dict[str, dict[str, dict[str, float]]]:
    """Return the stored bounds by family, kind and precision."""
    found: dict[str, dict[str, dict[str, float]]] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


def kind_of(what: str) -> str:
    """Return the kind of one comparison, such as "encoder 1 weights"."""
    last = "weights" if what.endswith("weights") else what.split()[0]
    return next(kind for kind, words in KINDS.items() if last in words)


def distances(pairs: dict[str, Any]) -> dict[str, float]:
    """Return the largest difference of each kind."""
    found: dict[str, float] = {}
    for what, (theirs, mine) in pairs.items():
        theirs, mine = theirs.detach().double(), mine.detach().double()
        off = float((theirs - mine).abs().max() / theirs.abs().max().clamp(min=1))
        kind = kind_of(what)
        found[kind] = max(off, found.get(kind, 0.0))
    return found


def main(words: Sequence[str] | None = None) -> int:
    """Measure families with each kind of padding, and write the file."""
    from tests.families import checkpoints, test_parity as tests

    known = list(dict.fromkeys(name.split(",")[0] for name in tests.CASES))
    reader = argparse.ArgumentParser(prog="python -m tests.families.parity")
    reader.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(known))
    asked = reader.parse_args(words).families or known
    if unknown := set(asked) - set(known):
        reader.error(f"tests/families/checkpoints.py has no {', '.join(sorted(unknown))}")
    stored = {name: kinds for name, kinds in read().items() if name in set(known) - set(asked)}
    for name in (case for case in tests.CASES if case.split(",")[0] in asked):
        with tempfile.TemporaryDirectory() as folder:
            checkpoints.write(name, Path(folder))
            for dtype, limit in tests.TOLERANCE.items():
                for side in tests.SIDES:
                    pairs = tests.compared(name, side, dtype, Path(folder))
                    kinds = stored.setdefault(name.split(",")[0], {})
                    _add(kinds, dtype, limit, distances(pairs))
    lines = [f" {json.dumps(name)}: {json.dumps(stored[name])}" for name in known if name in stored]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    return 0


def _add(
    kinds: dict[str, dict[str, float]], dtype: torch.dtype, limit: float, found: dict[str, float]
) -> None:
    precision = str(dtype).removeprefix("torch.")
    for kind, off in found.items():
        bound = 10.0 ** math.ceil(math.log10(max(ROOM * off, LEAST[precision])) - 1e-9)
        known = kinds.setdefault(kind, {})
        known[precision] = max(min(bound, limit), known.get(precision, 0.0))


if __name__ == "__main__":
    sys.exit(main())
