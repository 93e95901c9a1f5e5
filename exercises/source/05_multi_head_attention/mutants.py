# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 05: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

from exercises.mistakes import heads, mistakes_of
from exercises.mistakes.heads import attend, cut

CATALOGUE = {
    "merge_heads": mistakes_of(heads, "merge_heads"),
    "multi_head_attention": mistakes_of(
        heads,
        "multi_head_attention",
        weights__scale="split_without_transpose every_hth_column values_of_the_first_head",
        scale="root_of_the_model unscaled",
        output="no_output_matrix output_matrix_transposed",
    ),
    "mended_split": mistakes_of(heads, "split_heads", columns="every_hth_column last_head_first"),
}

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__average": "ad",  # Think that heads are averaged.
    "prediction__all_the_same": "aa",  # Think that heads see the same and so compute the same.
    "prediction__one_softmax": "cc",  # Think that heads share one softmax.
    "slip__where__blames_the_root": "aac",  # Doubt the scale, which is that of one head.
    "slip__repair__adds_the_values": "bbc",  # Mend it with the values of all heads.
    "slip__lost__same_weights": "baa",  # Think that values make the weights.
    "slip__lost__nothing_lost": "bab",  # Think that different weights are enough.
}


def one_head__first_head(X, W_Q, W_K, W_V, h, i):
    """Ignore the number of the head."""
    own = slice(0, W_Q.shape[1] // h)
    return attend(X @ W_Q[:, own], X @ W_K[:, own], X @ W_V[:, own])


def one_head__every_hth_column(X, W_Q, W_K, W_V, h, i):
    """Take columns that do not stand side by side."""
    return attend(X @ W_Q[:, i::h], X @ W_K[:, i::h], X @ W_V[:, i::h])


def one_head__weights__scale__weights_of_all_heads(X, W_Q, W_K, W_V, h, i):
    """Cut the values only."""
    return attend(X @ W_Q, X @ W_K, cut(X @ W_V, h)[i])


def one_head__own_part_of_the_input(X, W_Q, W_K, W_V, h, i):
    """Give the head a part of each token instead of all of it."""
    width = X.shape[1] // h
    own = slice(i * width, (i + 1) * width)
    return attend(*(X[:, own] @ W[own, own] for W in (W_Q, W_K, W_V)))


def one_head__scale__root_of_the_model(X, W_Q, W_K, W_V, h, i):
    """Scale twice, so that the scores are too small."""
    Q, K, V = (cut(X @ W, h)[i] for W in (W_Q, W_K, W_V))
    return attend(Q, K, V, divisor=np.sqrt(X.shape[1]))


def one_head__weights__scale__uniform(X, W_Q, W_K, W_V, h, i):
    """Give every token the mean of the values."""
    return np.tile(cut(X @ W_V, h)[i].mean(axis=0), (len(X), 1))


def one_head__width_of_the_check(X, W_Q, W_K, W_V, h, i):
    """Know heads of width 2 only."""
    own = slice(2 * i, 2 * i + 2)
    return attend(X @ W_Q[:, own], X @ W_K[:, own], X @ W_V[:, own])


def sizes(given):
    """The drawn sizes: d_model, h, d_k, d_v, n."""
    return [given[f"hand_{name}"] for name in ("model", "h", "k", "v", "n")]


def hand_counts__one_head(given):
    """Count one head."""
    d, _, k, v, n = sizes(given)
    return [d * k, 2 * d * (k + v), n * n]


def hand_counts__matrices__no_output_matrix(given):
    """Forget W_O."""
    d, h, k, v, n = sizes(given)
    return [d * h * k, 2 * d * h * k + d * h * v, h * n * n]


def hand_counts__matrices__values_as_wide_as_keys(given):
    """Take d_k for every width."""
    d, h, k, _, n = sizes(given)
    return [d * h * k, 4 * d * h * k, h * n * n]


def hand_counts__matrices__square_matrices(given):
    """Think that every matrix is (d_model, d_model)."""
    d, h, _, _, n = sizes(given)
    return [d * d, 4 * d * d, h * n * n]


def hand_counts__matrices__square_output_matrix(given):
    """Think that W_O is square."""
    d, h, k, v, n = sizes(given)
    return [d * h * k, 2 * d * h * k + d * h * v + d * d, h * n * n]


def hand_counts__weights__one_table_of_weights(given):
    """Forget that each head has its own softmax."""
    d, h, k, v, n = sizes(given)
    return [d * h * k, 2 * d * h * (k + v), n * n]


def hand_counts__weights__weights_with_a_width(given):
    """Count queries instead of weights."""
    d, h, k, v, n = sizes(given)
    return [d * h * k, 2 * d * h * (k + v), h * n * k]
