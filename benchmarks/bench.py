"""All comparisons in one process, into benchmarks/RESULTS.md: `make bench`.

Bodies take turns, round after round. A ratio is the median over rounds of a body's time over the
reference's in the same round. A peer that is not installed is named.
"""

import argparse
import datetime
import importlib.metadata
import os
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import torch

from benchmarks import attention, decoders, rounds, tokenizer, training
from transformer_lib.nn import Transformer
from transformer_lib.text import BytePairTokenizer, docstrings, train_bpe
from transformer_lib.training.loss import batch_loss

FILE = Path(__file__).with_name("RESULTS.md")
PACKAGES = ["torch", "numpy", "tokenizers", *decoders.PEERS]
SIZES = {"vocabulary": 512, "d": 256, "heads": 4, "layers": 4}


class Work(NamedTuple):
    """What is done by every body, and what part of the rounds it gets."""

    name: str
    reference: str
    bodies: dict[str, Callable[[], Any]]
    share: float = 1.0
    target: str = ""


def works() -> Iterator[Work]:
    """Yield each work as it is to be measured; its models are made when it is its turn."""
    short, long = "fused at most 1.05, explicit at most 1.6", "fused at most 1.05"
    for length, batch, target in ((128, 8, short), (1024, 2, long)):
        ids = torch.randint(SIZES["vocabulary"], (batch, length + 1))
        made = decoders.decoders(length=length + 1, **SIZES)
        yield Work(
            f"A step of training, decoder, {batch} texts of {length} tokens",
            "plain torch",
            {name: decoders.step(each, ids) for name, each in made.items()},
            0.5,
            target,
        )
    made = decoders.decoders(length=160, **SIZES)
    for batch, target in ((1, "fused at most 0.87"), (16, "fused at most 0.9")):
        ids = torch.randint(SIZES["vocabulary"], (batch, 8))
        for each in made.values():
            each.model.eval()
        yield Work(
            f"128 tokens, greedily and with a cache, {batch} at a time",
            "plain torch",
            {name: lambda e=each, i=ids: e.greedy(i, 128) for name, each in made.items()},
            0.25,
            target,
        )
    yield from of_torch()
    yield of_tokenizer()


def of_torch() -> Iterator[Work]:
    """Yield what stands beside torch's own modules and functions."""
    bodies = {
        "torch.nn": (training.Theirs(), training.their_loss),
        "ours, explicit": (Transformer(training.CONFIG), batch_loss),
        "ours, fused": (Transformer(training.CONFIG, attention="fused"), batch_loss),
    }
    for case, sizes in training.CASES.items():
        steps = training.steps(bodies, training.batch_of(*sizes))
        yield Work(f"A step of training, encoder-decoder, {case}", "torch.nn", steps, 0.5)
    for case in attention.CASES:
        given = attention.inputs(case, False)
        called = {name: lambda b=body, g=given: b(*g) for name, body in attention.BODIES.items()}
        yield Work(f"Attention, forward, {case}", "torch, fused", called, 4)


def of_tokenizer() -> Work:
    """Return encoding by merges that are the same, on one core and with full caches."""
    texts = docstrings(["numpy"])
    own = train_bpe(texts, vocabulary_size=1024)
    theirs = tokenizer.their_training(texts, 1024)
    ours = BytePairTokenizer(own.vocabulary, own.merges)
    bodies = {
        "tokenizers": lambda: tokenizer.their_encoding(theirs, texts),
        "ours": lambda: tokenizer.encoded(ours, texts),
    }
    assert bodies["ours"]() == bodies["tokenizers"](), "the ids differ"
    return Work("Byte-pair encoding of numpy's docstrings", "tokenizers", bodies, 0.25)


def machine() -> str:
    """Return the processor's name."""
    info = Path("/proc/cpuinfo")
    names = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    models = [line.partition(": ")[2] for line in names if line.startswith("model name")]
    return models[0] if models else platform.processor() or platform.machine()


def head(asked: int, before: tuple[float, ...], after: tuple[float, ...]) -> str:
    """Return what the figures rest on: the day, versions, the machine, its load, who is absent."""
    versions = [f"{name} {importlib.metadata.version(name)}" for name in PACKAGES if has(name)]
    cores = os.cpu_count() or 1
    quiet = "No more than a part of one core was taken by anything else."
    loaded = "**Other programs ran beside it**, so expect other milliseconds on a quiet machine."
    return f"""# Results

Written by `make bench`. Bodies took turns in one process. A ratio is the median over rounds of a
time over the reference's in the same round: lower is better, and 1 is as fast.

- {datetime.date.today().isoformat()}, Python {platform.python_version()}, {", ".join(versions)}
- {machine()}, {cores} cores, {torch.get_num_threads()} threads, float32
- {asked} rounds, half of them for a step of training, a quarter for decoding and encoding
- load of the machine, one minute's average: {before[0]:.1f} before, {after[0]:.1f} after.
  {loaded if before[0] > 0.5 else quiet}
- not measured: {"; ".join(f"{name}, {why}" for name, why in decoders.absent().items())}
"""


def has(name: str) -> bool:
    """Return whether a package is installed."""
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="default: %(default)s")
    parser.add_argument("--out", type=Path, default=FILE, help="default: benchmarks/RESULTS.md")
    asked = parser.parse_args()
    os.environ["RAYON_NUM_THREADS"] = "1"  # before the first call: `tokenizers` looks only once
    before, sections = os.getloadavg(), []
    for work in works():
        times = rounds.interleaved(work.bodies, max(2, round(asked.rounds * work.share)))
        target = f"\n\nTarget: {work.target}." if work.target else ""
        sections.append(f"## {work.name}\n\n{rounds.table(times, work.reference)}{target}\n")
        print(sections[-1], flush=True)
    text = "\n".join([head(asked.rounds, before, os.getloadavg()), *sections])
    asked.out.write_text(text, encoding="utf-8", newline="\n")
    print(f"Written to {asked.out}")


if __name__ == "__main__":
    sys.exit(main())
