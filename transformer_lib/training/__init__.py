"""Training: batches, the learning rate, the loop, checkpoints and kept models; needs torch."""

import transformer_lib.nn  # noqa: F401  (which says what to install where torch is missing)
from transformer_lib.training.batches import Batch, language_model_batch, translation_batch
from transformer_lib.training.checkpoint import load_checkpoint, save_checkpoint
from transformer_lib.training.data import batch_of, draws_from, held_out_sentences
from transformer_lib.training.evaluation import (
    agreement_accuracy,
    exact_match,
    loss_floor,
    translate,
)
from transformer_lib.training.kept import load_model, save_model
from transformer_lib.training.loop import train
from transformer_lib.training.loss import mean_loss
from transformer_lib.training.measurement import measures
from transformer_lib.training.run_file import Run, read_run
from transformer_lib.training.settings import Settings, warm_up_rate
from transformer_lib.training.state import History, TrainingState

__all__ = [
    "Batch",
    "History",
    "Run",
    "Settings",
    "TrainingState",
    "agreement_accuracy",
    "batch_of",
    "draws_from",
    "exact_match",
    "held_out_sentences",
    "language_model_batch",
    "load_checkpoint",
    "load_model",
    "loss_floor",
    "mean_loss",
    "measures",
    "read_run",
    "save_checkpoint",
    "save_model",
    "train",
    "translate",
    "translation_batch",
    "warm_up_rate",
]
