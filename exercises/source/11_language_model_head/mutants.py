# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 11: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np


def right_ones(log_probabilities, targets):
    """Pick the entries of the right tokens."""
    return np.take_along_axis(log_probabilities, targets[..., None], axis=-1)[..., 0]


def log_softmax__uniform(logits):
    """Give every token the same probability."""
    return np.full(logits.shape, -np.log(logits.shape[-1]))


def log_softmax__identity(logits):
    """Return the logits."""
    return logits


def log_softmax__of_a_softmax(logits):
    """Take the logarithm of a probability that may have become 0."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.log(exponentials / exponentials.sum(axis=-1, keepdims=True))


def log_softmax__softmax(logits):
    """Leave the logarithm out."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


def log_softmax__overflow(logits):
    """Subtract nothing before exp."""
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def log_softmax__wrong_axis(logits):
    """Sum over the places."""
    return logits - np.logaddexp.reduce(logits, axis=0)


def log_softmax__whole_array(logits):
    """Sum over all places at once."""
    return logits - np.logaddexp.reduce(logits, axis=None)


def log_softmax__one_maximum(logits):
    """Subtract the largest logit of the whole table."""
    shifted = logits - logits.max()
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def log_softmax__shift_alone(logits):
    """Subtract the largest and stop."""
    return logits - logits.max(axis=-1, keepdims=True)


def log_softmax__small_number_added(logits):
    """Keep the logarithm finite by a small number."""
    exponentials = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.log(exponentials / exponentials.sum(axis=-1, keepdims=True) + 1e-12)


def log_softmax__changes_argument(logits):
    """Subtract in place."""
    logits -= logits.max(axis=-1, keepdims=True)
    return logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))


def perplexity__vocabulary(log_probabilities, targets):
    """Return the size of the vocabulary, the perplexity of a uniform model."""
    return float(log_probabilities.shape[-1])


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


def perplexity__all_tokens(log_probabilities, targets):
    """Average over the whole vocabulary."""
    return float(np.exp(-log_probabilities.mean()))


def perplexity__product(log_probabilities, targets):
    """Multiply the probabilities, which for a long text come to 0."""
    p = np.exp(right_ones(log_probabilities, targets))
    with np.errstate(divide="ignore"):
        return float(np.prod(p) ** (-1 / p.size))


def smoothed_losses__plain(log_probabilities, targets, s):
    """Ignore the smoothing."""
    return -right_ones(log_probabilities, targets)


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


def counts(matrices, blocks):
    """Return what the task asks for."""
    return {"total": matrices + blocks, "share": matrices / (matrices + blocks)}


def vocabulary_parameters__never_tied(V_source, V_target, d_model, blocks, tying):
    """Ignore the tying."""
    return counts((V_source + 2 * V_target) * d_model, blocks)


def vocabulary_parameters__always_tied(V_source, V_target, d_model, blocks, tying):
    """Count one matrix."""
    return counts(V_target * d_model, blocks)


def vocabulary_parameters__head_of_the_source(V_source, V_target, d_model, blocks, tying):
    """Let the head score source tokens."""
    rows = {"none": 2 * V_source + V_target, "head": V_source + V_target, "all": V_target}
    return counts(rows[tying] * d_model, blocks)


def vocabulary_parameters__share_of_the_rest(V_source, V_target, d_model, blocks, tying):
    """Divide by the blocks alone."""
    rows = {"none": V_source + 2 * V_target, "head": V_source + V_target, "all": V_target}
    matrices = rows[tying] * d_model
    return {"total": matrices + blocks, "share": matrices / blocks}


def vocabulary_parameters__matrices_alone(V_source, V_target, d_model, blocks, tying):
    """Leave the blocks out of the total."""
    rows = {"none": V_source + 2 * V_target, "head": V_source + V_target, "all": V_target}
    matrices = rows[tying] * d_model
    return {"total": matrices, "share": matrices / (matrices + blocks)}


def vocabulary_parameters__head_left_out(V_source, V_target, d_model, blocks, tying):
    """Forget that a head of its own has a matrix."""
    rows = {"none": V_source + V_target, "head": V_source + V_target, "all": V_target}
    return counts(rows[tying] * d_model, blocks)


def by_hand(mean, share, V, *, right=None):
    """Put the four numbers together."""
    return [mean, 2**mean, 1 - (V - 1) * share if right is None else right, share]


def hand_head__padding_counted(given):
    """Count the padded place, too."""
    mean = (sum(given["hand_bits"]) + 1) / 4
    return by_hand(mean, given["hand_tenths"] / 10 / given["hand_V"], given["hand_V"])


def hand_head__padding_in_the_mean(given):
    """Divide by four places."""
    mean = sum(given["hand_bits"]) / 4
    return by_hand(mean, given["hand_tenths"] / 10 / given["hand_V"], given["hand_V"])


def hand_head__sum(given):
    """Add the bits up."""
    mean = float(sum(given["hand_bits"]))
    return by_hand(mean, given["hand_tenths"] / 10 / given["hand_V"], given["hand_V"])


def hand_head__mean_of_inverses(given):
    """Average 1 / p and take its logarithm."""
    mean = float(np.log2(np.mean([2.0**bits for bits in given["hand_bits"]])))
    return by_hand(mean, given["hand_tenths"] / 10 / given["hand_V"], given["hand_V"])


def hand_head__spread_over_the_others(given):
    """Spread s over the wrong tokens alone."""
    share = given["hand_tenths"] / 10 / (given["hand_V"] - 1)
    return by_hand(sum(given["hand_bits"]) / 3, share, given["hand_V"])


def hand_head__certain(given):
    """Take certainty for the best."""
    return by_hand(sum(given["hand_bits"]) / 3, 0.0, given["hand_V"])


def hand_head__uniform(given):
    """Give every token the same."""
    return by_hand(sum(given["hand_bits"]) / 3, 1 / given["hand_V"], given["hand_V"])


def hand_head__nothing_comes_back(given):
    """Leave s / V out at the right token."""
    share = given["hand_tenths"] / 10 / given["hand_V"]
    right = 1 - given["hand_tenths"] / 10
    return by_hand(sum(given["hand_bits"]) / 3, share, given["hand_V"], right=right)


def prediction__average_of_probabilities(given):
    """Average probabilities."""
    return {"guess": "a", "because": "a"}


def prediction__smallest_probability(given):
    """Look at the worst place alone."""
    return {"guess": "c", "because": "c"}


def prediction__not_enough_digits(given):
    """Blame the computer."""
    return {"guess": "c", "because": "d"}


def mended_mean_loss__copied(losses, targets):
    """Hand the broken function back."""
    return float(np.where(targets == -100, 0.0, losses).mean())


def mended_mean_loss__padding_counted(losses, targets):
    """Average over everything."""
    return float(losses.mean())


def mended_mean_loss__mean_of_means(losses, targets):
    """Average each sentence first."""
    means = [row[ids != -100].mean() for row, ids in zip(losses, targets, strict=True)]
    return float(np.mean(means))


def mended_mean_loss__sum(losses, targets):
    """Add up and divide by nothing."""
    return float(losses[targets != -100].sum())


def mended_mean_loss__divided_by_sentences(losses, targets):
    """Divide by the number of sentences."""
    return float(losses[targets != -100].sum() / len(losses))


def mended_mean_loss__padding_times_zero(losses, targets):
    """Multiply padding by 0, which leaves nan and inf as nan."""
    counted = targets != -100
    with np.errstate(all="ignore"):
        return float((losses * counted).sum() / counted.sum())


def mended_mean_loss__id_0_is_padding(losses, targets):
    """Leave out the token with the id 0."""
    return float(losses[targets > 0].mean())


def slip__compares_tokens(given):
    """Believe the sentence."""
    return {"compares": "a", "pair": "a"}


def slip__compares_embeddings(given):
    """Compare vectors."""
    return {"compares": "c", "pair": "a"}


def slip__pair_with_equal_losses(given):
    """Pick a pair with the same token and the same loss."""
    return {"compares": "b", "pair": "b"}


def slip__pair_with_other_tokens(given):
    """Pick a pair in which the tokens differ, too."""
    return {"compares": "b", "pair": "c"}
