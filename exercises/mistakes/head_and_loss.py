# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in the head, its loss and perplexity."""

import numpy as np

from exercises.mistakes.attention import softmax


def right_ones(log_probabilities, targets):
    """Pick the entries of the right tokens."""
    return np.take_along_axis(log_probabilities, targets[..., None], axis=-1)[..., 0]


def log_softmax(logits):
    """Do it right."""
    return logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True)


def log_softmax__uniform(logits):
    """Give every token the same probability."""
    return np.full(logits.shape, -np.log(logits.shape[-1]))


def log_softmax__of_a_softmax(logits):
    """Take the logarithm of a probability that may have become 0."""
    return np.log(softmax(logits))


def log_softmax__overflow(logits):
    """Subtract nothing before exp."""
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def log_softmax__one_maximum(logits):
    """Subtract the largest logit of the whole table."""
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def log_softmax__shift_alone(logits):
    """Subtract the largest and stop."""
    return logits - logits.max(axis=-1, keepdims=True)


def log_softmax__changes_argument(logits):
    """Subtract in place."""
    logits -= logits.max(axis=-1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def perplexity__cross_entropy(log_probabilities, targets):
    """Forget the exponential."""
    return float(-right_ones(log_probabilities, targets).mean())


def perplexity__base_2(log_probabilities, targets):
    """Take 2 to the power of natural logarithms."""
    return float(2 ** -right_ones(log_probabilities, targets).mean())


def perplexity__sum(log_probabilities, targets):
    """Add the losses up."""
    return float(np.exp(-right_ones(log_probabilities, targets).sum()))


def perplexity__mean_of_inverses(log_probabilities, targets):
    """Average 1 / p."""
    return float(np.exp(-right_ones(log_probabilities, targets)).mean())


def perplexity__inverse_of_the_mean(log_probabilities, targets):
    """Average the probabilities."""
    return float(1 / np.exp(right_ones(log_probabilities, targets)).mean())


def perplexity__best_tokens(log_probabilities, targets):
    """Look at the most probable tokens instead of the right ones."""
    return float(np.exp(-log_probabilities.max(axis=-1).mean()))


def perplexity__mean_over_sentences(log_probabilities, targets):
    """Return one number for each text."""
    return np.exp(-right_ones(log_probabilities, targets).mean(axis=-1))


def perplexity__product(log_probabilities, targets):
    """Multiply the probabilities, which for a long text come to 0."""
    p = np.exp(right_ones(log_probabilities, targets))
    with np.errstate(divide="ignore"):
        return float(np.prod(p) ** (-1 / p.size))


def smoothed_losses__uniform(log_probabilities, targets, s):
    """Use the same target for every token."""
    return -log_probabilities.mean(axis=-1)


def smoothed_losses__on_top(log_probabilities, targets, s):
    """Add the smoothed part and take nothing away."""
    return -right_ones(log_probabilities, targets) - s * log_probabilities.mean(axis=-1)


def smoothed_losses__wrong_tokens_alone(log_probabilities, targets, s):
    """Spread s over the others."""
    V = log_probabilities.shape[-1]
    right = right_ones(log_probabilities, targets)
    others = log_probabilities.sum(axis=-1) - right
    return -(1 - s) * right - s / max(V - 1, 1) * others


def smoothed_losses__share_not_divided(log_probabilities, targets, s):
    """Give s to each other token."""
    right = right_ones(log_probabilities, targets)
    return -(1 - s) * right - s * (log_probabilities.sum(axis=-1) - right)


def smoothed_losses__mean(log_probabilities, targets, s):
    """Return the mean of the losses."""
    right = right_ones(log_probabilities, targets)
    return np.mean(-(1 - s) * right - s * log_probabilities.mean(axis=-1))


def smoothed_losses__size_of_the_check(log_probabilities, targets, s):
    """Divide the share by 5."""
    of_target = right_ones(log_probabilities, targets)
    return -(1 - s) * of_target - s / 5 * log_probabilities.sum(axis=-1)


def smoothed_losses__positive_logarithms(log_probabilities, targets, s):
    """Forget the minus of the formula."""
    right = right_ones(log_probabilities, targets)
    return (1 - s) * right + s * log_probabilities.mean(axis=-1)


def mean_loss__padding_in_the_mean(losses, targets):
    """Set padding to 0 and average over everything."""
    return float(np.where(targets == -100, 0.0, losses).mean())


def mean_loss__padding_counted(losses, targets):
    """Average over everything."""
    return float(losses.mean())


def mean_loss__mean_of_means(losses, targets):
    """Average each sentence first."""
    means = [row[ids != -100].mean() for row, ids in zip(losses, targets, strict=True)]
    return float(np.mean(means))


def mean_loss__sum(losses, targets):
    """Add up and divide by nothing."""
    return float(losses[targets != -100].sum())


def mean_loss__divided_by_sentences(losses, targets):
    """Divide by the number of sentences."""
    return float(losses[targets != -100].sum() / len(losses))


def mean_loss__padding_times_zero(losses, targets):
    """Multiply padding by 0, which leaves nan and inf as nan."""
    counted = targets != -100
    with np.errstate(all="ignore"):
        return float((losses * counted).sum() / counted.sum())


def mean_loss__id_0_is_padding(losses, targets):
    """Leave out the token with the id 0."""
    return float(losses[targets > 0].mean())


def next_token_loss__not_shifted(logits, ids):
    """Let each place say its own token."""
    return float(-right_ones(log_softmax(logits), ids).mean())


def next_token_loss__shifted_the_wrong_way(logits, ids):
    """Let each place say the token before it."""
    return float(-right_ones(log_softmax(logits[1:]), ids[:-1]).mean())


def next_token_loss__wraps_around(logits, ids):
    """Let the last place say the first token."""
    return float(-right_ones(log_softmax(logits), np.roll(ids, -1)).mean())
