"""Training: batches, the learning rate, the loop, checkpoints and saved models; needs torch."""

from typing import TYPE_CHECKING, Any

import transformer_lib.nn  # noqa: F401  (which says what to install where torch is missing)
from transformer_lib import moved
from transformer_lib.training.batches import (
    Batch,
    gap_batch,
    get_batch,
    language_model_batch,
    translation_batch,
    window_draws,
    windows_in_turn,
)
from transformer_lib.training.checkpoint import load_checkpoint, save_checkpoint
from transformer_lib.training.log import csv_log, tensorboard_log
from transformer_lib.training.loop import train
from transformer_lib.training.loss import mean_loss, token_loss, token_losses
from transformer_lib.training.model_checkpoint import load_model, save_model
from transformer_lib.training.optimizer import clip_gradients, decay_groups
from transformer_lib.training.real_text import RealText
from transformer_lib.training.run_file import Run, read_run
from transformer_lib.training.settings import Settings, cosine_rate, linear_rate, warm_up_rate
from transformer_lib.training.state import History, TrainingState
from transformer_lib.training.step import flops_per_token

__all__ = [
    "Batch",
    "History",
    "RealText",
    "Run",
    "Settings",
    "TrainingState",
    "clip_gradients",
    "cosine_rate",
    "csv_log",
    "decay_groups",
    "flops_per_token",
    "gap_batch",
    "get_batch",
    "language_model_batch",
    "linear_rate",
    "load_checkpoint",
    "load_model",
    "mean_loss",
    "read_run",
    "save_checkpoint",
    "save_model",
    "tensorboard_log",
    "token_loss",
    "token_losses",
    "train",
    "translation_batch",
    "warm_up_rate",
    "window_draws",
    "windows_in_turn",
]

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in moved.TRAINING:
            return getattr(moved.module("course.training"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
