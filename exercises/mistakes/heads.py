# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in attention with several heads."""

import numpy as np

from exercises.mistakes.attention import softmax


def attend(Q, K, V, divisor=None):
    """Do what the notebook's given_attention does, with any divisor."""
    scores = Q @ np.swapaxes(K, -1, -2) / (divisor or np.sqrt(Q.shape[-1]))
    return softmax(scores) @ V


def cut(X, h):
    """Split rightly."""
    return X.reshape(len(X), h, -1).transpose(1, 0, 2)


def joined(H):
    """Merge rightly."""
    return H.transpose(1, 0, 2).reshape(H.shape[1], -1)


def merge_heads__one_reshape(H):
    """Reshape where a transpose is needed."""
    return H.reshape(H.shape[1], -1)


def merge_heads__shuffled(H):
    """Let the head be the fastest axis."""
    return H.transpose(1, 2, 0).reshape(H.shape[1], -1)


def merge_heads__added(H):
    """Add the heads up."""
    return H.sum(axis=0)


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


def split_heads__without_transpose(X, h):
    """Reshape where a transpose is needed."""
    return X.reshape(h, len(X), -1)


def split_heads__every_hth_column(X, h):
    """Take columns that do not stand side by side."""
    return X.reshape(len(X), -1, h).transpose(2, 0, 1)


def split_heads__heads_not_in_front(X, h):
    """Cut, and stop there."""
    return X.reshape(len(X), h, -1)


def split_heads__fortran_order(X, h):
    """Fill the shape column by column."""
    return X.reshape(h, len(X), -1, order="F")


def split_heads__transposed_first(X, h):
    """Transpose the tokens before cutting."""
    return X.T.reshape(h, len(X), -1)


def split_heads__last_head_first(X, h):
    """Stack the heads in the wrong order."""
    return np.stack(np.split(X, h, axis=1)[::-1])
