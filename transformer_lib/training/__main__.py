"""Train a model from the shell: `python -m transformer_lib.training CONFIG.toml`.

Several processes train one model with `torchrun --nproc-per-node 2 -m transformer_lib.training
CONFIG.toml`, where `accumulate` in [training] is a multiple of their number.
"""

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from transformer_lib.nn import Transformer
from transformer_lib.training import workers
from transformer_lib.training.checkpoint import remove_checkpoint
from transformer_lib.training.induction import (
    LATE,
    context_gain,
    induction_scores,
    repeated_ids,
    repetition_gain,
)
from transformer_lib.training.log import Log, Row, csv_log, tensorboard_log
from transformer_lib.training.loop import train
from transformer_lib.training.model_checkpoint import Model, model_of, save_model
from transformer_lib.training.real_text import RealText
from transformer_lib.training.run_file import Run, read_run


def main(arguments: list[str] | None = None) -> int:
    """Train, measure and save the model that a TOML file describes."""
    asked = _parser().parse_args(arguments)
    out = asked.out or asked.config.parent
    checkpoint = out / f"{asked.config.stem}.checkpoint.json"
    # The last bits depend on the count of threads, and the smallest models gain nothing.
    torch.set_num_threads(asked.threads)
    try:
        run = _with_text(read_run(asked.config), asked.text)
        log = _log(run, out / f"{asked.config.stem}.csv", asked.tensorboard)
        if checkpoint.exists() and not asked.resume:
            raise ValueError(
                f"{checkpoint} belongs to a run that was stopped: use --resume, or delete it"
            )
        out.mkdir(parents=True, exist_ok=True)
        with workers.together():
            model, about = _train(run, checkpoint, asked.device, log)
            first = workers.rank() == 0
    except (ValueError, OSError, ModuleNotFoundError) as error:
        print(f"Stopped: {error}", file=sys.stderr)
        return 2
    if not first:
        return 0
    command = f"python -m transformer_lib.training {asked.config}"
    kept = out / f"{asked.config.stem}.safetensors"
    save_model(kept, model, about={"command": command, **about}, **_kept_as(run))
    remove_checkpoint(checkpoint)
    print(f"{kept}: " + ", ".join(f"{name} {value}" for name, value in about.items()))
    return 0


def _with_text(run: Run, path: Path | None) -> Run:
    """Put a file or folder of the reader's own in the place of a run's text."""
    if path is None:
        return run
    if not isinstance(run.data, RealText):
        raise ValueError("--text is for a run file with the section [text]")
    return run._replace(data=replace(run.data, path=str(path)))


def _log(run: Run, file: Path, folder: Path | None) -> Log:
    """Return a log to a CSV file, and to TensorBoard where a folder is given."""
    if folder is None:
        return csv_log(file)
    if not isinstance(run.data, RealText):
        raise ValueError("--tensorboard is for a run file with the section [text]")
    logs = [csv_log(file), tensorboard_log(folder)]

    def write(row: Row) -> None:
        for log in logs:
            log(row)

    return write


def _kept_as(run: Run) -> dict[str, Any]:
    text = run.data if isinstance(run.data, RealText) else None
    return {
        "tokenizer": text.known_tokenizer if text else None,
        "keep": "float16" if run.keep == "float16" else None,
    }


def _train(run: Run, checkpoint: Path, device: str, log: Log) -> tuple[Model, dict[str, Any]]:
    model = model_of(run.config, seed=run.settings.seed, attention=run.attention).to(device)
    text = run.data if isinstance(run.data, RealText) else None
    history = train(
        model,
        run.data.draws(run.settings.batch_size or 1),
        run.settings,
        checkpoint=checkpoint,
        validation=run.data.looks(),
        log=_with_heads(model, text, log) if text else None,
        data=run.data.digest,
    )
    about: dict[str, Any] = {"seed": run.settings.seed, "steps": run.settings.steps}
    if text:
        about |= {"taken": history.steps, "corpus": text.corpus.digest}
    model.eval()
    if run.keep == "float16":
        model.half().float()  # what is measured is what is kept
    return model, about | run.data.measures(model)


def _with_heads(model: Model, text: RealText, write: Log) -> Log:
    """Return a log that adds, at each look, how strong induction heads are and what they bring."""
    rng = np.random.default_rng(0)
    repeated = repeated_ids(text.vocabulary_size, length=text.length // 2, count=4, rng=rng)
    measured: dict[str, Callable[[], float]] = {
        "induction": lambda: float(induction_scores(model, repeated).max()),
        "repetition_gain": lambda: repetition_gain(model, repeated),
    }
    if text.length > LATE:
        measured["context_gain"] = lambda: context_gain(model, text.looks())

    def log(row: Row) -> None:
        looked = row["validation_loss"] is not None and isinstance(model, Transformer)
        more = {name: call() if looked else None for name, call in measured.items()}
        write({**row, **more})

    return log


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m transformer_lib.training", description=__doc__)
    parser.add_argument("config", type=Path, help="a TOML file, as in chapters/models")
    parser.add_argument(
        "--out", type=Path, help="where to write; beside the TOML file if not given"
    )
    parser.add_argument("--text", type=Path, help="a file or folder in the place of the run's text")
    parser.add_argument("--tensorboard", type=Path, help="a folder for TensorBoard's curves")
    parser.add_argument("--device", default="cpu", help="cuda trains on a GPU; cpu if not given")
    parser.add_argument("--threads", type=int, default=1, help="of torch; 1 if not given")
    parser.add_argument("--resume", action="store_true", help="go on where a run was stopped")
    return parser


if __name__ == "__main__":
    sys.exit(main())
