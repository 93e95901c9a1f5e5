"""What a forward pass takes beyond the weights.

Each body runs in a process of its own. Its figure is how far the peak of the process rises, from
just before the pass to its end, where the allocator gives freed memory back at once.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from benchmarks import decoders
from book.paths import ROOT

SIZES = {"vocabulary": 512, "length": 512, "d": 768, "heads": 12, "layers": 12}
BATCH = 8
REFERENCE = "plain torch"
TARGET = "fused at most 1.2"
# Large arrays are mapped and unmapped one by one, so that what is freed does not stay in the peak.
GIVE_BACK = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "0"}


def megabytes(name: str) -> float:
    """Return what the body of that name takes, measured in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.memory", name]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, **GIVE_BACK},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return float(done.stdout.split()[-1])


def rise(logits: Callable[[torch.Tensor], Any]) -> float:
    """Return by how many megabytes a pass raises the peak of this process."""
    ids = torch.randint(SIZES["vocabulary"], (BATCH, SIZES["length"]))
    with torch.no_grad():
        logits(ids[:1, :2])  # what is made once, such as threads
        clear_peak()
        before = peak()
        logits(ids)
    return peak() - before


def clear_peak() -> None:
    """Let the peak start from what is in use now, as Linux can."""
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")


def peak() -> float:
    """Return the peak of this process, in megabytes."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    (line,) = [each for each in lines if each.startswith("VmHWM")]
    return int(line.split()[1]) / 1024


def section() -> str:
    """Return a Markdown table of all bodies beside the reference."""
    names = [REFERENCE, "ours, explicit", "ours, fused"]
    names += [name for name in decoders.PEERS if name not in decoders.absent()]
    taken = {name: megabytes(name) for name in names}
    rows = [f"| {n} | {mb:.0f} | {mb / taken[REFERENCE]:.2f} |" for n, mb in taken.items()]
    head = f"| | megabytes | ratio to {REFERENCE} |\n|---|---|---|"
    title = "Memory of a forward pass without gradients, {layers} layers of {d}, ".format(**SIZES)
    title += f"{BATCH} texts of {SIZES['length']} tokens"
    return f"## {title}\n\n" + "\n".join([head, *rows]) + f"\n\nTarget: {TARGET}.\n"


def main() -> None:
    """Print what one body takes."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.memory", description=__doc__)
    parser.add_argument("body", help="measure this one here")
    body = decoders.decoders(**SIZES)[parser.parse_args().body]
    body.model.eval()
    print(rise(body.logits))


if __name__ == "__main__":
    main()
