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
from pathlib import Path

import torch

from benchmarks import curves, decoders, grading, memory, operations, published, rounds, works
from book.testing import processors

FILE = Path(__file__).with_name("RESULTS.md")
MISSED = """## Targets missed

The costliest operations of one call, by torch's profiler: how often, the milliseconds in the
operation itself, its share of the body's, and the same of the reference. Profiling takes time too.
"""
PACKAGES = ["torch", "numpy", "tokenizers", *decoders.PEERS]


def head(asked: int, before: tuple[float, ...], after: tuple[float, ...]) -> str:
    """Return what the figures rest on: the day, versions, the machine, its load, who is absent."""
    versions = [
        f"{name} {importlib.metadata.version(name)}"
        for name in PACKAGES
        if name not in decoders.absent()
    ]
    cores = os.cpu_count() or 1
    quiet = "No more than a part of one core was taken by anything else."
    loaded = "**Other programs ran beside it**, so expect other milliseconds on a quiet machine."
    return f"""# Results

Written by `make bench`. Bodies took turns in one process. A ratio is the median over rounds of a
time over the reference's in the same round: lower is better, and 1 is as fast.

- {datetime.date.today().isoformat()}, Python {platform.python_version()}, {", ".join(versions)}
- {processors.model()}, {cores} cores, {torch.get_num_threads()} threads, float32
- {asked} rounds, half of them for a step of training, a quarter for decoding and encoding
- load of the machine, one minute's average: {before[0]:.1f} before, {after[0]:.1f} after.
  {loaded if before[0] > 0.5 else quiet}
- not measured: {"; ".join(f"{name}, {why}" for name, why in absent().items())}
"""


def profile(work: works.Work, name: str) -> str:
    """Return what a body that missed its target spends its time on, beside the reference."""
    pair = [(each, work.bodies[each]) for each in (name, work.reference)]
    return f"### {work.name}: {name}\n\n{operations.table(*pair[0], *pair[1])}\n"


def absent() -> dict[str, str]:
    """Return what is not measured here, with the reason."""
    compiler = {} if works.has_compiler() else {"torch.compile": "there is no compiler of C++"}
    judge = {} if grading.BWRAP.path() else {"the judge": "there is no bubblewrap"}
    return decoders.absent() | compiler | judge


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=40, help="default: %(default)s")
    parser.add_argument("--out", type=Path, default=FILE, help="default: benchmarks/RESULTS.md")
    asked = parser.parse_args()
    os.environ["RAYON_NUM_THREADS"] = "1"  # before the first call: `tokenizers` looks only once
    before, sections, profiles = os.getloadavg(), [], []
    for work in works.works():
        count = max(2, round(asked.rounds * work.share))
        times = rounds.interleaved(work.bodies, count, work.warm_up)
        table = rounds.table(times, work.reference)
        sections.append(f"## {work.name}\n\n{table}{works.told(work, times)}\n")
        print(sections[-1], flush=True)
        profiles += [profile(work, name) for name in works.missed(work, times)]
    for section in (published.section, memory.section, curves.section, grading.section):
        sections.append(section())
        print(sections[-1], flush=True)
    sections.append("\n".join([MISSED, *(profiles or ["None.\n"])]))
    print(sections[-1], flush=True)
    text = "\n".join([head(asked.rounds, before, os.getloadavg()), *sections])
    asked.out.write_text(text, encoding="utf-8", newline="\n")
    print(f"Written to {asked.out}")


if __name__ == "__main__":
    sys.exit(main())
