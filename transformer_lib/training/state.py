"""Everything that changes while a model trains."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from transformer_lib.training.batches import device_of
from transformer_lib.training.optimizer import optimizer_of
from transformer_lib.training.settings import Settings


@dataclass
class History:
    """The numbers of each step, and the time that all steps took.

    `losses` are the training losses, with label smoothing if it is on; `norms` are the norms of the
    gradients before clipping; `rates` are the learning rates; `seconds` is the time of all steps
    together, and `tokens` is the number of all their targets. `validation_losses` are the losses on
    other text, measured at `validation_steps`.
    """

    losses: list[float] = field(default_factory=list)
    norms: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    seconds: float = 0.0
    tokens: int = 0
    validation_steps: list[float] = field(default_factory=list)
    validation_losses: list[float] = field(default_factory=list)

    @property
    def steps(self) -> int:
        """The number of steps that were taken."""
        return len(self.losses)

    @property
    def tokens_per_second(self) -> float:
        """The speed of training, over all steps."""
        return self.tokens / self.seconds if self.seconds else 0.0

    def patience_left(self, patience: int) -> int:
        """Return after how many more validation losses without a new lowest one training ends."""
        if not self.validation_losses:
            return patience
        best = self.validation_losses.index(min(self.validation_losses))
        return patience - (len(self.validation_losses) - 1 - best)


@dataclass
class TrainingState:
    """A model in training: its optimizer, its sources of random numbers and its history.

    `rng` samples batches; `dropout` is the state of torch's generator, which dropout uses, on the
    model's device; `best` contains the parameters at the lowest validation loss, if training may
    end early; `data` identifies the text of the batches.
    """

    model: Any
    settings: Settings
    data: str = ""
    optimizer: torch.optim.Optimizer = field(init=False)
    rng: np.random.Generator = field(init=False)
    dropout: torch.Tensor = field(init=False)
    history: History = field(default_factory=History)
    best: dict[str, torch.Tensor] = field(init=False)

    def __post_init__(self) -> None:
        self.optimizer = optimizer_of(self.model, self.settings)
        self.best = self.copied() if self.settings.patience is not None else {}
        self.rng = np.random.default_rng(self.settings.seed)
        self.dropout = torch.Generator(self.device).manual_seed(self.settings.seed).get_state()

    @property
    def device(self) -> torch.device:
        """The device of the model."""
        return device_of(self.model)

    def copied(self) -> dict[str, torch.Tensor]:
        """Return a copy of the current parameters."""
        return {name: p.detach().clone() for name, p in self.model.named_parameters()}

    def restore_best(self) -> None:
        """Restore the parameters at the lowest validation loss, if a loss was measured."""
        if self.history.validation_losses:
            with torch.no_grad():
                for name, value in self.best.items():
                    self.model.get_parameter(name).copy_(value)

    def set_dropout(self) -> None:
        """Set torch's generator to the random state that this state contains."""
        if self.device.type == "cuda":
            torch.cuda.set_rng_state(self.dropout, self.device)
        else:
            torch.set_rng_state(self.dropout)

    def keep_dropout(self) -> None:
        """Store the current random state of torch's generator."""
        on_gpu = self.device.type == "cuda"
        self.dropout = torch.cuda.get_rng_state(self.device) if on_gpu else torch.get_rng_state()
