# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in masks and masked attention."""

import numpy as np

from exercises.mistakes.attention import softmax


def past(ids):
    """The causal mask of one text."""
    return np.tri(ids.shape[1], dtype=bool)


def decoder_mask__inverted(ids, pad_id):
    """Let true mean hidden."""
    return ~(past(ids) & (ids != pad_id)[:, None])


def decoder_mask__upside_down(ids, pad_id):
    """Show the future and hide the past."""
    return past(ids).T & (ids != pad_id)[:, None]


def decoder_mask__padding_on_queries(ids, pad_id):
    """Take out rows instead of columns."""
    return past(ids) & (ids != pad_id)[:, :, None]


def decoder_mask__padding_on_both(ids, pad_id):
    """Take out rows and columns."""
    real = ids != pad_id
    return past(ids) & real[:, None] & real[:, :, None]


def decoder_mask__hides_itself(ids, pad_id):
    """Begin one place too early."""
    n = ids.shape[1]
    return np.tri(n, k=-1, dtype=bool) & (ids != pad_id)[:, None]


def decoder_mask__shows_the_next(ids, pad_id):
    """End one place too late."""
    n = ids.shape[1]
    return np.tri(n, k=1, dtype=bool) & (ids != pad_id)[:, None]


def decoder_mask__one_rule_is_enough(ids, pad_id):
    """Combine with or."""
    return past(ids) | (ids != pad_id)[:, None]


def decoder_mask__no_padding(ids, pad_id):
    """Forget the padding."""
    return np.tile(past(ids), (len(ids), 1, 1))


def decoder_mask__identity(ids, pad_id):
    """Let each token see itself alone."""
    return np.tile(np.eye(ids.shape[1], dtype=bool), (len(ids), 1, 1))


def decoder_mask__padding_is_zero(ids, pad_id):
    """Ignore the id of the padding."""
    return past(ids) & (ids != 0)[:, None]


def decoder_mask__padding_at_the_end(ids, pad_id):
    """Hide everything from the first padding on."""
    real = np.cumprod(ids != pad_id, axis=1).astype(bool)
    return np.tri(ids.shape[1], dtype=bool) & real[:, None, :]


def decoder_mask__padding_of_the_first_text(ids, pad_id):
    """Take the padding of the first text for that of all."""
    mask = np.tri(ids.shape[1], dtype=bool) & (ids[0] != pad_id)
    return np.repeat(mask[None], len(ids), axis=0)


def masked_softmax__after(scores, mask):
    """Hide the weights."""
    return softmax(scores) * mask


def masked_softmax__after_and_shared_again(scores, mask):
    """Hide the weights and divide by what is left: a loud hidden score leaves nothing."""
    weights = softmax(scores) * mask
    sums = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(sums > 0, sums, 1)


def masked_softmax__replaced_by_a_large_number(scores, mask):
    """Put -1e9 for -inf, so that an empty row attends to all."""
    return softmax(np.where(mask, scores, -1e9))


def masked_softmax__added_large_number(scores, mask):
    """Add -1e9, which cancels in an empty row."""
    return softmax(scores + np.where(mask, 0.0, -1e9))


def masked_softmax__hidden_score_is_zero(scores, mask):
    """Multiply the scores by the mask."""
    return softmax(scores * mask)


def masked_softmax__unstable(scores, mask):
    """Subtract nothing before exp."""
    exponentials = np.exp(np.where(mask, scores, -np.inf))
    sums = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(sums > 0, sums, 1)


def masked_softmax__uniform(scores, mask):
    """Share alike among the allowed keys."""
    seen = np.broadcast_to(mask, scores.shape)
    return seen / np.maximum(seen.sum(axis=-1, keepdims=True), 1)


def masked_softmax__identity(scores, mask):
    """Return the scores, with zeros where they are hidden."""
    return scores * mask


def masked_softmax__unmasked(scores, mask):
    """Ignore the mask."""
    return softmax(scores)


def masked_softmax__one_maximum(scores, mask):
    """Subtract the largest allowed score of the whole table."""
    masked = np.where(mask, scores, -np.inf)
    exponentials = np.exp(masked - masked.max() if np.any(mask) else masked)
    sums = exponentials.sum(axis=-1, keepdims=True)
    return exponentials / np.where(sums > 0, sums, 1)


def masked_softmax__changes_argument(scores, mask):
    """Write -inf into the scores that were given."""
    scores[np.broadcast_to(~mask, scores.shape)] = -np.inf
    return np.nan_to_num(softmax(scores))


def masked_attention__mask_after_softmax(Q, K, V, mask):
    """Set weights to 0 after they sum to 1."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) * mask @ V


def masked_attention__unmasked(Q, K, V, mask):
    """Drop the mask."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[1])) @ V


def masked_attention__score_of_zero(Q, K, V, mask):
    """Multiply the scores by the mask."""
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]) * mask) @ V


def masked_attention__softmax_again(Q, K, V, mask):
    """Take the softmax of the weights, so that the rows sum to 1 again."""
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    again = softmax(np.where(mask, weights, -np.inf))
    return np.where(mask.all(axis=1, keepdims=True), weights, again) @ V


def masked_attention__lost_scale(Q, K, V, mask):
    """Lose the scale where something is hidden."""
    scale = np.where(mask.all(axis=1, keepdims=True), np.sqrt(Q.shape[1]), 1)
    return softmax(np.where(mask, Q @ K.T / scale, -np.inf)) @ V


def masked_attention__shared_alike(Q, K, V, mask):
    """Make up for what is hidden by the number of keys."""
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[1])) * mask
    return weights @ V / mask.mean(axis=1, keepdims=True)


def causal_mask__forgets_the_cache(n, offset):
    """Let new tokens see the first of those before them."""
    return np.tri(n, n + offset, dtype=bool)


def causal_mask__new_tokens_alone(n, offset):
    """Leave the columns of the tokens before out."""
    return np.tri(n, dtype=bool)


def causal_mask__shows_the_next(n, offset):
    """End one place too late."""
    return np.tri(n, n + offset, k=offset + 1, dtype=bool)


def causal_mask__hides_itself(n, offset):
    """End one place too early."""
    return np.tri(n, n + offset, k=offset - 1, dtype=bool)
