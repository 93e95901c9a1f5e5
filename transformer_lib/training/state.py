"""Everything that changes while a model trains."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from transformer_lib.training.batches import device_of
from transformer_lib.training.settings import Settings


@dataclass
class History:
    """One number a step, and the time they all took.

    `losses` are those that training made smaller, with label smoothing where it is on; `norms` the
    lengths of the gradients before clipping; `rates` the learning rates; `seconds` the time of all
    steps together.
    """

    losses: list[float] = field(default_factory=list)
    norms: list[float] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return len(self.losses)


@dataclass
class TrainingState:
    """A model in training: its optimizer, its sources of random numbers and its history.

    `rng` draws batches; `dropout` is the state of torch's generator, which dropout uses, on the
    device of the model.
    """

    model: Any
    settings: Settings
    optimizer: torch.optim.Adam = field(init=False)
    rng: np.random.Generator = field(init=False)
    dropout: torch.Tensor = field(init=False)
    history: History = field(default_factory=History)

    def __post_init__(self) -> None:
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), betas=(0.9, 0.98), eps=1e-9, fused=True
        )
        self.rng = np.random.default_rng(self.settings.seed)
        self.dropout = torch.Generator(self.device).manual_seed(self.settings.seed).get_state()

    @property
    def device(self) -> torch.device:
        """Where the model is."""
        return device_of(self.model)

    def set_dropout(self) -> None:
        """Make torch go on drawing where this state stands."""
        if self.device.type == "cuda":
            torch.cuda.set_rng_state(self.dropout, self.device)
        else:
            torch.set_rng_state(self.dropout)

    def keep_dropout(self) -> None:
        """Remember where torch's drawing stands."""
        on_gpu = self.device.type == "cuda"
        self.dropout = torch.cuda.get_rng_state(self.device) if on_gpu else torch.get_rng_state()
