"""The training loop."""

import math
import time
import warnings
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import torch

from transformer_lib.nn.block import MultiHeadAttention
from transformer_lib.training import workers
from transformer_lib.training.batches import Batch, DrawBatch
from transformer_lib.training.checkpoint import json_path, load_checkpoint, save_checkpoint
from transformer_lib.training.log import Log, Progress
from transformer_lib.training.loss import Loss, batch_loss, token_loss
from transformer_lib.training.settings import Settings
from transformer_lib.training.state import History, TrainingState
from transformer_lib.training.step import take_step


def train(
    model: Any,
    draw_batch: DrawBatch,
    settings: Settings,
    *,
    checkpoint: str | Path | None = None,
    progress: bool = True,
    validation: Sequence[Batch] = (),
    log: Log | None = None,
    loss: Loss | None = None,
    data: str = "",
) -> History:
    """Train a model on batches that are sampled one after another.

    The same model, batches and settings give the same result to the last bit, even if the run was
    stopped and continued from its checkpoint. Torch's own random state is left as it was. If
    `torchrun` has started several processes, they all sample the same `settings.accumulate` batches
    for a step, and each computes its share of them. A warning is given if the warm-up outlasts the
    run, as the default of 4000 steps outlasts a short one.

    Args:
        model: a Transformer or a RecurrentModel; its parameters are changed, and it is in training
            mode during the run only.
        draw_batch: takes a numpy generator and returns a Batch.
        settings: how to train.
        checkpoint: a file NAME.json. If the file exists, training continues from it. It is written
            every `settings.checkpoint_every` steps and at the end.
        progress: whether to show the step, the loss and the time left during training.
        validation: batches of other text; their loss is measured every `settings.validate_every`
            steps and may end the training, see `settings.patience`.
        log: a function such as `csv_log` returns, called after each step with its numbers by name.
        loss: the loss of the model on a batch; the cross-entropy of its targets unless given.
        data: a string that identifies the text and the tokenizer, such as a digest; a checkpoint
            that was written with another string is refused.

    Raises:
        ValueError: an argument is not as described, draw_batch does not return a Batch of
            `settings.batch_size` sentences, the loss is not finite, the workers cannot share the
            batches, or the checkpoint is cut short or of another run; the model is then as it was.

    Source: Vaswani et al. (2017), section 5; Kingma and Ba (2015) for Adam.
    """
    _check(model, draw_batch, settings, validation)
    _say_if_the_rate_only_grows(settings)
    state = TrainingState(model, settings, data)
    if checkpoint is not None and json_path(checkpoint=checkpoint).exists():
        load_checkpoint(checkpoint, state)
    was_training = model.training
    model.train()
    try:
        _set_attention_dropout(model, settings.attention_dropout)
        with torch.random.fork_rng([state.device] if state.device.type == "cuda" else []):
            shown = Progress(settings.steps, shown=progress and workers.rank() == 0)
            objective = partial(batch_loss, smoothing=settings.smoothing) if loss is None else loss
            _run(state, draw_batch, objective, validation, checkpoint, shown, log)
    finally:
        _set_attention_dropout(model, 0.0)
        model.train(was_training)
    state.restore_best()
    return state.history


def _say_if_the_rate_only_grows(settings: Settings) -> None:
    """Warn if the warm-up outlasts the run, so that the learning rate never reaches its highest."""
    steps, warm_up = settings.steps, settings.warm_up
    if settings.rate is not None or not 0 < steps < warm_up or workers.rank() > 0:
        return
    warnings.warn(
        f"warm_up should be at most steps, got {warm_up} and {steps}: the run ends while the "
        f"learning rate still grows, at {steps / warm_up:.2g} of its highest value, so the model "
        f'may learn little; Settings(steps={steps}, rate=3e-3, schedule="cosine", '
        f"warm_up={max(1, steps // 10)}), for example, reaches its highest rate and falls again",
        stacklevel=3,
    )


def _run(
    state: TrainingState,
    draw_batch: DrawBatch,
    loss: Loss,
    validation: Sequence[Batch],
    checkpoint: str | Path | None,
    progress: Progress,
    log: Log | None,
) -> None:
    state.set_dropout()
    network = workers.shared(state.model)
    settings, history = state.settings, state.history
    with progress:
        while history.steps < settings.steps and not _enough(state):
            start = time.perf_counter()
            take_step(state, network, draw_batch, loss)
            history.seconds += time.perf_counter() - start
            _validate(state, validation)
            if log is not None and workers.rank() == 0:
                log(_row(history))
            progress.show(history.steps, history.losses[-1])
            due = history.steps % settings.checkpoint_every == 0
            last = history.steps == settings.steps or _enough(state)
            if checkpoint is not None and (due or last) and workers.rank() == 0:
                state.keep_dropout()
                save_checkpoint(checkpoint, state)


def _validate(state: TrainingState, batches: Sequence[Batch]) -> None:
    """Look at the loss on other text, where it is time to, and remember the best model."""
    history = state.history
    if not batches or history.steps % state.settings.validate_every:
        return
    loss = token_loss(state.model, batches)
    if state.best and loss < min(history.validation_losses, default=math.inf):
        state.best = state.copied()
    history.validation_losses.append(loss)
    history.validation_steps.append(float(history.steps))


def _enough(state: TrainingState) -> bool:
    patience = state.settings.patience
    return patience is not None and state.history.patience_left(patience) <= 0


def _row(history: History) -> dict[str, float | int | None]:
    """Return the numbers of the last step by name."""
    looked = bool(history.validation_steps) and history.validation_steps[-1] == history.steps
    return {
        "step": history.steps,
        "loss": history.losses[-1],
        "norm": history.norms[-1],
        "rate": history.rates[-1],
        "validation_loss": history.validation_losses[-1] if looked else None,
        "tokens": history.tokens,
        "tokens_per_second": round(history.tokens_per_second, 1),
    }


def _set_attention_dropout(model: torch.nn.Module, share: float) -> None:
    for module in model.modules():
        if isinstance(module, MultiHeadAttention):
            module.attention_dropout = share


def _check(model: Any, draw_batch: Any, settings: Any, validation: Any) -> None:
    if not isinstance(model, torch.nn.Module) or not hasattr(model, "config"):
        raise ValueError(f"model must be a Transformer or a RecurrentModel, got {model!r}")
    if not any(value.requires_grad for value in model.parameters()):
        raise ValueError(
            "model must have a parameter to train, and all of them are frozen, as adapters leave "
            "them when they are merged: call model.requires_grad_(True)"
        )
    if not callable(draw_batch):
        raise ValueError(f"draw_batch must be a function of a generator, got {draw_batch!r}")
    if not isinstance(settings, Settings):
        raise ValueError(f"settings must be Settings, got {type(settings).__name__}")
    if not all(isinstance(batch, Batch) for batch in validation):
        raise ValueError("validation must be a list of batches")
    if settings.patience is not None and not validation:
        raise ValueError("validation must be given if settings.patience is given")
    if settings.accumulate % workers.count():
        raise ValueError(
            f"settings.accumulate must be a multiple of the {workers.count()} workers, which share "
            f"the batches of a step, got {settings.accumulate}"
        )
