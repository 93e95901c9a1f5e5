"""What a training run tells about itself afterwards."""

from dataclasses import dataclass, field

from transformer_lib.formulas import checks
from transformer_lib.plot import Markup, line_chart


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


def loss_curve(history: History, *, floor: float | None = None, points: int = 100) -> Markup:
    """Draw the loss over the steps, each point the mean of an equal share of them.

    Args:
        history: what `train` returned.
        floor: drawn as a line, such as the entropy per token of the language.
        points: the most points to draw.

    Raises:
        ValueError: no step was taken, or points is not an integer of 1 or more.
    """
    checks.count(1, points=points)
    if not history.steps:
        raise ValueError("history must hold at least one step, got none")
    size = -(-history.steps // points)
    shares = [history.losses[i : i + size] for i in range(0, history.steps, size)]
    x = [min((i + 1) * size, history.steps) for i in range(len(shares))]
    lines = {"loss": [sum(share) / len(share) for share in shares]}
    if floor is not None:
        lines["floor"] = [floor] * len(x)
    return line_chart(x, lines, xlabel="step", ylabel="nats per token")
