"""The loss on text that training does not see, while it goes on."""

import math
from collections.abc import Iterable

import torch

from transformer_lib.training.batches import IGNORED, Batch
from transformer_lib.training.loss import mean_loss
from transformer_lib.training.state import TrainingState


def token_loss(model: torch.nn.Module, batches: Iterable[Batch]) -> float:
    """Return the mean loss over all real tokens of batches, in nats, without dropout.

    Args:
        model: a Transformer or a RecurrentModel.
        batches: of any sizes, at least one token in all.

    Raises:
        ValueError: there is no token.
    """
    losses, tokens = 0.0, 0
    for batch in batches:
        count = int((batch.targets != IGNORED).sum())
        losses += mean_loss(model, batch) * count if count else 0.0
        tokens += count
    if not tokens:
        raise ValueError("batches must hold at least one token to predict, got none")
    return losses / tokens


def validate(state: TrainingState, batches: Iterable[Batch]) -> None:
    """Look at the loss on other text, where it is time to, and remember the best model.

    Args:
        state: of the training.
        batches: of the other text; none means that there is nothing to look at.
    """
    history = state.history
    if not batches or history.steps % state.settings.validate_every:
        return
    loss = token_loss(state.model, batches)
    if state.best and loss < min(history.validation_losses, default=math.inf):
        state.best = state.copied()
    history.validation_losses.append(loss)
    history.validation_steps.append(float(history.steps))
