"""What a training run tells about itself afterwards."""

from dataclasses import dataclass, field


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
