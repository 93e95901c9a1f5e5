"""A model and its optimizer in one file of torch's, for loops of your own."""

from io import BufferedIOBase
from pathlib import Path
from typing import Any

import torch


def save_snapshot(
    path: str | Path | BufferedIOBase,
    model: torch.nn.Module,
    optimizer: torch.optim.Optimizer,
    step: int,
) -> None:
    """Write a model, its optimizer and the step.

    `save_checkpoint` keeps more, all that `train` needs to go on to the very same end.

    Args:
        path: of the file, or the file, open for bytes.
        model: any module.
        optimizer: of its parameters.
        step: how many steps were taken.
    """
    told = {"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}
    place: Any = path
    torch.save(told, place)


def load_snapshot(
    path: str | Path | BufferedIOBase, model: torch.nn.Module, optimizer: torch.optim.Optimizer
) -> int:
    """Put a model and its optimizer back to where they were written, and return the step.

    Args:
        path: of the file, or the file, open for bytes.
        model: of the same shape as the one that was written.
        optimizer: of its parameters.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: the file is of another kind or of another model.
    """
    place: Any = path
    try:
        told = torch.load(place, weights_only=True)
        model.load_state_dict(told["model"])
        optimizer.load_state_dict(told["optimizer"])
        return int(told["step"])
    except FileNotFoundError:
        raise
    except Exception as error:  # torch raises many kinds, of pickle, of zip and its own
        raise ValueError(f"path must be a snapshot of this model, but {path}: {error}") from None
