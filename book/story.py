"""Write the whole story of the book's model of real text: `python -m book.story`.

What runs/real_text.md says is read from the run file, the model's own story, its log and its
figures, so that it cannot come to differ from them.
"""

import argparse
import csv
import json
import sys
from collections.abc import Sequence
from typing import Any

from book.paths import ROOT
from transformer_lib.training import flops_per_token, load_model

NAME = "real_text"
FOLDER = ROOT / "chapters" / "models"
PAGE = ROOT / "runs" / f"{NAME}.md"
COLUMNS = {
    "step": "step",
    "training": "curve_train",
    "validation": "curve_validation",
    "strongest induction head": "curve_induction",
    "gain from repetition": "curve_repetition_gain",
    "gain from context": "curve_context_gain",
}


def written() -> str:
    """Return the page."""
    told = json.loads((FOLDER / f"{NAME}.json").read_text(encoding="utf-8"))
    figures = json.loads((FOLDER / "figures.json").read_text(encoding="utf-8"))[NAME]
    found = {name: figure["each"] for name, figure in figures["figures"].items()}
    return "\n\n".join(
        [
            "# The book's model of real text",
            "*Written by `python -m book.story`; change nothing here by hand.*",
            _made(told),
            "## The run file",
            f"```toml\n{(FOLDER / f'{NAME}.toml').read_text(encoding='utf-8').strip()}\n```",
            "## While it learned",
            "Losses are nats per token, the training loss the mean since the look before.",
            _looks(found),
            "## What came out",
            _results(figures["seeds"], found),
            "## Again",
            "`make models` trains all three seeds and measures them, and `python -m book.models "
            f"--replace {NAME}` puts the weights of the first in the place of the kept ones. The "
            "same machine gives the same bits; on another the last digits differ.\n",
        ]
    )


def _made(told: dict[str, Any]) -> str:
    about, rows = told["about"], _log()
    model = load_model(FOLDER / f"{NAME}.safetensors")
    weights, length = sum(p.numel() for p in model.parameters()), 256
    speed, tokens = float(rows[-1]["tokens_per_second"]), int(rows[-1]["tokens"])
    flops = flops_per_token(model, length) * speed
    size = (FOLDER / f"{NAME}.safetensors").stat().st_size
    return (
        f"Made by `{about['command']}` with seed {about['seed']}, from the docstrings of numpy and "
        f"torch (digest {about['corpus']}) with tokenizer {told['tokenizer']}. "
        f"{weights:,} numbers, kept in {size:,} bytes as float16. Training took "
        f"{tokens / speed / 60:.0f} minutes for {tokens:,} tokens, {speed:,.0f} a second with "
        f"{flops / 1e9:.0f} billion operations a second, on one core of a machine that was busy "
        "with other work."
    )


def _log() -> list[dict[str, str]]:
    with (FOLDER / f"{NAME}.csv").open(newline="", encoding="utf-8") as opened:
        return list(csv.DictReader(opened))


def _looks(found: dict[str, Any]) -> str:
    columns = [found["curve_steps"][0], *(found[key][0] for key in [*COLUMNS.values()][1:])]
    rows = [
        [str(step), *(f"{value:.3f}" for value in values)]
        for step, *values in zip(*columns, strict=True)
    ]
    return _table([list(COLUMNS), *rows])


def _results(seeds: list[int], found: dict[str, Any]) -> str:
    first = {name: each[0] for name, each in found.items()}
    compressed = dict(zip(("gzip", "bzip2", "xz"), first["compressed_bits"], strict=True))
    rows = [
        *(
            [f"the model, seed {n}", one]
            for n, one in zip(seeds, found["bits_per_byte"], strict=True)
        ),
        *([f"n-gram of order {n}", one] for n, one in enumerate(first["n_gram_bits"], 1)),
        *([name, one] for name, one in compressed.items()),
        ["half the model, half the longest n-gram", first["mixed_bits"]],
    ]
    return _table([["bits per byte of the test", ""], *([a, f"{b:.3f}"] for a, b in rows)])


def _table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|---" * len(rows[0]) + "|", *body])


def main(words: Sequence[str] | None = None) -> int:
    """Write the page."""
    argparse.ArgumentParser(prog="python -m book.story", description=__doc__).parse_args(words)
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(written(), encoding="utf-8", newline="\n")
    print(PAGE.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
