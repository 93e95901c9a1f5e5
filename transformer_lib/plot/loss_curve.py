"""The loss over the steps of a training run, many steps a point."""

from collections.abc import Sequence

from transformer_lib.formulas import checks
from transformer_lib.plot.line_chart import line_chart
from transformer_lib.plot.markup import Markup


def loss_curve(losses: Sequence[float], *, floor: float | None = None, points: int = 100) -> Markup:
    """Draw the loss over the steps, each point the mean of an equal share of them.

    Args:
        losses: one per step, such as `train(...).losses`.
        floor: drawn as a line, such as the entropy per token of the language.
        points: the most points to draw.

    Raises:
        ValueError: no step was taken, or points is not an integer of 1 or more.

    >>> loss_curve([4.0, 2.0, 1.0, 1.0], points=2)
    Line chart. nats per token over step from 2 to 4. loss goes from 3 to 1, lowest 1, highest 3.
    """
    checks.count(1, points=points)
    if not len(losses):  # an array too
        raise ValueError("losses must hold at least one step, got none")
    size = -(-len(losses) // points)
    shares = [losses[i : i + size] for i in range(0, len(losses), size)]
    x = [min((i + 1) * size, len(losses)) for i in range(len(shares))]
    lines = {"loss": [sum(share) / len(share) for share in shares]}
    if floor is not None:
        lines["floor"] = [floor] * len(x)
    return line_chart(x, lines, xlabel="step", ylabel="nats per token")
