# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapters 08 and 09: TASK__MISTAKE stands in for TASK and loses its points."""

import itertools
import math

import numpy as np


def given_norm(X):
    """Do what the notebook's given_norm does."""
    centered = X - X.mean(axis=-1, keepdims=True)
    return centered / centered.std(axis=-1, keepdims=True)


def given_sublayer(X, W):
    """Do what the notebook's given_sublayer does."""
    return np.maximum(0, X @ W)


def bend(hidden, activation):
    """Apply ReLU or GELU, rightly."""
    if activation == "relu":
        return np.maximum(0, hidden)
    return hidden * (1 + np.vectorize(math.erf)(hidden / np.sqrt(2))) / 2


def feed_forward__identity(X, W_1, b_1, W_2, b_2, activation):
    """Return the tokens."""
    return X


def feed_forward__no_bend(X, W_1, b_1, W_2, b_2, activation):
    """Multiply twice and leave the bend out."""
    return (X @ W_1 + b_1) @ W_2 + b_2


def feed_forward__bend_at_the_end(X, W_1, b_1, W_2, b_2, activation):
    """Bend after the second product."""
    return bend((X @ W_1 + b_1) @ W_2 + b_2, activation)


def feed_forward__bend_twice(X, W_1, b_1, W_2, b_2, activation):
    """Bend after both products."""
    return bend(bend(X @ W_1 + b_1, activation) @ W_2 + b_2, activation)


def feed_forward__no_first_bias(X, W_1, b_1, W_2, b_2, activation):
    """Forget b_1."""
    return bend(X @ W_1, activation) @ W_2 + b_2


def feed_forward__no_second_bias(X, W_1, b_1, W_2, b_2, activation):
    """Forget b_2."""
    return bend(X @ W_1 + b_1, activation) @ W_2


def feed_forward__always_relu(X, W_1, b_1, W_2, b_2, activation):
    """Ignore the name of the bend."""
    return bend(X @ W_1 + b_1, "relu") @ W_2 + b_2


def feed_forward__erf_without_the_root(X, W_1, b_1, W_2, b_2, activation):
    """Forget the root of 2 inside of erf."""
    hidden = X @ W_1 + b_1
    gelu = hidden * (1 + np.vectorize(math.erf)(hidden)) / 2
    return (np.maximum(0, hidden) if activation == "relu" else gelu) @ W_2 + b_2


def feed_forward__silu(X, W_1, b_1, W_2, b_2, activation):
    """Take the logistic curve for the normal one."""
    hidden = X @ W_1 + b_1
    silu = hidden / (1 + np.exp(-hidden))
    return (np.maximum(0, hidden) if activation == "relu" else silu) @ W_2 + b_2


def feed_forward__gelu_by_tanh(X, W_1, b_1, W_2, b_2, activation):
    """Take the formula that is near to GELU and not equal."""
    z = X @ W_1 + b_1
    near = z * (1 + np.tanh(np.sqrt(2 / np.pi) * (z + 0.044715 * z**3))) / 2
    return (np.maximum(0, z) if activation == "relu" else near) @ W_2 + b_2


def feed_forward__transposed_weights(X, W_1, b_1, W_2, b_2, activation):
    """Multiply by the transposes, as PyTorch keeps them."""
    return bend(X @ W_1.T + b_1, activation) @ W_2.T + b_2


def feed_forward__mean_over_tokens(X, W_1, b_1, W_2, b_2, activation):
    """Let the tokens see each other."""
    mixed = X - X.mean(axis=-2, keepdims=True)
    return bend(mixed @ W_1 + b_1, activation) @ W_2 + b_2


def one_layer__identity(layers):
    """Return the first layer."""
    return layers[0]


def one_layer__last_bias(layers):
    """Keep the last bias alone."""
    W = layers[0][0]
    for next_W, _ in layers[1:]:
        W = W @ next_W
    return W, layers[-1][1]


def one_layer__reversed(layers):
    """Multiply from the left, as with tokens in columns."""
    W, b = layers[0]
    for next_W, next_b in layers[1:]:
        W, b = next_W @ W, next_W @ b + next_b
    return W, b


def one_layer__first_bias_once(layers):
    """Send each bias through the next layer alone."""
    W, b = layers[0]
    for (_, before), (next_W, next_b) in itertools.pairwise(layers):
        W, b = W @ next_W, before @ next_W + next_b
    return W, b


def one_layer__two_layers_only(layers):
    """Stop after the second layer."""
    (W, b), (next_W, next_b) = layers[0], layers[-1]
    return (W, b) if len(layers) == 1 else (W @ next_W, b @ next_W + next_b)


def one_layer__first_bias_alone(layers):
    """Send the first bias through and forget the others."""
    W, b = layers[0]
    for next_W, _ in layers[1:]:
        W, b = W @ next_W, b @ next_W
    return W, b


def layer_norm__identity(X, gain, bias, eps):
    """Return the tokens."""
    return X


def layer_norm__bias_alone(X, gain, bias, eps):
    """Return the same for every token."""
    return np.zeros(X.shape) + bias


def layer_norm__unbiased(X, gain, bias, eps):
    """Divide the squares by d - 1."""
    with np.errstate(all="ignore"):
        centered = X - X.mean(axis=-1, keepdims=True)
        return gain * centered / np.sqrt(X.var(axis=-1, keepdims=True, ddof=1) + eps) + bias


def layer_norm__eps_outside(X, gain, bias, eps):
    """Add eps to the deviation."""
    centered = X - X.mean(axis=-1, keepdims=True)
    return gain * centered / (X.std(axis=-1, keepdims=True) + eps) + bias


def layer_norm__no_eps(X, gain, bias, eps):
    """Leave eps out."""
    centered = X - X.mean(axis=-1, keepdims=True)
    return gain * centered / X.std(axis=-1, keepdims=True) + bias


def layer_norm__no_root(X, gain, bias, eps):
    """Divide by the variance."""
    centered = X - X.mean(axis=-1, keepdims=True)
    return gain * centered / (X.var(axis=-1, keepdims=True) + eps) + bias


def layer_norm__over_the_sequence(X, gain, bias, eps):
    """Norm each column over the tokens."""
    return gain * (X - X.mean(axis=0)) / np.sqrt(X.var(axis=0) + eps) + bias


def layer_norm__whole_array(X, gain, bias, eps):
    """Take one mean and one variance for all tokens."""
    return gain * (X - X.mean()) / np.sqrt(X.var() + eps) + bias


def layer_norm__second_axis(X, gain, bias, eps):
    """Take the axis that is right for a table for any number of axes."""
    axis = min(1, X.ndim - 1)
    centered = X - X.mean(axis=axis, keepdims=True)
    return gain * centered / np.sqrt(X.var(axis=axis, keepdims=True) + eps) + bias


def layer_norm__no_mean(X, gain, bias, eps):
    """Divide by the root of the mean square."""
    return gain * X / np.sqrt((X**2).mean(axis=-1, keepdims=True) + eps) + bias


def layer_norm__gain_after_bias(X, gain, bias, eps):
    """Multiply the bias by the gain, too."""
    centered = X - X.mean(axis=-1, keepdims=True)
    return gain * (centered / np.sqrt(X.var(axis=-1, keepdims=True) + eps) + bias)


def layer_norm__changes_argument(X, gain, bias, eps):
    """Subtract the mean in place."""
    X -= X.mean(axis=-1, keepdims=True)
    return gain * X / np.sqrt(X.var(axis=-1, keepdims=True) + eps) + bias


def through_layers__identity(X, weights, place):
    """Return the tokens."""
    return X


def through_layers__always_post(X, weights, place):
    """Ignore the place."""
    for W in weights:
        X = given_norm(X + given_sublayer(X, W))
    return X


def through_layers__always_pre(X, weights, place):
    """Ignore the place."""
    for W in weights:
        X = X + given_sublayer(given_norm(X), W)
    return given_norm(X)


def through_layers__no_sum(X, weights, place):
    """Forget what came in."""
    for W in weights:
        if place == "post":
            X = given_norm(given_sublayer(X, W) + 1e-9 * X)
        else:
            X = given_sublayer(given_norm(X), W) + 1e-9 * X
    return given_norm(X) if place == "pre" else X


def through_layers__norm_on_the_path(X, weights, place):
    """Add the normed row in pre-norm."""
    for W in weights:
        if place == "post":
            X = given_norm(X + given_sublayer(X, W))
        else:
            X = given_norm(X) + given_sublayer(given_norm(X), W)
    return given_norm(X) if place == "pre" else X


def through_layers__no_last_norm(X, weights, place):
    """Leave the stream of pre-norm as it is."""
    for W in weights:
        if place == "post":
            X = given_norm(X + given_sublayer(X, W))
        else:
            X = X + given_sublayer(given_norm(X), W)
    return X


def through_layers__norm_of_the_change(X, weights, place):
    """Norm what the sub-layer gives, in post-norm."""
    for W in weights:
        if place == "post":
            X = given_norm(X + given_norm(given_sublayer(X, W) + 1e-9 * X))
        else:
            X = X + given_sublayer(given_norm(X), W)
    return given_norm(X) if place == "pre" else X


def through_layers__last_norm_always(X, weights, place):
    """Norm at the end with post-norm, too: seen only where there is no sub-layer."""
    for W in weights:
        if place == "post":
            X = given_norm(X + given_sublayer(X, W))
        else:
            X = X + given_sublayer(given_norm(X), W)
    return given_norm(X)


def through_layers__in_place(X, weights, place):
    """Add to the rows that were given."""
    for W in weights:
        if place == "post":
            X = given_norm(X + given_sublayer(X, W))
        else:
            X += given_sublayer(given_norm(X), W)
    return given_norm(X) if place == "pre" else X


def normed_by_hand(row, given, *, divisor=2.0):
    """Norm a row of five by a deviation that is given."""
    mean = sum(row) / 5
    together = zip(row, given["hand_gain"], given["hand_bias"], strict=True)
    return [gain * (entry - mean) / divisor + bias for entry, gain, bias in together]


def hand_norm__no_sum(given):
    """Norm x alone; its variance is 2."""
    return normed_by_hand(given["hand_x"], given, divisor=math.sqrt(2))


def hand_norm__of_the_change(given):
    """Norm f(x) alone."""
    row = given["hand_f"]
    return normed_by_hand(row, given, divisor=float(np.std(row)))


def hand_norm__unbiased(given):
    """Divide the squares by 4."""
    return normed_by_hand(given["hand_sum"], given, divisor=math.sqrt(5))


def hand_norm__no_root(given):
    """Divide by the variance, 4."""
    return normed_by_hand(given["hand_sum"], given, divisor=4.0)


def hand_norm__no_gain_and_bias(given):
    """Stop before gain and bias."""
    return [(total - 6) / 2 for total in given["hand_sum"]]


def hand_norm__bias_first(given):
    """Add the bias before the gain multiplies."""
    together = zip(given["hand_sum"], given["hand_gain"], given["hand_bias"], strict=True)
    return [gain * ((total - 6) / 2 + bias) for total, gain, bias in together]


def hand_norm__sum_after_the_norm(given):
    """Norm what the sub-layer gives, then add x."""
    normed = hand_norm__of_the_change(given)
    return [x + y for x, y in zip(given["hand_x"], normed, strict=True)]


def prediction__ten_times_as_much(given):
    """Forget the norm before the sub-layer."""
    return {"guess": "a", "because": "a"}


def prediction__a_tenth(given):
    """Divide the change, not the row."""
    return {"guess": "c", "because": "b"}


def prediction__the_gain_learned_it(given):
    """Take it for something learned."""
    return {"guess": "b", "because": "d"}


def mended_rms_norm__copied(X, gain, eps):
    """Hand the broken function back."""
    return gain * X / np.sqrt((X**2).mean() + eps)


def mended_rms_norm__over_the_sequence(X, gain, eps):
    """Take the mean over the tokens."""
    return gain * X / np.sqrt((X**2).mean(axis=0) + eps)


def mended_rms_norm__second_axis(X, gain, eps):
    """Take the axis that is right for a table for any number of axes."""
    return gain * X / np.sqrt((X**2).mean(axis=1, keepdims=True) + eps)


def mended_rms_norm__layer_norm(X, gain, eps):
    """Subtract the mean, too."""
    centered = X - X.mean(axis=-1, keepdims=True)
    return gain * centered / np.sqrt(X.var(axis=-1, keepdims=True) + eps)


def mended_rms_norm__sum_of_squares(X, gain, eps):
    """Forget to divide by the width."""
    return gain * X / np.sqrt((X**2).sum(axis=-1, keepdims=True) + eps)


def mended_rms_norm__eps_outside(X, gain, eps):
    """Add eps after the root."""
    return gain * X / (np.sqrt((X**2).mean(axis=-1, keepdims=True)) + eps)


def mended_rms_norm__identity(X, gain, eps):
    """Return the tokens, scaled."""
    return gain * X


def mended_rms_norm__first_token_for_all(X, gain, eps):
    """Divide all tokens by the root of the first."""
    return gain * X / np.sqrt((X[..., :1, :] ** 2).mean(axis=-1, keepdims=True) + eps)


def slip__bias_in_the_first(given):
    """Take the bias for what is missing."""
    return {"first": "a", "second": "c"}


def slip__bias_in_the_second(given):
    """Take the bias for what is missing."""
    return {"first": "d", "second": "a"}


def slip__exchanged(given):
    """Exchange the two."""
    return {"first": "c", "second": "d"}
