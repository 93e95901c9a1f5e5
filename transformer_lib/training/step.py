"""One training step: the gradient over all its batches, and one update of the parameters."""

import math
from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

import torch

from transformer_lib.formulas import checks
from transformer_lib.training import workers
from transformer_lib.training.batches import IGNORED, Batch, DrawBatch
from transformer_lib.training.loss import Loss
from transformer_lib.training.optimizer import clip_gradients
from transformer_lib.training.state import TrainingState


def take_step(
    state: TrainingState,
    network: Any,
    draw_batch: DrawBatch,
    loss: Loss,
) -> None:
    """Sample the batches of a step and update the parameters once.

    Args:
        state: the state of the training; its history grows by one step.
        network: the model, or what `workers.shared` returns for it.
        draw_batch: takes a numpy generator and returns a Batch.
        loss: the loss of a network on a batch.
    """
    settings, history = state.settings, state.history
    step = history.steps + 1
    batches = [_drawn(state, draw_batch) for _ in range(settings.accumulate)]
    tokens = [int((each.targets != IGNORED).sum()) for each in batches]
    workers.seed_dropout(settings.seed, step)
    state.optimizer.zero_grad()
    mine = sum(_backward(state, network, batches, tokens, loss))
    value = workers.total(mine, state.device)
    if not math.isfinite(value):
        state.optimizer.zero_grad()
        raise ValueError(
            f"the loss must stay finite, got {value} at step {step}",
        )
    norm = clip_gradients(state.model.parameters(), settings.clip)
    width = state.model.config.d_model
    rate = settings.learning_rate(step, d_model=width)
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
    state: TrainingState, network: Any, batches: list[Batch], tokens: list[int], loss: Loss
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
                value = loss(network, batches[place])
            # Workers take the mean of their gradients, and what is wanted is the sum.
            (value * (share * workers.count())).backward()  # type: ignore[no-untyped-call]
        yield float(value.detach()) * share


def autocast(state: TrainingState) -> torch.autocast:
    """Return the context in which matrix products run in bfloat16 if the settings ask for it."""
    enabled = state.settings.precision == "bfloat16"
    return torch.autocast(state.device.type, dtype=torch.bfloat16, enabled=enabled)


def flops_per_token(model: torch.nn.Module, length: int) -> int:
    """Return the number of operations that training takes for each token of a Transformer.

    It is 6 for each parameter (a product and a sum, once forward and twice backward), plus
    12 N d_model n for the scores and the weighted sums of attention.

    Args:
        model: a Transformer; a tied embedding and head are counted once.
        length: n, the number of ids in a window.

    Raises:
        ValueError: length is not an integer of 1 or more.

    Source: Chowdhery et al. (2022), "PaLM", appendix B; Kaplan et al. (2020), section 2.1.
    """
    checks.count(1, length=length)
    parameters = sum(p.numel() for p in model.parameters())
    config = getattr(model, "config", None)
    layers, width = getattr(config, "layers", 0), getattr(config, "d_model", 0)
    return 6 * parameters + 12 * int(layers) * int(width) * length
