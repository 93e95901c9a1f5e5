"""Scaled dot-product attention, with every step of it by name."""

import math
from typing import NamedTuple

from jaxtyping import Bool, Float, Num

from transformer_lib.formulas.checked import checked
from transformer_lib.formulas.checks import Array, columns, library, positive
from transformer_lib.formulas.half import in_float32
from transformer_lib.formulas.operand import Operand
from transformer_lib.formulas.softmax import softmax


class AttentionSteps(NamedTuple):
    """The steps of attention in order; all but the output are (..., n_q, n_k)."""

    scores: Array
    scaled: Array
    masked: Array
    weights: Array
    output: Array


@checked(Q=columns, mask="... n_q n_k", bias="... n_q n_k", divisor=positive)
@in_float32
def attention_steps(
    Q: Num[Operand, "... n_q d_k"],
    K: Num[Operand, "... n_k d_k"],
    V: Num[Operand, "... n_k d_v"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    bias: Num[Operand, "..."] | None = None,
    divisor: float | None = None,
) -> AttentionSteps:
    """Compute softmax(Q K^T / sqrt(d_k)) V and keep every step.

    Args:
        Q: queries, (..., n_q, d_k).
        K: keys, (..., n_k, d_k).
        V: values, (..., n_k, d_v).
        mask: boolean, broadcasts to (..., n_q, n_k), True = may be attended. A query that may
            attend to nothing gets weights and an output of 0.
        bias: added to the scaled scores before the mask, broadcasts to (..., n_q, n_k): what
            ALiBi and T5 know of positions.
        divisor: what the scores are divided by; sqrt(d_k) unless given, 1 for no scaling.

    Raises:
        ValueError: an argument is not an array of real numbers, shapes do not fit, the mask is not
            boolean, mask or bias does not broadcast, or the divisor is not positive and finite.

    Source: Vaswani et al. (2017), section 3.2.1, equation 1.

    >>> import numpy as np
    >>> K = np.array([[np.log(3.0)], [0.0]])
    >>> steps = attention_steps(np.array([[1.0]]), K, np.array([[8.0], [4.0]]))
    >>> steps.weights, steps.output
    (array([[0.75, 0.25]]), array([[7.]]))
    """
    scores = Q @ K.mT
    scaled = scores / (math.sqrt(Q.shape[-1]) if divisor is None else divisor)
    biased = scaled if bias is None else scaled + bias
    masked = biased if mask is None else library(Q).where(mask, biased, -math.inf)
    weights = softmax.formula(masked)
    return AttentionSteps(scores, scaled, masked, weights, weights @ V)


def attention(
    Q: Num[Operand, "... n_q d_k"],
    K: Num[Operand, "... n_k d_k"],
    V: Num[Operand, "... n_k d_v"],
    mask: Bool[Operand, "..."] | None = None,
    *,
    bias: Num[Operand, "..."] | None = None,
    divisor: float | None = None,
) -> Float[Array, "... n_q d_v"]:
    """Return softmax(Q K^T / sqrt(d_k)) V, the output of `attention_steps`; see its arguments."""
    return attention_steps(Q, K, V, mask, bias=bias, divisor=divisor).output
