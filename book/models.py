"""Train the models of the chapters with several seeds and keep their figures: `make models`.

What is up to date is left alone, and a run that was stopped goes on from its checkpoint.
"""

import argparse
import hashlib
import json
import os
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np

from book.figures import Figures, curves_of, figures_of
from book.paths import ROOT
from transformer_lib.training import __main__ as command, load_model, read_run
from transformer_lib.training.checkpoint import whole_file

FOLDER = ROOT / "chapters" / "models"
WORK = ROOT / "_build" / "models"
BESIDE = (".tokenizer.json", ".csv")  # what a run on text writes too
VERSION = 1
"""Raise it when a change of the library changes what training or measuring gives."""


def main(arguments: list[str] | None = None) -> int:
    """Bring figures.json up to date, run by run and seed by seed."""
    parser = argparse.ArgumentParser(prog="python -m book.models", description=__doc__)
    parser.add_argument("names", nargs="*", help="runs to bring up to date; all if none is given")
    parser.add_argument(
        "--replace", nargs="+", default=[], metavar="NAME", help="put new weights over kept ones"
    )
    asked = parser.parse_args(arguments)
    runs = {path.stem: path for path in run_files()}
    if unknown := sorted({*asked.names, *asked.replace} - set(runs)):
        print(f"Stopped: no TOML file for {', '.join(unknown)}", file=sys.stderr)
        return 2
    for name in asked.replace:
        replace(runs[name])
    for name in asked.names or asked.replace or runs:
        update(runs[name], again=name in asked.replace)
    return 0


def run_files(folder: Path = FOLDER) -> list[Path]:
    """The TOML files of all runs; of those in `measured` the figures alone are kept."""
    return sorted(folder.glob("*.toml")) + sorted(folder.glob("measured/*.toml"))


def update(toml: Path, folder: Path = FOLDER, work: Path = WORK, *, again: bool = False) -> bool:
    """Train and measure the seeds of a run that its figures lack; whether there were any.

    The first seed is that of the run file, which says how many there are.
    """
    file, run = folder / "figures.json", read_run(toml)
    old, now, first = kept_figures(file).get(toml.stem), digest(toml), run.settings.seed
    found = {} if again else by_seed(old, now)
    lacking = sorted({*range(first, first + run.seeds)} - set(found))
    if not lacking:
        print(f"{toml.stem}: up to date")
        return False
    kept = folder / f"{toml.stem}.safetensors"
    for seed in lacking:
        is_kept = seed == first and kept.exists()
        weights = kept if is_kept else trained(toml, seed, work)
        figures = figures_of(toml.stem, load_model(weights), run.language)
        found[seed] = figures | curves_of(weights.with_suffix(".csv"), run.settings.validate_every)
        print(f"{toml.stem}, seed {seed}: loss {found[seed]['loss']}, before {_before(old, seed)}")
        if is_kept and old and old["digest"] != now:
            new = _loss(trained(toml, seed, work))
            print(f"  trained anew: loss {new}; --replace {toml.stem} puts it in place of the kept")
    keep_figures(file, toml.stem, now, found)
    return True


def by_seed(old: dict[str, Any] | None, now: str) -> dict[int, Figures]:
    """Return the kept figures of each seed, where the digest says that they are up to date."""
    if not old or old["digest"] != now:
        return {}
    figures = old["figures"].items()
    return {
        seed: {name: figure["each"][row] for name, figure in figures}
        for row, seed in enumerate(old["seeds"])
    }


def keep_figures(file: Path, name: str, now: str, found: dict[int, Figures]) -> None:
    """Write the figures of all seeds of a run into the file."""
    runs = kept_figures(file)  # read again: other runs may have been measured meanwhile
    each = [found[seed] for seed in sorted(found)]
    runs[name] = {"digest": now, "seeds": sorted(found), **_figures(each)}
    with whole_file(file) as temporary:
        temporary.write_text(_written(runs), encoding="utf-8")


def kept_figures(file: Path) -> dict[str, Any]:
    """Return the figures that are kept."""
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return found


def _before(old: dict[str, Any] | None, seed: int) -> Any:
    """The loss of a seed as it was measured last; "none" where it was not."""
    known = dict(zip(old["seeds"], old["figures"]["loss"]["each"], strict=True)) if old else {}
    return known.get(seed, "none")


def digest(toml: Path) -> str:
    """What the figures of a seed depend on: the run file without comments, and the version.

    The number of seeds is left out, so that more seeds leave those that were trained as they are.
    """
    content = re.sub(r"(?m)^(#|seeds\b).*\n?", "", toml.read_text(encoding="utf-8")).strip()
    return hashlib.sha256(f"{VERSION}\n{content}".encode()).hexdigest()[:16]


def trained(toml: Path, seed: int, work: Path = WORK) -> Path:
    """Return the weights of one seed, trained if they are not there yet."""
    out = work / f"{digest(toml)}_{seed}"
    weights = out / f"{toml.stem}.safetensors"
    if not weights.exists():
        out.mkdir(parents=True, exist_ok=True)
        config = out / toml.name
        config.write_text(with_seed(toml.read_text(encoding="utf-8"), seed), encoding="utf-8")
        if command.main([str(config), "--out", str(out), "--resume"]):
            raise SystemExit(f"Stopped while training {toml.stem} with seed {seed}")
    return weights


def with_seed(text: str, seed: int) -> str:
    r"""Return the text of a TOML file with this seed.

    >>> with_seed("[training]\nsteps = 2\nseed = 0\n", 7)
    '[training]\nseed = 7\nsteps = 2\n'
    """
    text = re.sub(r"(?m)^seed *=.*\n?", "", text)
    return re.sub(r"(?m)^\[training\] *\n", f"[training]\nseed = {seed}\n", text)


def _figures(found: list[Figures]) -> dict[str, Any]:
    """Put the seeds of each figure side by side, and their spread, highest minus lowest, beside."""
    figures = {}
    for name in found[0]:
        each = [one[name] for one in found]
        spread = np.max(each, axis=0) - np.min(each, axis=0)
        figures[name] = {"spread": np.round(spread, 4).tolist(), "each": each}
    return {"figures": figures}


def _written(runs: dict[str, Any]) -> str:
    """Return the JSON with one line per figure, so that a change can be read."""
    parts = []
    for name, run in sorted(runs.items()):
        lines = [f"   {json.dumps(key)}: {json.dumps(v)}" for key, v in run["figures"].items()]
        head = f' "{name}": {{\n  "digest": "{run["digest"]}",\n  "seeds": {run["seeds"]},\n'
        parts.append(head + '  "figures": {\n' + ",\n".join(lines) + "\n  }\n }")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def replace(toml: Path, folder: Path = FOLDER, work: Path = WORK) -> None:
    """Put newly trained weights of the first seed in place of the kept ones, and say so."""
    seed = read_run(toml).settings.seed
    weights, kept = trained(toml, seed, work), folder / f"{toml.stem}.safetensors"
    old, new = (_loss(path) for path in (kept, weights))
    for suffix in (".safetensors", *BESIDE):
        if weights.with_suffix(suffix).exists():
            shutil.copyfile(weights.with_suffix(suffix), kept.with_suffix(suffix))
    told = json.loads(weights.with_suffix(".json").read_text(encoding="utf-8"))
    told["about"]["command"] = f"python -m transformer_lib.training {os.path.relpath(toml, ROOT)}"
    with whole_file(kept.with_suffix(".json")) as story:
        story.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    print(f"{kept.name} replaced: loss {old} before, {new} now")


def _loss(weights: Path) -> Any:
    story = weights.with_suffix(".json")
    return (
        json.loads(story.read_text(encoding="utf-8"))["about"]["loss"] if story.exists() else "none"
    )


if __name__ == "__main__":
    sys.exit(main())
