"""Run the experiments and keep their figures: `python -m book.experiments [NAME ...]`."""

import argparse
import json
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import torch

from book.experiments import (
    denoising,
    distillation,
    floors,
    in_context,
    influence,
    next_sentence,
    objectives,
    prompts,
    silent_heads,
    transfer,
)
from book.experiments.setting import WORK
from book.figures import Figures, _rounded
from book.models import by_seed, digest, keep_figures, kept_figures
from book.paths import ROOT
from transformer_lib.training import save_model

FOLDER = ROOT / "chapters" / "models" / "experiments"
PARTS: dict[str, Callable[[int, int], Figures]] = {
    "masked": objectives.masked,
    "causal": objectives.causal,
    "spans": denoising.spans,
    "noise": denoising.noise,
    "next_sentence": next_sentence.next_sentence,
    "directions": objectives.directions,
    "curve": transfer.curve,
    "adapter": transfer.adapter,
    "distillation": distillation.distillation,
    "prompts": prompts.prompts,
    "in_context": in_context.in_context,
    "silent_heads": silent_heads.silent_heads,
    "influence": influence.influence,
    "floors": lambda steps, seed: floors.floors(),  # no seed changes them
}
KEPT = {"masked": objectives.masked_encoder, "prompts": prompts.decoder}
"""The models whose weights, of the first seed, a chapter loads."""


def main(arguments: list[str] | None = None) -> int:
    """Bring the figures up to date, experiment by experiment."""
    parser = argparse.ArgumentParser(prog="python -m book.experiments", description=__doc__)
    parser.add_argument("names", nargs="*", help="experiments; all if none is given")
    parser.add_argument("--seed", type=int, help="this seed alone; the figures wait for the others")
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    for name in asked.names or list(PARTS):
        if asked.seed is None:
            update(name)
        else:
            measured(name, asked.seed)
    return 0


def measured(name: str, seed: int, folder: Path = FOLDER, work: Path = WORK) -> Figures:
    """Return what an experiment gives with a seed; what was measured before is read."""
    toml = folder / f"{name}.toml"
    path = work / f"{digest(toml)}_{name}_{seed}.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        steps = tomllib.loads(toml.read_text(encoding="utf-8"))["steps"]
        figures = {key: _rounded(value) for key, value in PARTS[name](steps, seed).items()}
        path.write_text(json.dumps(figures), encoding="utf-8")
        print(f"{name}, seed {seed}: {figures}", flush=True)
    found: Figures = json.loads(path.read_text(encoding="utf-8"))
    return found


def update(name: str, folder: Path = FOLDER, work: Path = WORK) -> bool:
    """Run an experiment with each seed that its figures lack; whether there were any."""
    toml, file = folder / f"{name}.toml", folder / "figures.json"
    told, now = tomllib.loads(toml.read_text(encoding="utf-8")), digest(toml)
    found = by_seed(kept_figures(file).get(name), now)
    lacking = sorted({*range(told.get("seeds", 3))} - set(found))
    if not lacking:
        print(f"{name}: up to date")
        return False
    found |= {seed: measured(name, seed, folder, work) for seed in lacking}
    if name in KEPT and 0 in lacking:
        about = {"command": f"python -m book.experiments {name}", "steps": told["steps"]}
        save_model(folder / f"{name}.safetensors", KEPT[name](told["steps"], 0), about=about)
    keep_figures(file, name, now, found)
    return True


if __name__ == "__main__":
    sys.exit(main())
