"""Train a model from the shell: `python -m transformer_lib.training CONFIG.toml`.

Several processes train one model with `torchrun --nproc-per-node 2 -m transformer_lib.training
CONFIG.toml`, where `accumulate` in [training] is a multiple of their number.
"""

import argparse
import sys
from pathlib import Path
from typing import Any

import torch

from transformer_lib.languages import AgreementLanguage
from transformer_lib.training import workers
from transformer_lib.training.checkpoint import remove_checkpoint
from transformer_lib.training.data import draws_from, held_out_sentences
from transformer_lib.training.kept import Model, model_of, save_model
from transformer_lib.training.loop import train
from transformer_lib.training.measurement import HELD_OUT, measures
from transformer_lib.training.run_file import Run, read_run


def main(arguments: list[str] | None = None) -> int:
    """Train, measure and keep the model that a TOML file describes."""
    asked = _parser().parse_args(arguments)
    out = asked.out or asked.config.parent
    checkpoint = out / f"{asked.config.stem}.checkpoint.json"
    # The last bits depend on the count of threads, and models as small as these gain nothing.
    torch.set_num_threads(1)
    try:
        run = read_run(asked.config)
        if checkpoint.exists() and not asked.resume:
            raise ValueError(
                f"{checkpoint} is of a run that was stopped: use --resume or delete it"
            )
        out.mkdir(parents=True, exist_ok=True)
        with workers.together():
            model, about = _train(run, checkpoint, asked.device)
            first = workers.rank() == 0
    except (ValueError, OSError) as error:
        print(f"Stopped: {error}", file=sys.stderr)
        return 2
    if not first:
        return 0
    command = f"python -m transformer_lib.training {asked.config}"
    kept = out / f"{asked.config.stem}.safetensors"
    save_model(kept, model, about={"command": command, **about})
    remove_checkpoint(checkpoint)
    print(f"{kept}: " + ", ".join(f"{name} {value}" for name, value in about.items()))
    return 0


def _train(run: Run, checkpoint: Path, device: str) -> tuple[Model, dict[str, Any]]:
    language, settings = run.language, run.settings
    model = model_of(run.config, seed=settings.seed, attention=run.attention).to(device)
    agreement = isinstance(language, AgreementLanguage)
    without = () if agreement else held_out_sentences(language, HELD_OUT)
    draw_batch = draws_from(language, settings.batch_size or 1, without=without)
    train(model, draw_batch, settings, checkpoint=checkpoint)
    model.eval()
    about = {"seed": settings.seed, "steps": settings.steps, **measures(model, language)}
    return model, about


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m transformer_lib.training", description=__doc__)
    parser.add_argument("config", type=Path, help="a TOML file, as in chapters/models")
    parser.add_argument(
        "--out", type=Path, help="where to write; beside the TOML file if not given"
    )
    parser.add_argument("--device", default="cpu", help="cuda trains on a GPU; cpu if not given")
    parser.add_argument("--resume", action="store_true", help="go on where a run was stopped")
    return parser


if __name__ == "__main__":
    sys.exit(main())
