# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import math

import numpy as np


def feed_forward__einsum(X, W_1, b_1, W_2, b_2, activation):
    """Name the axes, and take the normal share from erfc."""
    hidden = np.einsum("...d,df->...f", X, W_1) + b_1
    if activation == "gelu":
        hidden = hidden * np.vectorize(lambda z: math.erfc(-z / math.sqrt(2)) / 2)(hidden)
    else:
        hidden = np.where(hidden > 0, hidden, 0.0)
    return np.einsum("...f,fd->...d", hidden, W_2) + b_2


def feed_forward__memory(X, W_1, b_1, W_2, b_2, activation):
    """Add up one hidden unit after the other."""
    output = np.zeros_like(X) + b_2
    for j in range(W_1.shape[1]):
        z = X @ W_1[:, j] + b_1[j]
        share = [0.5 * (1 + math.erf(float(entry) / math.sqrt(2))) for entry in z.ravel()]
        unit = z * np.reshape(share, z.shape) if activation == "gelu" else (z + abs(z)) / 2
        output += unit[..., None] * W_2[j]
    return output


def one_layer__try_it_out(layers):
    """Send 0 and the unit vectors through the stack and read W and b off."""
    rows = np.concatenate([np.zeros((1, len(layers[0][0]))), np.eye(len(layers[0][0]))])
    for W, b in layers:
        rows = rows @ W + b
    return rows[1:] - rows[0], rows[0]


def one_layer__from_the_end(layers):
    """Multiply from the last layer to the first."""
    W, b = np.eye(len(layers[-1][1])), np.zeros(len(layers[-1][1]))
    for next_W, next_b in reversed(layers):
        W, b = next_W @ W, next_b @ W + b
    return [W, b]


def layer_norm__moments(X, gain, bias, eps):
    """Take the variance as the mean square minus the squared mean of shifted rows."""
    shifted = X - X[..., :1]
    mean = shifted.mean(axis=-1)[..., None]
    variance = (shifted**2).mean(axis=-1)[..., None] - mean**2
    return (shifted - mean) * (gain / np.sqrt(np.maximum(variance, 0) + eps)) + bias


def layer_norm__loops(X, gain, bias, eps):
    """Norm one token after the other."""
    if X.ndim > 1:
        return np.stack([layer_norm__loops(rows, gain, bias, eps) for rows in X])
    return bias + gain * (X - np.mean(X)) / math.hypot(np.std(X), math.sqrt(eps))


def through_layers__recursion(X, weights, place):
    """Take the first sub-layer and leave the rest to another call."""

    def norm(X):
        return (X - X.mean(axis=1)[:, None]) / X.std(axis=1)[:, None]

    if not weights:
        return norm(X) if place == "pre" else X.copy()
    first, *rest = weights
    entered = norm(X) if place == "pre" else X
    X = X + np.einsum("nd,de->ne", entered, first).clip(min=0)
    return through_layers__recursion(norm(X) if place == "post" else X, rest, place)


def mended_rms_norm__lengths(X, gain, eps):
    """Divide by the length over the root of the width."""
    mean_square = np.linalg.norm(X, axis=-1, keepdims=True) ** 2 / X.shape[-1]
    return X * (mean_square + eps) ** -0.5 * gain


def hand_norm__tuple(given):
    """Hand in a tuple of whole numbers."""
    together = zip(given["hand_sum"], given["hand_gain"], given["hand_bias"], strict=True)
    return tuple((total - 6) * gain // 2 + bias for total, gain, bias in together)


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "a", "because": given["prediction_letters"][1]}
