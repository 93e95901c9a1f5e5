# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 18: TASK__MISTAKE stands in for TASK and must lose its points."""

import math

import numpy as np

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__by_heart": "bb",  # Take luck for learning.
    "prediction__harder": "bc",  # Blame the questions.
    "prediction__good_everywhere": "aa",  # Believe the number that chose.
    "slip__another_line": "bbb",  # Find it where the validation loss is read.
    "slip__the_last_step": "cda",  # Choose by the training loss.
    "slip__too_small": "cbc",  # See it in the digits.
}


def windows__said__last__targets_are_the_same(ids, starts, length):
    """Say what was just read."""
    rows = np.stack([ids[start : start + length] for start in starts])
    return rows, rows


def windows__last__rolled(ids, starts, length):
    """Take the first id of the window for what follows its last."""
    rows = np.stack([ids[start : start + length] for start in starts])
    return rows, np.roll(rows, -1, axis=1)


def windows__the_id_before(ids, starts, length):
    """Predict backwards."""
    rows = np.stack([ids[start : start + length + 1] for start in starts])
    return rows[:, 1:], rows[:, :-1]


def windows__read__side_by_side(ids, starts, length):
    """Take windows in turn in the place of those asked for."""
    rows = np.stack([ids[n * length : n * length + length + 1] for n in range(len(starts))])
    return rows[:, :-1], rows[:, 1:]


def share_of(text, b, V, D):
    """The right share of a single id."""
    return (max(text.count(b) - D, 0) + D * len(set(text)) / V) / len(text)


def mixed(text, a, b, D, single, *, kinds=None, total=None):
    """Mix what follows with the share of a single id; the switches are mistakes."""
    after = [text[i + 1] for i in range(len(text) - 1) if text[i] == a]
    if not after:
        return single
    given_away = D * (kinds or len(set(after)))
    return (max(after.count(b) - D, 0) + given_away * single) / (total or len(after))


def probability__no_discount(text, a, b, V, D):
    """Count and divide."""
    after = [text[i + 1] for i in range(len(text) - 1) if text[i] == a]
    return after.count(b) / len(after) if after else text.count(b) / len(text)


def probability__sums__counts_the_last_id(text, a, b, V, D):
    """Divide by how often a stands, followed or not."""
    return mixed(text, a, b, D, share_of(text, b, V, D), total=text.count(a))


def probability__mixed__sums__gives_away_one_discount(text, a, b, V, D):
    """Forget that each different id gave away D."""
    return mixed(text, a, b, D, share_of(text, b, V, D), kinds=1)


def probability__single__single_ids_give_nothing_away(text, a, b, V, D):
    """Take the plain shares of single ids."""
    return mixed(text, a, b, D, text.count(b) / len(text))


def probability__single__unseen_is_zero(text, a, b, V, D):
    """Give nothing where nothing follows."""
    return mixed(text, a, b, D, share_of(text, b, V, D)) if a in text[:-1] else 0.0


def bits__per_character(probabilities, text):
    """Divide by characters."""
    return -np.log2(probabilities).sum() / len(text)


def bits__nats(probabilities, text):
    """Take the natural logarithm."""
    return -np.log(probabilities).sum() / len(text.encode())


def bits__of_the_product_of_the_mean(probabilities, text):
    """Take the logarithm of the mean."""
    return -len(probabilities) * math.log2(np.mean(probabilities)) / len(text.encode())


def loss_and_gradient(W, batch):
    """Do what the notebook's loss_and_gradient does."""
    now, following = np.array(batch).T
    counts = np.zeros(W.shape)
    np.add.at(counts, (now, following), 1 / len(now))
    Z = np.exp(W).sum(axis=1, keepdims=True)
    loss = (counts * (np.log(Z) - W)).sum()
    return loss, counts.sum(axis=1, keepdims=True) * np.exp(W) / Z - counts


def rate_of(step):
    """Do what the notebook's rate_of does."""
    return min((step + 1) / 10, 10 / (step + 1))


def go_on(checkpoint, batches, steps, *, M=None, batch=None, rate=None):
    """Go on from a checkpoint; what is given stands in the place of what it holds."""
    W, first, losses = checkpoint["W"], checkpoint["step"], []
    M = checkpoint["momentum"] if M is None else M
    for n in range(steps):
        chosen = batches[((first if batch is None else batch) + n) % len(batches)]
        loss, gradient = loss_and_gradient(W, chosen)
        losses.append(loss)
        M = 0.9 * M + gradient
        W = W - rate_of((first if rate is None else rate) + n) * M
    return {"W": W, "momentum": M, "step": first + steps}, losses


def resumed__momentum__forgotten(checkpoint, batches, steps):
    """Begin with a momentum of 0."""
    return go_on(checkpoint, batches, steps, M=np.zeros_like(checkpoint["W"]))


def resumed__batches__from_the_first(checkpoint, batches, steps):
    """Take the batches from the first one on."""
    return go_on(checkpoint, batches, steps, batch=0)


def resumed__rate__warms_up_again(checkpoint, batches, steps):
    """Count the steps of the schedule from 0."""
    return go_on(checkpoint, batches, steps, rate=0)


def resumed__fresh__changes_the_checkpoint(checkpoint, batches, steps):
    """Move the logits where they are."""
    new, losses = go_on(checkpoint, batches, steps)
    checkpoint["W"] -= checkpoint["W"] - new["W"]
    return new, losses


def resumed__fresh__batches__losses_after_the_steps(checkpoint, batches, steps):
    """Note the loss after a step."""
    losses = go_on(checkpoint, batches, steps + 1)[1]
    return go_on(checkpoint, batches, steps)[0], losses[1:]


def resumed__fresh__momentum__uphill(checkpoint, batches, steps):
    """Add the step."""
    new, losses = go_on(checkpoint, batches, steps)
    return {**new, "W": 2 * checkpoint["W"] - new["W"]}, losses


def cut(text, length):
    """Cut windows side by side."""
    return [text[i : i + length] for i in range(0, len(text) - length + 1, length)]


def parted(documents, every, *, first=1, end=(0,)):
    """Part the documents, each with its end."""
    sides = [], []
    for number, document in enumerate(documents, first):
        sides[number % every == 0].extend([*document, *end])
    return sides


def mended_windows__broken(documents, length, every):
    """Hand the broken function in again."""
    text = [i for document in documents for i in [*document, 0]]
    windows = list(enumerate(cut(text, length), 1))
    train = [window for n, window in windows if n % every]
    return train, [window for n, window in windows if n % every == 0]


def mended_windows__sides__counts_from_0(documents, length, every):
    """Count the documents from 0."""
    return tuple(cut(side, length) for side in parted(documents, every, first=0))


def mended_windows__cut__keeps_the_rest(documents, length, every):
    """Keep a window that is too short."""
    sides = parted(documents, every)
    return tuple([side[i : i + length] for i in range(0, len(side), length)] for side in sides)


def mended_windows__ends__no_ends(documents, length, every):
    """Forget the end of a document."""
    return tuple(cut(side, length) for side in parted(documents, every, end=()))


def mended_windows__cut__each_document_by_itself(documents, length, every):
    """Cut each document by itself and drop its rest."""
    sides = [], []
    for number, document in enumerate(documents, 1):
        sides[number % every == 0].extend(cut([*document, 0], length))
    return sides


def validation__patience__at_the_lowest(names):
    """Stop at the lowest loss."""
    curve, steps = names["curve"], names["curve_steps"]
    best = steps[int(np.argmin(curve))]
    return [best, best, curve[-1] - curve.min()]


def validation__kept__rise__keeps_the_last(names):
    """Keep the last model, because it was trained longest."""
    curve, steps = names["curve"], names["curve_steps"]
    lowest = [min(curve[: n + 1]) for n in range(len(curve))]
    stop = next(n for n in range(2, len(curve)) if lowest[n] == lowest[n - 2])
    return [steps[-1], steps[stop], 0.0]


def validation__patience__first_rise(names):
    """Stop at the first loss that is not lower."""
    curve, steps = names["curve"], names["curve_steps"]
    rise = next(n for n in range(1, len(curve)) if curve[n] >= curve[n - 1])
    return [steps[int(np.argmin(curve))], steps[rise], curve[-1] - curve.min()]


def validation__rise__from_the_first(names):
    """Compare the last loss with the first one."""
    curve, steps = names["curve"], names["curve_steps"]
    lowest = [min(curve[: n + 1]) for n in range(len(curve))]
    stop = next(n for n in range(2, len(curve)) if lowest[n] == lowest[n - 2])
    return [steps[int(np.argmin(curve))], steps[stop], abs(curve[-1] - curve[0])]
