"""One step of training: the gradient of all its batches, and one move of the parameters."""

import math
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import torch

from transformer_lib.training import workers
from transformer_lib.training.batches import IGNORED, Batch, DrawBatch
from transformer_lib.training.loss import batch_loss
from transformer_lib.training.optimizer import clip_gradients
from transformer_lib.training.state import TrainingState


def take_step(state: TrainingState, network: Any, draw_batch: DrawBatch) -> None:
    """Draw the batches of a step and move the parameters once.

    Args:
        state: of the training; its history grows by one step.
        network: what computes as the model, such as `workers.shared` gives.
        draw_batch: takes a numpy generator and returns a Batch.
    """
    settings, history, step = state.settings, state.history, state.history.steps + 1
    batches = [_drawn(state, draw_batch) for _ in range(settings.accumulate)]
    tokens = [int((batch.targets != IGNORED).sum()) for batch in batches]
    workers.seed_dropout(settings.seed, step)
    state.optimizer.zero_grad()
    value = workers.total(sum(_backward(state, network, batches, tokens)), state.device)
    if not math.isfinite(value):
        state.optimizer.zero_grad()
        raise ValueError(f"the loss must stay finite, got {value} at step {step}")
    norm = clip_gradients(state.model.parameters(), settings.clip)
    rate = settings.learning_rate(step, d_model=state.model.config.d_model)
    for group in state.optimizer.param_groups:
        group["lr"] = rate
    state.optimizer.step()
    history.losses.append(value)
    history.norms.append(norm)
    history.rates.append(rate)
    history.tokens += sum(tokens)


def _drawn(state: TrainingState, draw_batch: DrawBatch) -> Batch:
    batch, size = draw_batch(state.rng), state.settings.batch_size
    if not isinstance(batch, Batch):
        raise ValueError(f"draw_batch must return a Batch, got {type(batch).__name__}")
    if size not in (None, len(batch.ids)):
        raise ValueError(
            f"draw_batch must return settings.batch_size = {size} sentences, got {len(batch.ids)}"
        )
    return batch


def _backward(
    state: TrainingState, network: Any, batches: list[Batch], tokens: list[int]
) -> Iterator[float]:
    """Yield this worker's parts of the loss, each with its gradient added to the others.

    A part is the mean loss of a batch, times its share of the tokens of the whole step.
    """
    mine = range(workers.rank(), len(batches), workers.count())
    for place in mine:
        share = tokens[place] / sum(tokens) if sum(tokens) else 1 / len(tokens)
        # Gradients travel between workers once a step, with the last batch.
        apart = workers.count() > 1 and place != mine[-1]
        with network.no_sync() if apart else nullcontext():
            with autocast(state):
                loss = batch_loss(network, batches[place], smoothing=state.settings.smoothing)
            # Workers take the mean of their gradients, and what is wanted is the sum.
            (loss * (share * workers.count())).backward()  # type: ignore[no-untyped-call]
        yield float(loss.detach()) * share


def autocast(state: TrainingState) -> torch.autocast:
    """Return what lets products of matrices run in bfloat16, where the settings ask for it."""
    enabled = state.settings.precision == "bfloat16"
    return torch.autocast(state.device.type, dtype=torch.bfloat16, enabled=enabled)
