"""Training: batches, the learning rate, the loop, checkpoints and kept models; needs torch."""

from transformer_lib.training.batches import Batch, language_model_batch, translation_batch
from transformer_lib.training.checkpoint import load_checkpoint, save_checkpoint
from transformer_lib.training.history import History, loss_curve
from transformer_lib.training.kept import load_model, save_model
from transformer_lib.training.loop import train
from transformer_lib.training.loss import mean_loss
from transformer_lib.training.schedule import warm_up_rate
from transformer_lib.training.settings import Settings
from transformer_lib.training.state import TrainingState

__all__ = [
    "Batch",
    "History",
    "Settings",
    "TrainingState",
    "language_model_batch",
    "load_checkpoint",
    "load_model",
    "loss_curve",
    "mean_loss",
    "save_checkpoint",
    "save_model",
    "train",
    "translation_batch",
    "warm_up_rate",
]
