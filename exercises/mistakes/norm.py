# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in norms and the residual path."""

import numpy as np


def centered(X):
    """Subtract the mean of each row."""
    return X - X.mean(axis=-1, keepdims=True)


def given_norm(X):
    """Do what the notebook's given_norm does."""
    return centered(X) / X.std(axis=-1, keepdims=True)


def given_sublayer(X, W):
    """Do what the notebook's given_sublayer does."""
    return np.maximum(0, X @ W)


def post_layer(X, W):
    """Add and norm."""
    return given_norm(X + given_sublayer(X, W))


def pre_layer(X, W):
    """Norm and add."""
    return X + given_sublayer(given_norm(X), W)


def stacked(X, weights, place, *, post=post_layer, pre=pre_layer, last="pre"):
    """Go through all layers; the last three are right unless a mistake changes one."""
    for W in weights:
        X = post(X, W) if place == "post" else pre(X, W)
    return given_norm(X) if place == last else X


def layer_norm__identity(X, gain, bias, eps):
    """Return the tokens."""
    return X


def layer_norm__bias_alone(X, gain, bias, eps):
    """Return the same for every token."""
    return np.zeros(X.shape) + bias


def layer_norm__unbiased(X, gain, bias, eps):
    """Divide the squares by d - 1."""
    with np.errstate(all="ignore"):
        return gain * centered(X) / np.sqrt(X.var(axis=-1, keepdims=True, ddof=1) + eps) + bias


def layer_norm__eps_outside(X, gain, bias, eps):
    """Add eps to the deviation."""
    return gain * centered(X) / (X.std(axis=-1, keepdims=True) + eps) + bias


def layer_norm__no_eps(X, gain, bias, eps):
    """Leave eps out."""
    return gain * centered(X) / X.std(axis=-1, keepdims=True) + bias


def layer_norm__no_root(X, gain, bias, eps):
    """Divide by the variance."""
    return gain * centered(X) / (X.var(axis=-1, keepdims=True) + eps) + bias


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
    return gain * (centered(X) / np.sqrt(X.var(axis=-1, keepdims=True) + eps) + bias)


def layer_norm__changes_argument(X, gain, bias, eps):
    """Subtract the mean in place."""
    X -= X.mean(axis=-1, keepdims=True)
    return gain * X / np.sqrt(X.var(axis=-1, keepdims=True) + eps) + bias


def rms_norm__whole_array(X, gain, eps):
    """Take one mean square for all tokens."""
    return gain * X / np.sqrt((X**2).mean() + eps)


def rms_norm__second_axis(X, gain, eps):
    """Take the axis that is right for a table for any number of axes."""
    return gain * X / np.sqrt((X**2).mean(axis=1, keepdims=True) + eps)


def rms_norm__sum_of_squares(X, gain, eps):
    """Forget to divide by the width."""
    return gain * X / np.sqrt((X**2).sum(axis=-1, keepdims=True) + eps)


def rms_norm__eps_outside(X, gain, eps):
    """Add eps after the root."""
    return gain * X / (np.sqrt((X**2).mean(axis=-1, keepdims=True)) + eps)


def rms_norm__identity(X, gain, eps):
    """Return the tokens, scaled."""
    return gain * X


def rms_norm__first_token_for_all(X, gain, eps):
    """Divide all tokens by the root of the first."""
    return gain * X / np.sqrt((X[..., :1, :] ** 2).mean(axis=-1, keepdims=True) + eps)


def through_layers__identity(X, weights, place):
    """Return the tokens."""
    return X


def through_layers__always_post(X, weights, place):
    """Ignore the place."""
    return stacked(X, weights, "post")


def through_layers__always_pre(X, weights, place):
    """Ignore the place."""
    return stacked(X, weights, "pre")


def change_alone(X, W):
    """Forget what came in, in post-norm."""
    return given_norm(given_sublayer(X, W) + 1e-9 * X)


def change_of_normed_alone(X, W):
    """Forget what came in, in pre-norm."""
    return given_sublayer(given_norm(X), W) + 1e-9 * X


def through_layers__no_sum(X, weights, place):
    """Forget what came in."""
    return stacked(X, weights, place, post=change_alone, pre=change_of_normed_alone)


def normed_path(X, W):
    """Add to the normed row."""
    return given_norm(X) + given_sublayer(given_norm(X), W)


def through_layers__norm_on_the_path(X, weights, place):
    """Add the normed row in pre-norm."""
    return stacked(X, weights, place, pre=normed_path)


def through_layers__no_last_norm(X, weights, place):
    """Leave the stream of pre-norm as it is."""
    return stacked(X, weights, place, last="nowhere")


def normed_change(X, W):
    """Norm what the sub-layer gives, too."""
    return given_norm(X + given_norm(given_sublayer(X, W) + 1e-9 * X))


def through_layers__norm_of_the_change(X, weights, place):
    """Norm what the sub-layer gives, in post-norm."""
    return stacked(X, weights, place, post=normed_change)


def through_layers__last_norm_always(X, weights, place):
    """Norm at the end with post-norm, too: seen only where there is no sub-layer."""
    return stacked(X, weights, place, last=place)


def added_in_place(X, W):
    """Write the sum into the rows that were given."""
    X += given_sublayer(given_norm(X), W)
    return X


def through_layers__in_place(X, weights, place):
    """Add to the rows that were given."""
    return stacked(X, weights, place, pre=added_in_place)
