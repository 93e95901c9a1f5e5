"""Train submitted run files behind walls and compare them: `python -m book.leaderboard RUN.toml`.

The open project of chapter 18: ten minutes on two cores, a fixed test text, bits per byte. A run
file is all that is handed in. It is trained in the judge's sandbox, without a network and with the
clock running, and what comes out is measured here.
"""

import argparse
import importlib.metadata
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from book.paths import ROOT
from exercises.grader import walls
from transformer_lib.text import load_tokenizer
from transformer_lib.text.corpus import KNOWN
from transformer_lib.training import RealText, load_model, read_run, token_loss

BUDGET = 600.0  # seconds, the tokenizer included
THREADS = 2
FIGURES = ROOT / "chapters" / "models" / "figures.json"
PROCESSOR = ("/proc/cpuinfo", "/sys/devices/system/cpu")
PACKAGES = ("numpy", "torch", "jaxtyping", "array-api-compat")
COMMAND = """
from transformer_lib.training.__main__ import main
sys.exit(main(["/run/run.toml", "--out", "/out", "--threads", "2"]))
"""


class Place(NamedTuple):
    """One line of the leaderboard."""

    name: str
    bits_per_byte: float
    seconds: float | None = None


def verified(path: Path, budget: float = BUDGET) -> Place:
    """Train a submitted run file behind walls and measure what comes out.

    Raises:
        ValueError: the file is no run on the text of the book, or training fails or takes longer
            than the budget.
        RuntimeError: there is no sandbox.
    """
    text = checked(path)
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder)
        start = time.monotonic()
        _train(path, out, budget)
        seconds = time.monotonic() - start
        tokenizer = load_tokenizer(out / "run.tokenizer.json")
        if tokenizer.digest != text.known_tokenizer.digest:
            raise ValueError(f"{path} gave another tokenizer than the file asks for")
        model = load_model(out / "run.safetensors", tokenizer=tokenizer)
    loss = token_loss(model, text.windows("test"))
    return Place(path.stem, text.bits_per_byte(loss, "test"), seconds)


def checked(path: Path) -> RealText:
    """Return the text of a run file, where it is that of the book.

    Raises:
        ValueError: it is another one, which might hold the test, or no text at all.
    """
    text = read_run(path).language
    if not isinstance(text, RealText):
        raise ValueError(f"{path} must have the section [text]: the project is one on real text")
    if text.path is not None or text.tokenizer is not None:
        raise ValueError(f"{path}, [text]: path and tokenizer must not be given, all use one text")
    if text.corpus.digest != KNOWN:
        raise ValueError(
            f"the test is fixed, of the pinned numpy and torch, {KNOWN}; here it would be "
            f"{text.corpus.digest}: install requirements/lock.txt"
        )
    return text


def _train(path: Path, out: Path, budget: float) -> None:
    shown = {
        "/packages/transformer_lib": str(ROOT / "transformer_lib"),
        "/run/run.toml": str(path.resolve()),
        **_metadata("jaxtyping"),  # which reads its own version
        **{path: path for path in PROCESSOR},  # torch asks what the processor can do
    }
    command = walls.confined(
        COMMAND, PACKAGES, shown=shown, writable={"/out": str(out)}, threads=THREADS
    )
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=budget, check=False)
    except subprocess.TimeoutExpired:
        raise ValueError(f"{path} took longer than {budget:g} seconds: take fewer steps") from None
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it was ended"])[-1]
        raise ValueError(f"{path} could not be trained: {last}")


def _metadata(package: str) -> dict[str, str]:
    found = importlib.metadata.distribution(package)
    (folder,) = {file.parts[0] for file in found.files or () if file.parts[0].endswith("-info")}
    return {f"/packages/{folder}": str(found.locate_file(folder))}


def baselines(figures: Path = FIGURES) -> list[Place]:
    """Return what stands beside every submission, as the chapter measured it."""
    found = json.loads(figures.read_text(encoding="utf-8"))["real_text"]["figures"]
    first = {name: figure["each"][0] for name, figure in found.items()}
    return [
        Place("the book's model", first["bits_per_byte"]),
        *(Place(f"{n}-gram", first["n_gram_bits"][n - 1]) for n in (2, 5)),
        *(Place(name, first["compressed_bits"][n]) for n, name in ((0, "gzip"), (2, "xz"))),
    ]


def table(places: Sequence[Place]) -> str:
    """Return the leaderboard, the fewest bits first."""
    lines = [f"{'':>3} {'run':<28}{'bits per byte':>14}{'seconds':>9}"]
    for rank, place in enumerate(sorted(places, key=lambda one: one.bits_per_byte), 1):
        took = "" if place.seconds is None else f"{place.seconds:.0f}"
        lines.append(f"{rank:>3} {place.name:<28}{place.bits_per_byte:>14.3f}{took:>9}")
    return "\n".join(lines)


def main(words: Sequence[str] | None = None) -> int:
    """Verify each run file, print the leaderboard, and say what could not be placed."""
    parser = argparse.ArgumentParser(prog="python -m book.leaderboard", description=__doc__)
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN.toml", help="submitted files")
    places, failed = baselines(), 0
    for path in parser.parse_args(words).runs:
        try:
            places.append(verified(path))
        except (ValueError, OSError, RuntimeError) as error:
            failed += 1
            print(f"not placed: {error}", file=sys.stderr)
    print(table(places))
    return 2 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
