# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import math

import numpy as np


def log_softmax__logaddexp(logits):
    """Let numpy add exponentials of logarithms."""
    return logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)


def log_softmax__loops(logits):
    """Take one row after the other."""
    if logits.ndim > 1:
        return np.stack([log_softmax__loops(rows) for rows in logits])
    largest = max(logits.tolist())
    total = math.fsum(math.exp(logit - largest) for logit in logits.tolist())
    return np.array([logit - largest - math.log(total) for logit in logits.tolist()])


def perplexity__loops(log_probabilities, targets):
    """Multiply roots, one place after the other."""
    rows = log_probabilities.reshape(-1, log_probabilities.shape[-1])
    ids = targets.ravel().tolist()
    return math.prod(
        math.exp(-row[i] / len(ids)) for row, i in zip(rows.tolist(), ids, strict=True)
    )


def perplexity__one_hot(log_probabilities, targets):
    """Multiply by rows of 0 and 1, and hand back a numpy number."""
    one_hot = np.eye(log_probabilities.shape[-1])[targets]
    return np.exp(-np.einsum("...v,...v->...", one_hot, log_probabilities).mean())


def smoothed_losses__target(log_probabilities, targets, s):
    """Write the target down and multiply."""
    V = log_probabilities.shape[-1]
    target = np.full(log_probabilities.shape, s / V)
    target[range(len(targets)), targets] += 1 - s
    return -(target * log_probabilities).sum(axis=1)


def smoothed_losses__loops(log_probabilities, targets, s):
    """Mix two losses, one place after the other."""
    losses = []
    for row, i in zip(log_probabilities.tolist(), targets.tolist(), strict=True):
        losses.append(-((1 - s) * row[i] + s * sum(row) / len(row)))
    return np.array(losses)


def vocabulary_parameters__if(V_source, V_target, d_model, blocks, tying):
    """Add one matrix after the other."""
    total = blocks + V_source * d_model
    if tying != "all":
        total += V_target * d_model
    if tying == "none":
        total += V_target * d_model
    return {"share": 1 - blocks / total, "total": total}


def vocabulary_parameters__numpy(V_source, V_target, d_model, blocks, tying):
    """Add with numpy, which has integers of its own."""
    sizes = {
        "none": [V_source, V_target, V_target],
        "head": [V_source, V_target],
        "all": [V_source],
    }
    matrices = np.sum(sizes[tying]) * d_model
    return {"total": matrices + blocks, "share": matrices / (matrices + blocks)}


def mended_mean_loss__loops(losses, targets):
    """Add up and count."""
    total, count = 0.0, 0
    for row, ids in zip(losses.tolist(), targets.tolist(), strict=True):
        for loss, target in zip(row, ids, strict=True):
            if target != -100:
                total, count = total + loss, count + 1
    return total / count


def mended_mean_loss__nanmean(losses, targets):
    """Mark padding as missing."""
    return np.nanmean(np.where(targets == -100, np.nan, losses))


def hand_head__rounded(given):
    """Round the small numbers to three decimals."""
    share = given["hand_tenths"] / 10 / given["hand_V"]
    mean = sum(given["hand_bits"]) // 3
    right = round(1 - given["hand_tenths"] / 10 + share, 3)
    return [mean, 2**mean, right, round(share, 3)]


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "a", "because": given["prediction_letters"][3]}
