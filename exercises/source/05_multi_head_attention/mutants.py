# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 05: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np


def attend(Q, K, V, divisor=None):
    """Do what the notebook's given_attention does, with any divisor."""
    scores = Q @ np.swapaxes(K, -1, -2) / (divisor or np.sqrt(Q.shape[-1]))
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True) @ V


def cut(X, h):
    """Split rightly."""
    return X.reshape(len(X), h, -1).transpose(1, 0, 2)


def joined(H):
    """Merge rightly."""
    return H.transpose(1, 0, 2).reshape(H.shape[1], -1)


def one_head__first_head(X, W_Q, W_K, W_V, h, i):
    """Ignore the number of the head."""
    own = slice(0, W_Q.shape[1] // h)
    return attend(X @ W_Q[:, own], X @ W_K[:, own], X @ W_V[:, own])


def one_head__counts_from_one(X, W_Q, W_K, W_V, h, i):
    """Take the head before."""
    return attend(*(cut(X @ W, h)[i - 1] for W in (W_Q, W_K, W_V)))


def one_head__every_hth_column(X, W_Q, W_K, W_V, h, i):
    """Take columns that do not stand side by side."""
    return attend(X @ W_Q[:, i::h], X @ W_K[:, i::h], X @ W_V[:, i::h])


def one_head__whole_width(X, W_Q, W_K, W_V, h, i):
    """Take all columns."""
    return attend(X @ W_Q, X @ W_K, X @ W_V)


def one_head__weights_of_all_heads(X, W_Q, W_K, W_V, h, i):
    """Cut the values only."""
    return attend(X @ W_Q, X @ W_K, cut(X @ W_V, h)[i])


def one_head__own_part_of_the_input(X, W_Q, W_K, W_V, h, i):
    """Give the head a part of each token instead of all of it."""
    width = X.shape[1] // h
    own = slice(i * width, (i + 1) * width)
    return attend(*(X[:, own] @ W[own, own] for W in (W_Q, W_K, W_V)))


def one_head__root_of_the_model(X, W_Q, W_K, W_V, h, i):
    """Scale twice, so that the scores are too small."""
    Q, K, V = (cut(X @ W, h)[i] for W in (W_Q, W_K, W_V))
    return attend(Q, K, V, divisor=np.sqrt(X.shape[1]))


def one_head__uniform(X, W_Q, W_K, W_V, h, i):
    """Give every token the mean of the values."""
    return np.tile(cut(X @ W_V, h)[i].mean(axis=0), (len(X), 1))


def one_head__identity(X, W_Q, W_K, W_V, h, i):
    """Return the columns of the tokens themselves."""
    return cut(X, h)[i]


def one_head__queries_and_keys_exchanged(X, W_Q, W_K, W_V, h, i):
    """Swap queries and keys."""
    return attend(*(cut(X @ W, h)[i] for W in (W_K, W_Q, W_V)))


def one_head__width_of_the_check(X, W_Q, W_K, W_V, h, i):
    """Know heads of width 2 only."""
    own = slice(2 * i, 2 * i + 2)
    return attend(X @ W_Q[:, own], X @ W_K[:, own], X @ W_V[:, own])


def merge_heads__one_reshape(H):
    """Reshape where a transpose is needed."""
    return H.reshape(H.shape[1], -1)


def merge_heads__shuffled(H):
    """Let the head be the fastest axis."""
    return H.transpose(1, 2, 0).reshape(H.shape[1], -1)


def merge_heads__added(H):
    """Add the heads up."""
    return H.sum(axis=0)


def merge_heads__uniform(H):
    """Repeat the mean of the heads."""
    return np.tile(H.mean(axis=0), (1, len(H)))


def merge_heads__identity(H):
    """Return the first head for all."""
    return np.tile(H[0], (1, len(H)))


def merge_heads__below_one_another(H):
    """Concatenate along the tokens."""
    return np.concatenate(list(H), axis=0)


def merge_heads__last_head_first(H):
    """Reverse the order of the heads."""
    return joined(H[::-1])


def multi_head_attention__split_without_transpose(X, W_Q, W_K, W_V, W_O, h):
    """Reshape to the final shape at once."""
    n, d = X.shape
    heads = attend(*((X @ W).reshape(h, n, d // h) for W in (W_Q, W_K, W_V)))
    return joined(heads) @ W_O


def multi_head_attention__merge_without_transpose(X, W_Q, W_K, W_V, W_O, h):
    """Reshape the heads back at once."""
    return attend(*(cut(X @ W, h) for W in (W_Q, W_K, W_V))).reshape(X.shape) @ W_O


def multi_head_attention__both_without_transpose(X, W_Q, W_K, W_V, W_O, h):
    """Mix the tokens on the way in and on the way out."""
    n, d = X.shape
    heads = attend(*((X @ W).reshape(h, n, d // h) for W in (W_Q, W_K, W_V)))
    return heads.reshape(n, d) @ W_O


def multi_head_attention__no_output_matrix(X, W_Q, W_K, W_V, W_O, h):
    """Forget W_O."""
    return joined(attend(*(cut(X @ W, h) for W in (W_Q, W_K, W_V))))


def multi_head_attention__output_matrix_transposed(X, W_Q, W_K, W_V, W_O, h):
    """Take W_O for one stored as (out, in)."""
    return joined(attend(*(cut(X @ W, h) for W in (W_Q, W_K, W_V)))) @ W_O.T


def multi_head_attention__root_of_the_model(X, W_Q, W_K, W_V, W_O, h):
    """Divide by the root of d_model."""
    heads = attend(*(cut(X @ W, h) for W in (W_Q, W_K, W_V)), divisor=np.sqrt(X.shape[1]))
    return joined(heads) @ W_O


def multi_head_attention__unscaled(X, W_Q, W_K, W_V, W_O, h):
    """Leave out the scale."""
    return joined(attend(*(cut(X @ W, h) for W in (W_Q, W_K, W_V)), divisor=1.0)) @ W_O


def multi_head_attention__one_head(X, W_Q, W_K, W_V, W_O, h):
    """Ignore the number of heads."""
    return attend(X @ W_Q, X @ W_K, X @ W_V) @ W_O


def multi_head_attention__uniform(X, W_Q, W_K, W_V, W_O, h):
    """Give every token the mean of the values."""
    return np.tile((X @ W_V).mean(axis=0), (len(X), 1)) @ W_O


def multi_head_attention__identity(X, W_Q, W_K, W_V, W_O, h):
    """Let each token look at itself alone."""
    return X @ W_V @ W_O


def multi_head_attention__queries_and_keys_exchanged(X, W_Q, W_K, W_V, W_O, h):
    """Swap queries and keys."""
    return joined(attend(*(cut(X @ W, h) for W in (W_K, W_Q, W_V)))) @ W_O


def multi_head_attention__values_not_projected(X, W_Q, W_K, W_V, W_O, h):
    """Mix the tokens themselves."""
    return joined(attend(cut(X @ W_Q, h), cut(X @ W_K, h), cut(X, h))) @ W_O


def multi_head_attention__every_hth_column(X, W_Q, W_K, W_V, W_O, h):
    """Deal the columns out to the heads one by one."""
    n, d_model = X.shape
    Q, K, V = ((X @ W).reshape(n, -1, h).transpose(2, 0, 1) for W in (W_Q, W_K, W_V))
    return attend(Q, K, V).transpose(1, 2, 0).reshape(n, d_model) @ W_O


def multi_head_attention__values_of_the_first_head(X, W_Q, W_K, W_V, W_O, h):
    """Let all heads hand over the values of head 0."""
    n, d_model = X.shape
    Q, K, V = ((X @ W).reshape(n, h, -1).transpose(1, 0, 2) for W in (W_Q, W_K, W_V))
    return attend(Q, K, V[[0] * h]).transpose(1, 0, 2).reshape(n, d_model) @ W_O


def sizes(given):
    """The drawn sizes: d_model, h, d_k, d_v, n."""
    return [given[f"hand_{name}"] for name in ("model", "h", "k", "v", "n")]


def hand_counts__one_head(given):
    """Count one head."""
    d, _, k, v, n = sizes(given)
    return [d * k, 2 * d * (k + v), n * n]


def hand_counts__no_output_matrix(given):
    """Forget W_O."""
    d, h, k, v, n = sizes(given)
    return [d * h * k, 2 * d * h * k + d * h * v, h * n * n]


def hand_counts__values_as_wide_as_keys(given):
    """Take d_k for every width."""
    d, h, k, _, n = sizes(given)
    return [d * h * k, 4 * d * h * k, h * n * n]


def hand_counts__square_matrices(given):
    """Think that every matrix is (d_model, d_model)."""
    d, h, _, _, n = sizes(given)
    return [d * d, 4 * d * d, h * n * n]


def hand_counts__square_output_matrix(given):
    """Think that W_O is square."""
    d, h, k, v, n = sizes(given)
    return [d * h * k, 2 * d * h * k + d * h * v + d * d, h * n * n]


def hand_counts__one_table_of_weights(given):
    """Forget that each head has its own softmax."""
    d, h, k, v, n = sizes(given)
    return [d * h * k, 2 * d * h * (k + v), n * n]


def hand_counts__weights_with_a_width(given):
    """Count queries instead of weights."""
    d, h, k, v, n = sizes(given)
    return [d * h * k, 2 * d * h * (k + v), h * n * k]


def prediction__average(given):
    """Think that heads are averaged."""
    return {"guess": "a", "because": "a"}


def prediction__all_the_same(given):
    """Think that heads see the same and so compute the same."""
    return {"guess": "a", "because": "c"}


def prediction__one_softmax(given):
    """Think that heads share one softmax."""
    return {"guess": "c", "because": "d"}


def mended_split__copied(X, h):
    """Hand the broken function back."""
    return X.reshape(h, len(X), -1)


def mended_split__every_hth_column(X, h):
    """Take columns that do not stand side by side."""
    return X.reshape(len(X), -1, h).transpose(2, 0, 1)


def mended_split__heads_not_in_front(X, h):
    """Cut, and stop there."""
    return X.reshape(len(X), h, -1)


def mended_split__fortran_order(X, h):
    """Fill the shape column by column."""
    return X.reshape(h, len(X), -1, order="F")


def mended_split__transposed_first(X, h):
    """Transpose the tokens before cutting."""
    return X.T.reshape(h, len(X), -1)


def mended_split__identity(X, h):
    """Give every head the first columns."""
    return np.stack([X[:, : X.shape[1] // h]] * h)


def mended_split__last_head_first(X, h):
    """Stack the heads in the wrong order."""
    return np.stack(np.split(X, h, axis=1)[::-1])


def slip__blames_the_root(given):
    """Doubt the scale, which is that of one head."""
    return {"where": "a", "repair": "a", "lost": "c"}


def slip__adds_the_values(given):
    """Mend it with the values of all heads."""
    return {"where": "b", "repair": "b", "lost": "c"}


def slip__same_weights(given):
    """Think that values make the weights."""
    return {"where": "b", "repair": "a", "lost": "a"}


def slip__nothing_lost(given):
    """Think that different weights are enough."""
    return {"where": "b", "repair": "a", "lost": "b"}
