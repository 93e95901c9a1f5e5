# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapters 10 and 12: TASK__MISTAKE stands in for TASK and loses its points."""

import numpy as np


def softmax(scores):
    """Do what the notebook's given_softmax does."""
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)


def norm(X, gain, bias):
    """Do what the notebook's given_norm does."""
    spread = np.sqrt(X.var(axis=-1, keepdims=True) + 1e-5)
    return gain * (X - X.mean(axis=-1, keepdims=True)) / spread + bias


def split(rows, heads):
    """Make groups of columns."""
    batch, n, d = rows.shape
    return rows.reshape(batch, n, heads, d // heads).swapaxes(1, 2)


def merge(rows):
    """Put the heads side by side."""
    rows = rows.swapaxes(1, 2)
    return rows.reshape(*rows.shape[:2], -1)


def scaled(Q, K):
    """Score every key for every query."""
    return Q @ K.mT / Q.shape[-1] ** 0.5


def heads_of(X, P, heads, *, split=split, merge=merge, scores=scaled, weigh=softmax):
    """Attend with all heads, before W_O."""
    Q, K, V = (split(X @ P[name], heads) for name in ("W_Q", "W_K", "W_V"))
    return merge(weigh(scores(Q, K)) @ V)


def network(Y, P):
    """Send rows through the feed-forward network."""
    return np.maximum(Y @ P["W_1"] + P["b_1"], 0) @ P["W_2"] + P["b_2"]


def block(X, P, heads, *, after=lambda rows, P: rows @ P["W_O"], **switches):
    """Run a post-norm block; the switches are mistakes."""
    Y = norm(X + after(heads_of(X, P, heads, **switches), P), P["gain_1"], P["bias_1"])
    return norm(Y + network(Y, P), P["gain_2"], P["bias_2"])


def encoder_block__heads__one_head(X, P, heads):
    """Ignore the number of heads."""
    return block(X, P, 1)


def encoder_block__heads__scaled_by_the_width(X, P, heads):
    """Divide by the root of d_model."""
    return block(X, P, heads, scores=lambda Q, K: Q @ K.mT / X.shape[-1] ** 0.5)


def encoder_block__head__unscaled(X, P, heads):
    """Leave the scale out."""
    return block(X, P, heads, scores=lambda Q, K: Q @ K.mT)


def encoder_block__heads__split_without_transpose(X, P, heads):
    """Reshape across tokens."""
    return block(
        X,
        P,
        heads,
        split=lambda rows, h: rows.reshape(len(rows), h, -1, rows.shape[-1] // h),
        merge=lambda rows: rows.reshape(X.shape),
    )


def encoder_block__heads__merged_without_transpose(X, P, heads):
    """Reshape the heads without bringing them back."""
    return block(X, P, heads, merge=lambda rows: rows.reshape(X.shape))


def encoder_block__head__heads__no_output_projection(X, P, heads):
    """Forget W_O."""
    return block(X, P, heads, after=lambda rows, P: rows)


def encoder_block__no_residual(X, P, heads):
    """Forget what came in."""
    Y = norm(heads_of(X, P, heads) @ P["W_O"], P["gain_1"], P["bias_1"])
    return norm(network(Y, P), P["gain_2"], P["bias_2"])


def encoder_block__residual_of_the_input(X, P, heads):
    """Add X in the second sum, too."""
    Y = norm(X + heads_of(X, P, heads) @ P["W_O"], P["gain_1"], P["bias_1"])
    return norm(X + network(Y, P), P["gain_2"], P["bias_2"])


def encoder_block__pre_norm(X, P, heads):
    """Put the norms first."""
    Y = X + heads_of(norm(X, P["gain_1"], P["bias_1"]), P, heads) @ P["W_O"]
    return Y + network(norm(Y, P["gain_2"], P["bias_2"]), P)


def encoder_block__one_norm_twice(X, P, heads):
    """Use the first gain and bias again."""
    return block(X, P | {"gain_2": P["gain_1"], "bias_2": P["bias_1"]}, heads)


def encoder_block__no_bend(X, P, heads):
    """Leave ReLU out."""
    Y = norm(X + heads_of(X, P, heads) @ P["W_O"], P["gain_1"], P["bias_1"])
    linear = (Y @ P["W_1"] + P["b_1"]) @ P["W_2"] + P["b_2"]
    return norm(Y + linear, P["gain_2"], P["bias_2"])


def encoder_block__head__heads__softmax_over_queries(X, P, heads):
    """Let the weights of a key sum to 1."""
    return block(X, P, heads, weigh=lambda scores: softmax(scores.mT).mT)


def seen(scores, ids, padding, diagonal=0):
    """Show each token itself and those before it, unless they are padding."""
    visible = np.tri(scores.shape[-1], k=diagonal, dtype=bool)
    return visible & (ids != padding)[:, None, :]


def weights(scores, visible):
    """Mask, then softmax."""
    return softmax(np.where(visible, scores, -np.inf))


def mended_weights__copied(scores, ids, padding):
    """Hand the broken function back."""
    return weights(scores, seen(scores, ids, padding, diagonal=1))


def mended_weights__padding__padding_of_queries(scores, ids, padding):
    """Hide the rows of padding, not its columns."""
    visible = np.tri(scores.shape[-1], dtype=bool)
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(weights(scores, visible & (ids != padding)[:, :, None]))


def mended_weights__mask_after_softmax(scores, ids, padding):
    """Set weights to 0 after they sum to 1."""
    return softmax(scores) * seen(scores, ids, padding)


def mended_weights__numbers__uniform(scores, ids, padding):
    """Give everything that is visible the same weight."""
    return weights(np.zeros_like(scores), seen(scores, ids, padding))


def mended_weights__seen__in_place(scores, ids, padding):
    """Write -inf into the scores that were given."""
    scores[~seen(scores, ids, padding)] = -np.inf
    return softmax(scores)
