"""Everything that changes while a model trains."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from transformer_lib.training.history import History
from transformer_lib.training.settings import Settings


@dataclass
class TrainingState:
    """A model in training: its optimizer, its sources of random numbers and its history.

    `rng` draws batches; `dropout` is the state of torch's generator, which dropout uses.
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
        self.dropout = torch.Generator().manual_seed(self.settings.seed).get_state()
