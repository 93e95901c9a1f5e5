# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in attention and its softmax."""

import numpy as np


def given_softmax(scores):
    """Do what the notebook's given_softmax does."""
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax__uniform(scores):
    """Give every key the same weight."""
    return np.full(scores.shape, 1 / scores.shape[-1])


def softmax__identity(scores):
    """Return the scores."""
    return scores


def softmax__wrong_axis(scores):
    """Sum over the first axis."""
    exponentials = np.exp(scores - scores.max(axis=0))
    return exponentials / exponentials.sum(axis=0)


def softmax__whole_array(scores):
    """Sum over all rows at once."""
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum()


def softmax__overflow(scores):
    """Subtract nothing before exp."""
    exponentials = np.exp(scores)
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax__one_maximum(scores):
    """Subtract the largest score of all rows, so a row far below it becomes 0 / 0."""
    exponentials = np.exp(scores - scores.max())
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def softmax__no_exponential(scores):
    """Divide the scores by their sum."""
    return scores / scores.sum(axis=-1, keepdims=True)


def softmax__changes_argument(scores):
    """Subtract in place."""
    scores -= scores.max(axis=-1, keepdims=True)
    return given_softmax(scores)


def attention__uniform(Q, K, V):
    """Return the mean of the values for every query."""
    return np.tile(V.mean(axis=0), (len(Q), 1))


def attention__identity(Q, K, V):
    """Return the values."""
    return V


def attention__unscaled(Q, K, V):
    """Leave out the scale."""
    return given_softmax(Q @ K.T) @ V


def attention__divided_by_width(Q, K, V):
    """Divide by d_k."""
    return given_softmax(Q @ K.T / Q.shape[-1]) @ V


def attention__divided_by_keys(Q, K, V):
    """Divide by the number of keys."""
    return given_softmax(Q @ K.T / len(K)) @ V


def attention__root_of_keys(Q, K, V):
    """Divide by the root of the number of keys."""
    return given_softmax(Q @ K.T / np.sqrt(len(K))) @ V


def attention__not_transposed(Q, K, V):
    """Forget the transpose."""
    return given_softmax(Q @ K / np.sqrt(Q.shape[-1])) @ V


def attention__scaled_after(Q, K, V):
    """Divide the weights, not the scores."""
    return given_softmax(Q @ K.T) / np.sqrt(Q.shape[-1]) @ V


def attention__wrong_axis(Q, K, V):
    """Let the weights of a key sum to 1 over the queries."""
    return given_softmax(K @ Q.T / np.sqrt(Q.shape[-1])).T @ V


def attention__swapped(Q, K, V):
    """Swap queries and keys."""
    return given_softmax(K @ Q.T / np.sqrt(Q.shape[-1])) @ V


def attention__first_query_only(Q, K, V):
    """Give every query the output of the first."""
    return given_softmax(Q[:1] @ K.T / np.sqrt(Q.shape[-1])).repeat(len(Q), axis=0) @ V


def attention__values_reversed(Q, K, V):
    """Give each weight to another value."""
    return given_softmax(Q @ K.T / np.sqrt(Q.shape[-1])) @ V[::-1]


def softmax(scores, axis=-1):
    """Subtract the largest score and share out 1."""
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


def cross_attention__keys_from_the_decoder(Y, X, W_Q, W_K, W_V):
    """Make the keys from Y, where the shapes let it."""
    keys = Y @ W_K if Y.shape == X.shape else X @ W_K
    return softmax(Y @ W_Q @ keys.T / np.sqrt(W_Q.shape[1])) @ (X @ W_V)


def cross_attention__self_attention(Y, X, W_Q, W_K, W_V):
    """Let the decoder read itself."""
    return softmax(Y @ W_Q @ (Y @ W_K).T / np.sqrt(W_Q.shape[1])) @ (Y @ W_V)


def cross_attention__encoder_asks(Y, X, W_Q, W_K, W_V):
    """Exchange the two texts."""
    return cross_attention__self_attention(X, Y, W_Q, W_K, W_V)


def cross_attention__unscaled(Y, X, W_Q, W_K, W_V):
    """Leave out the scale."""
    return softmax(Y @ W_Q @ (X @ W_K).T) @ (X @ W_V)


def cross_attention__root_of_the_decoder(Y, X, W_Q, W_K, W_V):
    """Divide by the root of the width of Y."""
    return softmax(Y @ W_Q @ (X @ W_K).T / np.sqrt(Y.shape[1])) @ (X @ W_V)


def cross_attention__divided_by_width(Y, X, W_Q, W_K, W_V):
    """Divide by d_k."""
    return softmax(Y @ W_Q @ (X @ W_K).T / W_Q.shape[1]) @ (X @ W_V)


def cross_attention__causal(Y, X, W_Q, W_K, W_V):
    """Hide the end of the source."""
    scores = Y @ W_Q @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    return softmax(np.where(np.tri(*scores.shape), scores, -np.inf)) @ (X @ W_V)


def cross_attention__wrong_axis(Y, X, W_Q, W_K, W_V):
    """Share each source token among the queries."""
    scores = Y @ W_Q @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    return softmax(scores, axis=0) @ (X @ W_V)


def cross_attention__uniform(Y, X, W_Q, W_K, W_V):
    """Return the mean of the values."""
    return np.tile((X @ W_V).mean(axis=0), (len(Y), 1))
