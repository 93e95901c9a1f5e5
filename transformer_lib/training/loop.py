"""The training loop."""

import math
import time
from pathlib import Path
from typing import Any

import torch

from transformer_lib.training.batches import Batch, DrawBatch
from transformer_lib.training.checkpoint import json_path, load_checkpoint, save_checkpoint
from transformer_lib.training.loss import batch_loss
from transformer_lib.training.progress import Progress
from transformer_lib.training.settings import Settings
from transformer_lib.training.state import History, TrainingState


def train(
    model: Any,
    draw_batch: DrawBatch,
    settings: Settings,
    *,
    checkpoint: str | Path | None = None,
    progress: bool = True,
) -> History:
    """Train a model on batches that are drawn one after the other.

    The same model, batches and settings give the same result to the last bit, also when the run was
    stopped and went on from its checkpoint. Torch's own random state is left as it was.

    Args:
        model: a Transformer or a RecurrentModel; its parameters are changed, and it is in training
            mode during the run only.
        draw_batch: takes a numpy generator and returns a Batch.
        settings: how to train.
        checkpoint: a file NAME.json. Training goes on from it where it exists, and it is written
            every `settings.checkpoint_every` steps and at the end.
        progress: show the step, the loss and the time left while training.

    Raises:
        ValueError: an argument is not as described, draw_batch returns anything else or more or
            fewer sentences than `settings.batch_size`, the loss is not finite, or the checkpoint is
            cut short or of another run; the model is then as it was.

    Source: Vaswani et al. (2017), section 5; Kingma and Ba (2015) for Adam.
    """
    _check(model, draw_batch, settings)
    state = TrainingState(model, settings)
    if checkpoint is not None and json_path(checkpoint=checkpoint).exists():
        load_checkpoint(checkpoint, state)
    was_training = model.training
    model.train()
    try:
        with torch.random.fork_rng([state.device] if state.device.type == "cuda" else []):
            _run(state, draw_batch, checkpoint, Progress(settings.steps, shown=progress))
    finally:
        model.train(was_training)
    return state.history


def _run(
    state: TrainingState,
    draw_batch: DrawBatch,
    checkpoint: str | Path | None,
    progress: Progress,
) -> None:
    state.set_dropout()
    settings, history = state.settings, state.history
    with progress:
        while history.steps < settings.steps:
            start = time.perf_counter()
            _step(state, draw_batch)
            history.seconds += time.perf_counter() - start
            progress.show(history.steps, history.losses[-1])
            due = history.steps % settings.checkpoint_every == 0
            if checkpoint is not None and (due or history.steps == settings.steps):
                state.keep_dropout()
                save_checkpoint(checkpoint, state)


def _step(state: TrainingState, draw_batch: DrawBatch) -> None:
    """Draw a batch and move the parameters once."""
    settings, history, step = state.settings, state.history, state.history.steps + 1
    batch = draw_batch(state.rng)
    if not isinstance(batch, Batch):
        raise ValueError(f"draw_batch must return a Batch, got {type(batch).__name__}")
    if settings.batch_size not in (None, len(batch.ids)):
        raise ValueError(
            f"draw_batch must return settings.batch_size = {settings.batch_size} sentences, "
            f"got {len(batch.ids)}"
        )
    loss = batch_loss(state.model, batch, smoothing=settings.smoothing)
    value = float(loss.detach())
    if not math.isfinite(value):
        raise ValueError(f"the loss must stay finite, got {value} at step {step}")
    state.optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    limit = float("inf") if settings.clip is None else settings.clip
    norm = torch.nn.utils.clip_grad_norm_(state.model.parameters(), limit)
    rate = settings.learning_rate(step, d_model=state.model.config.d_model)
    for group in state.optimizer.param_groups:
        group["lr"] = rate
    state.optimizer.step()
    history.losses.append(value)
    history.norms.append(float(norm))
    history.rates.append(rate)


def _check(model: Any, draw_batch: Any, settings: Any) -> None:
    if not isinstance(model, torch.nn.Module) or not hasattr(model, "config"):
        raise ValueError(f"model must be a Transformer or a RecurrentModel, got {model!r}")
    if not callable(draw_batch):
        raise ValueError(f"draw_batch must be a function of a generator, got {draw_batch!r}")
    if not isinstance(settings, Settings):
        raise ValueError(f"settings must be Settings, got {type(settings).__name__}")
