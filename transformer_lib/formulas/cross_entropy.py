"""Cross-entropy, the loss of a language model, and perplexity."""

import math
from typing import NamedTuple

from jaxtyping import Float, Int, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, library
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.head import log_softmax
from transformer_lib.formulas.operand import Operand


class CrossEntropySteps(NamedTuple):
    """The steps of cross-entropy: an array (..., V), then two of shape (...), then one number."""

    log_probabilities: Array
    losses: Array
    counted: Array
    loss: Array


def _some_count(logits: Array, targets: Array, ignore_index: int, label_smoothing: float) -> None:
    if not 0 <= label_smoothing <= 1:
        raise ValueError(f"label_smoothing must be from 0 to 1, got {label_smoothing}")
    counted, size = targets != ignore_index, logits.shape[-1]
    if bool((counted & ((targets < 0) | (targets >= size))).any()):
        raise ValueError(
            f"targets must be ids from 0 to {size - 1} or {ignore_index}, got {targets}"
        )
    if not bool(counted.any()):
        raise ValueError(
            f"targets must contain at least one token to predict, but all "
            f"{math.prod(targets.shape)} are {ignore_index} (ignore_index)"
        )


@checked(_some_count)
@in_float32
def cross_entropy_steps(
    logits: Num[Operand, "*tokens V"],
    targets: Int[Operand, "*tokens"],
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> CrossEntropySteps:
    """Compute how improbable the model finds the target tokens, and keep every step.

    With s = `label_smoothing`, the target at each position is a distribution: (1 - s) on the
    correct token plus s / V on every token. The loss is minus the expected log-probability under
    that target distribution.

    Args:
        logits: scores of every token of the vocabulary, (..., V).
        targets: ids of the correct tokens, integers (...); for a language model, they are already
            shifted by one.
        ignore_index: the id of tokens that are not counted, such as padding.
        label_smoothing: the share s of the target spread over the whole vocabulary, from 0 to 1.

    Returns:
        `log_probabilities`, the `losses` of all tokens (0 where ignored), `counted` (True where
        not ignored), and `loss`, the mean over the counted tokens.

    Raises:
        ValueError: an argument is not such an array, the shapes are incompatible, a target is
            neither an id below V nor `ignore_index`, label_smoothing is not from 0 to 1, or every
            target is ignored (a mean over no tokens is undefined; torch returns nan).

    Source: Vaswani et al. (2017), section 5.4; Szegedy et al. (2016), "Rethinking the Inception
    architecture for computer vision", section 7.

    >>> import numpy as np
    >>> steps = cross_entropy_steps(np.log([[1.0, 3.0], [2.0, 2.0]]), np.array([0, -100]))
    >>> np.exp(steps.log_probabilities), np.exp(-steps.losses), steps.counted
    (array([[0.25, 0.75],
           [0.5 , 0.5 ]]), array([0.25, 1.  ]), array([ True, False]))
    """
    xp = library(logits)
    counted = targets != ignore_index  # type: ignore[comparison-overlap]
    log_p = log_softmax.formula(logits)
    ids = xp.where(counted, targets, xp.zeros_like(targets))
    ids = xp.astype(ids, xp.int64)
    losses = -xp.take_along_axis(log_p, ids[..., None], axis=-1)[..., 0]
    # Only when asked for: a token of probability 0 has an infinite share in the smoothed loss.
    if label_smoothing > 0:
        losses = (1 - label_smoothing) * losses - label_smoothing * xp.mean(log_p, axis=-1)
    losses = xp.where(counted, losses, xp.zeros_like(losses))
    # The sum keeps an axis, for numpy 2.0 casts arrays and no scalars.
    number = xp.sum(xp.astype(xp.reshape(counted, (1, -1)), xp.int64), axis=1)
    loss = xp.sum(losses) / xp.astype(number, losses.dtype)[0]
    return CrossEntropySteps(log_p, losses, counted, loss)


def cross_entropy(
    logits: Num[Operand, "*tokens V"],
    targets: Int[Operand, "*tokens"],
    *,
    ignore_index: int = -100,
    label_smoothing: float = 0.0,
) -> Float[Array, ""]:
    """Return the mean loss over the counted tokens, which is the loss of `cross_entropy_steps`."""
    return cross_entropy_steps(
        logits, targets, ignore_index=ignore_index, label_smoothing=label_smoothing
    ).loss


@in_float32
def perplexity(
    logits: Num[Operand, "*tokens V"], targets: Int[Operand, "*tokens"], *, ignore_index: int = -100
) -> Float[Array, ""]:
    """Return exp(cross-entropy): a choice among so many equally likely tokens is as uncertain.

    Args:
        logits: scores of every token of the vocabulary, (..., V).
        targets: ids of the correct tokens, integers (...).
        ignore_index: the id of tokens that are not counted.

    Raises:
        ValueError: for the same reasons as `cross_entropy_steps`, in particular when every target
            is ignored.

    Source: Jelinek et al. (1977), "Perplexity: a measure of the difficulty of speech recognition
    tasks".

    >>> import numpy as np
    >>> round(float(perplexity(np.zeros((2, 4)), np.array([0, 3]))), 12)
    4.0
    """
    loss = cross_entropy(logits, targets, ignore_index=ignore_index)
    return library(loss).exp(loss)
