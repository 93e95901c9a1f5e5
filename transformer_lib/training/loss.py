"""The loss of a model on a batch, and on all batches of a text."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from transformer_lib.formulas.cross_entropy import cross_entropy, cross_entropy_steps
from transformer_lib.training.batches import IGNORED, Batch, device_of

Loss = Callable[[Any, Batch], torch.Tensor]
"""A loss of a model on a batch, with its gradient."""


def batch_loss(
    model: torch.nn.Module,
    batch: Batch,
    *,
    smoothing: float = 0.0,
) -> torch.Tensor:
    """Return the mean loss over the real tokens of a batch, with its gradient.

    The model reads the correct previous tokens, not its own predictions (teacher forcing).
    """
    if not isinstance(batch, Batch):
        found = type(batch).__name__
        raise ValueError(f"batch must be a Batch, got {found}")
    batch = batch.to(device_of(model))
    source = () if batch.source is None else (batch.source,)
    logits = model(batch.ids, *source)
    if logits.dtype == torch.bfloat16:  # too coarse for a sum over the words
        logits = logits.float()
    loss: torch.Tensor = cross_entropy(
        logits,
        batch.targets,
        ignore_index=IGNORED,
        label_smoothing=smoothing,
    )
    return loss


def mean_loss(model: torch.nn.Module, batch: Batch) -> float:
    """Return the mean loss per real token, in nats, without dropout, smoothing or gradient.

    Args:
        model: a Transformer or a RecurrentModel.
        batch: what the model reads and what it should predict.

    Raises:
        ValueError: batch is not a Batch, or its ids do not fit the model.

    Source: Vaswani et al. (2017), section 5.4, who distinguish this loss from the smoothed one.
    """
    with evaluating(model):
        return float(batch_loss(model, batch))


def token_losses(model: torch.nn.Module, batch: Batch) -> torch.Tensor:
    """Return the loss of each token of a batch, in nats, without dropout or gradient.

    Args:
        model: a Transformer or a RecurrentModel that reads only ids.
        batch: windows of a text; the loss of padding is 0.

    Returns:
        One loss per target, (batch, n), float64 on the CPU.

    Raises:
        ValueError: the ids do not fit the model.
    """
    batch = batch.to(device_of(model))
    with evaluating(model):
        logits = model(batch.ids)
        logits = logits.float() if logits.dtype.itemsize == 2 else logits
        steps = cross_entropy_steps(logits, batch.targets, ignore_index=IGNORED)
    losses: torch.Tensor = steps.losses
    return losses.double().cpu()


def token_loss(model: torch.nn.Module, batches: Iterable[Batch]) -> float:
    """Return the mean loss over all real tokens of several batches, in nats, without dropout.

    Args:
        model: a Transformer or a RecurrentModel.
        batches: batches of any sizes, with at least one real token in all.

    Raises:
        ValueError: the batches contain no real token.
    """
    losses, tokens = 0.0, 0
    for batch in batches:
        count = int((batch.targets != IGNORED).sum())
        losses += mean_loss(model, batch) * count if count else 0.0
        tokens += count
    if not tokens:
        raise ValueError("batches must contain at least one token to predict, got none")
    return losses / tokens


@contextmanager
def evaluating(model: torch.nn.Module) -> Iterator[None]:
    """Run a model without dropout and gradients, and then restore its mode."""
    training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(training)
