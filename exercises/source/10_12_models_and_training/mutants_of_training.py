# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 12: TASK__MISTAKE stands in for TASK and must lose its points."""

import math

import numpy as np


def shift(sentences, read, said, fill_read, fill_said):
    """Fill rows up and make arrays."""
    longest = max(len(read(ids)) for ids in sentences)
    inputs = [read(ids) + [fill_read] * (longest - len(read(ids))) for ids in sentences]
    targets = [said(ids) + [fill_said] * (longest - len(said(ids))) for ids in sentences]
    return np.array(inputs), np.array(targets)


def shifted__targets__not_shifted(sentences, start, end, padding):
    """Let the model say what it reads."""
    return shift(sentences, lambda ids: [start, *ids], lambda ids: [start, *ids], padding, -100)


def shifted__inputs__targets__the_wrong_way(sentences, start, end, padding):
    """Read the later token and say the earlier one."""
    return shift(sentences, lambda ids: [*ids, end], lambda ids: [start, *ids], padding, -100)


def shifted__fillers__padding_as_target(sentences, start, end, padding):
    """Fill targets up with padding."""
    return shift(sentences, lambda ids: [start, *ids], lambda ids: [*ids, end], padding, padding)


def shifted__targets__no_end(sentences, start, end, padding):
    """Never say the end."""
    return shift(sentences, lambda ids: [start, *ids], lambda ids: [*ids, -100], padding, -100)


def shifted__fillers__filled_at_the_front(sentences, start, end, padding):
    """Put the padding first."""
    longest = max(len(ids) for ids in sentences)
    return shift(
        sentences,
        lambda ids: [padding] * (longest - len(ids)) + [start, *ids],
        lambda ids: [-100] * (longest - len(ids)) + [*ids, end],
        padding,
        -100,
    )


def shifted__fillers__padding_replaced(sentences, start, end, padding):
    """Fill targets with padding, and take every padding for a filler."""
    inputs, targets = shifted__fillers__padding_as_target(sentences, start, end, padding)
    return inputs, np.where(targets == padding, -100, targets)


def shifted__inputs__sentences_changed(sentences, start, end, padding):
    """Append the end token to the sentences that were given."""
    found = shift(sentences, lambda ids: [start, *ids], lambda ids: [*ids, end], padding, -100)
    for ids in sentences:
        ids.append(end)
    return found


def softmax(scores):
    """Turn scores into weights."""
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)


def loss_and_gradients(P, ids, targets):
    """Do what the notebook's language_loss_and_gradients does."""
    n = ids.shape[1]
    X = P["E"][ids] + P["places"][:n]
    weights = softmax(np.where(np.tri(n, dtype=bool), X @ P["W_QK"] @ X.mT, -np.inf))
    mixed = weights @ X
    H = X + mixed @ P["W_VO"]
    slope = softmax(H @ P["W"])
    row, place = np.nonzero(targets != -100)
    right = (row, place, targets[row, place])
    loss = -np.log(slope[right]).mean()
    slope *= (targets != -100)[..., None]
    slope[right] -= 1
    slope /= len(row)
    to_H = slope @ P["W"].T
    to_mixed = to_H @ P["W_VO"].T
    to_scores = to_mixed @ X.mT
    to_scores = weights * (to_scores - (weights * to_scores).sum(-1, keepdims=True))
    to_X = to_H + weights.mT @ to_mixed
    to_X = to_X + to_scores @ X @ P["W_QK"].T + to_scores.mT @ X @ P["W_QK"]
    found = {"E": np.zeros_like(P["E"]), "places": np.zeros_like(P["places"])}
    np.add.at(found["E"], ids, to_X)
    found["places"][:n] = to_X.sum(axis=0)
    found["W_QK"] = (X.mT @ to_scores @ X).sum(axis=0)
    found["W_VO"] = (mixed.mT @ to_H).sum(axis=0)
    return float(loss), found | {"W": (H.mT @ slope).sum(axis=0)}


def loop_of(P, batches, rate, *, clears=True, moves=lambda array, slope: array - slope):
    """Run the loop, with one mistake in which gradients it takes or in how parameters move."""
    P, losses, total = dict(P), [], dict.fromkeys(P, 0.0)
    for ids, targets in batches:
        loss, slopes = loss_and_gradients(P, ids, targets)
        losses.append(loss)
        total = {name: slopes[name] + (0.0 if clears else total[name]) for name in P}
        P = {name: moves(P[name], rate * total[name]) for name in P}
    return P, losses


def agreement_loop__batches__changes_P(P, batches, rate):
    """Copy the dictionary, but not the arrays in it."""
    trained, losses = dict(P), []
    for ids, targets in batches:
        loss, slopes = loss_and_gradients(trained, ids, targets)
        losses.append(loss)
        for name in trained:
            trained[name] -= rate * slopes[name]
    return trained, losses


def agreement_loop__batches__verbs__first_batch(P, batches, rate):
    """Take every step on the first batch."""
    return loop_of(P, [batches[0]] * len(batches), rate)


def agreement_loop__batches__verbs__starts_again(P, batches, rate):
    """Compute the gradients of each batch from the parameters at the start."""
    trained, losses = dict(P), []
    for ids, targets in batches:
        loss, slopes = loss_and_gradients(P, ids, targets)
        losses.append(loss)
        trained = {name: trained[name] - rate * slopes[name] for name in P}
    return trained, losses


def agreement_loop__batches__verbs__gradients_added(P, batches, rate):
    """Add the gradients of all earlier batches, as torch does it until one clears them."""
    return loop_of(P, batches, rate, clears=False)


def agreement_loop__step__verbs__uphill(P, batches, rate):
    """Go along the gradient."""
    return loop_of(P, batches, rate, moves=lambda array, slope: array + slope)


def agreement_loop__nothing_moves(P, batches, rate):
    """Compute the losses and move nothing."""
    return loop_of(P, batches, rate, moves=lambda array, slope: array)


def agreement_loop__step__loss_after_the_step(P, batches, rate):
    """Note the loss behind each step."""
    losses = []
    for ids, targets in batches:
        P = loop_of(P, [(ids, targets)], rate)[0]
        losses.append(loss_and_gradients(P, ids, targets)[0])
    return P, losses


def agreement_loop__verbs__stops_early(P, batches, rate):
    """Stop after thirty batches."""
    return loop_of(P, batches[:30], rate)


def overfitted(P, ids, targets, *, rate=0.3, clears=True):
    """Train on one batch again and again."""
    with np.errstate(all="ignore"):
        return loop_of(P, [(ids, targets)] * 300, rate, clears=clears)[0]


def entropy_of(ids, targets, *, key=lambda words: tuple(words), mean=True):
    """Return the conditional entropy, with a mistake in its contexts or its mean."""
    after = {}
    for words, following in zip(ids.tolist(), targets.tolist(), strict=True):
        for i, word in enumerate(following):
            if word != -100:
                after.setdefault(key(words[: i + 1]), []).append(word)
    losses = [
        -math.log(found.count(word) / len(found)) for found in after.values() for word in found
    ]
    return sum(losses) / (len(losses) if mean else len(after))


def overfit__trained__small_rate(P, ids, targets):
    """Take the learning rate of Adam for plain descent."""
    return overfitted(P, ids, targets, rate=0.001), entropy_of(ids, targets)


def overfit__trained__large_rate(P, ids, targets):
    """Take steps that are too long."""
    return overfitted(P, ids, targets, rate=20), entropy_of(ids, targets)


def overfit__trained__never_cleared(P, ids, targets):
    """Add the gradients of all earlier steps."""
    return overfitted(P, ids, targets, clears=False), entropy_of(ids, targets)


def overfit__entropy__always_zero(P, ids, targets):
    """Expect a loss of 0."""
    return overfitted(P, ids, targets), 0.0


def overfit__entropy__base_2(P, ids, targets):
    """Count in bits."""
    return overfitted(P, ids, targets), entropy_of(ids, targets) / math.log(2)


def overfit__entropy__last_word(P, ids, targets):
    """Look at the last word alone."""
    return overfitted(P, ids, targets), entropy_of(ids, targets, key=lambda words: words[-1])


def overfit__entropy__mean_of_lists(P, ids, targets):
    """Divide by the number of contexts."""
    return overfitted(P, ids, targets), entropy_of(ids, targets, mean=False)
