"""The loss of a model on a batch."""

from typing import Any

import torch

from transformer_lib.formulas.cross_entropy import cross_entropy
from transformer_lib.training.batches import IGNORED, Batch, device_of


def batch_loss(model: torch.nn.Module, batch: Batch, *, smoothing: float = 0.0) -> torch.Tensor:
    """Return the mean loss over the real tokens of a batch, with its gradient.

    The model reads the right words so far, not its own: teacher forcing.
    """
    if not isinstance(batch, Batch):
        raise ValueError(f"batch must be a Batch, got {type(batch).__name__}")
    batch = batch.to(device_of(model))
    inputs: tuple[Any, ...] = (batch.ids,) if batch.source is None else (batch.ids, batch.source)
    logits = model(*inputs)
    if logits.dtype == torch.bfloat16:  # too coarse for a sum over the vocabulary
        logits = logits.float()
    loss: torch.Tensor = cross_entropy(
        logits, batch.targets, ignore_index=IGNORED, label_smoothing=smoothing
    )
    return loss


def mean_loss(model: torch.nn.Module, batch: Batch) -> float:
    """Return the mean loss per real token, in nats, without dropout, smoothing or gradient.

    Args:
        model: a Transformer or a RecurrentModel.
        batch: what it reads and what it should say.

    Raises:
        ValueError: batch is no Batch, or its ids do not fit the model.

    Source: Vaswani et al. (2017), section 5.4, distinguish it from the smoothed loss.
    """
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            return float(batch_loss(model, batch))
    finally:
        model.train(training)
