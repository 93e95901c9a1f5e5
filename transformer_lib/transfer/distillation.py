"""Knowledge distillation: a small model also learns from the probabilities of a large one."""

import copy
from collections.abc import Sequence
from dataclasses import replace

import torch
from jaxtyping import Float

from transformer_lib.formulas import checks
from transformer_lib.formulas.cross_entropy import cross_entropy
from transformer_lib.nn import Transformer
from transformer_lib.nn.parametrized import Parametrized
from transformer_lib.training.batches import IGNORED, Batch
from transformer_lib.training.loss import Loss


def distillation_loss(
    student: Float[torch.Tensor, "... V"],
    teacher: Float[torch.Tensor, "... V"],
    *,
    temperature: float = 2.0,
) -> Float[torch.Tensor, "..."]:
    """Return the divergence of the student's probabilities from the teacher's, both softened.

    The logits of both are divided by the temperature T, and the divergence is multiplied by T² so
    that its gradient keeps its size.

    Args:
        student: logits of the student, (..., V).
        teacher: logits of the teacher at the same positions, (..., V).
        temperature: at 1 the probabilities themselves are compared; higher temperatures give small
            probabilities more weight.

    Raises:
        ValueError: temperature is not positive.

    Source: Hinton, Vinyals, Dean (2015), section 2.

    >>> one, other = torch.tensor([1.0, 0.0]), torch.tensor([0.0, 1.0])
    >>> distillation_loss(torch.stack([one, one]), torch.stack([one, other]), temperature=1)
    tensor([0.0000, 0.4621])
    """
    checks.positive(temperature=temperature)
    log_p, log_q = ((logits / temperature).log_softmax(-1) for logits in (teacher, student))
    return temperature**2 * (log_p.exp() * (log_p - log_q)).sum(-1)


def distilled_from(teacher: Transformer, *, temperature: float = 2.0) -> Loss:
    """Return a loss for `train`: half `distillation_loss`, half the cross-entropy of the targets.

    Both losses are means over the positions that have a target.

    Source: Sanh et al. (2019), section 2, who add a third term, on the hidden vectors.
    """

    def loss(student: torch.nn.Module, batch: Batch) -> torch.Tensor:
        with torch.no_grad():
            said = teacher(batch.ids)
        logits, asked = student(batch.ids), batch.targets != IGNORED
        soft = distillation_loss(logits[asked], said[asked], temperature=temperature).mean()
        hard: torch.Tensor = cross_entropy(logits, batch.targets, ignore_index=IGNORED)
        return (soft + hard) / 2

    return loss


def every_other_layer(teacher: Transformer, layers: Sequence[int]) -> Transformer:
    """Return a smaller encoder with the embedding, the head and some layers of a larger one.

    Args:
        teacher: an encoder.
        layers: the indices of the layers to copy, in this order.

    Raises:
        ValueError: the teacher is not an encoder.

    Source: Sanh et al. (2019), section 3, "taking one layer out of two".
    """
    if teacher.config.kind != "encoder":
        raise ValueError(f"teacher must be an encoder, got kind {teacher.config.kind!r}")
    student = Transformer(replace(teacher.config, layers=len(layers)))
    for name, part in teacher.named_children():
        setattr(student, name, copy.deepcopy(part))
    chosen = torch.nn.ModuleList(student.encoder.layers[i] for i in layers)
    student.encoder.layers = chosen
    for module in student.modules():
        if isinstance(module, Parametrized):
            module.config = student.config
    return student
