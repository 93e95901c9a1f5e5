# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 12: TASK__MISTAKE stands in for TASK and must lose its points."""

import math

import torch


def shift(sentences, read, said, fill_read, fill_said):
    """Fill rows up and make tensors."""
    longest = max(len(read(ids)) for ids in sentences)
    inputs = [read(ids) + [fill_read] * (longest - len(read(ids))) for ids in sentences]
    targets = [said(ids) + [fill_said] * (longest - len(said(ids))) for ids in sentences]
    return torch.tensor(inputs), torch.tensor(targets)


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
    return inputs, targets.masked_fill(targets == padding, -100)


def shifted__inputs__sentences_changed(sentences, start, end, padding):
    """Append the end token to the sentences that were given."""
    found = shift(sentences, lambda ids: [start, *ids], lambda ids: [*ids, end], padding, -100)
    for ids in sentences:
        ids.append(end)
    return found


def language_loss(P, ids, targets):
    """Do what the notebook's language_loss does."""
    n = ids.shape[1]
    X = P["E"][ids] + P["places"][:n]
    later = torch.full((n, n), -torch.inf).triu(diagonal=1)
    mixed = torch.softmax(X @ P["W_QK"] @ X.mT + later, dim=-1) @ X
    logits = (X + mixed @ P["W_VO"]) @ P["W"]
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


def loop_of(
    P, batches, rate, *, clears=lambda step: True, moves=lambda tensor, slope: tensor - slope
):
    """Run the loop, with one mistake in when gradients are cleared or in how parameters move."""
    P, losses = {name: tensor.clone() for name, tensor in P.items()}, []
    total = {name: torch.zeros_like(tensor) for name, tensor in P.items()}
    for step, (ids, targets) in enumerate(batches, 1):
        copies = {name: tensor.clone().requires_grad_() for name, tensor in P.items()}
        loss = language_loss(copies, ids, targets)
        loss.backward()
        losses.append(loss.item())
        total = {name: total[name] + copies[name].grad for name in P}
        P = {name: moves(P[name], rate * total[name]) for name in P}
        if clears(step):
            total = {name: torch.zeros_like(tensor) for name, tensor in P.items()}
    return P, losses


def agreement_loop__cleared__every_other_step(P, batches, rate):
    """Clear the gradients in every other step."""
    return loop_of(P, batches, rate, clears=lambda step: step % 2 == 0)


def agreement_loop__step__verbs__uphill(P, batches, rate):
    """Go along the gradient."""
    return loop_of(P, batches, rate, moves=lambda tensor, slope: tensor + slope)


def agreement_loop__nothing_moves(P, batches, rate):
    """Compute the losses and move nothing."""
    return loop_of(P, batches, rate, moves=lambda tensor, slope: tensor)


def agreement_loop__step__loss_after_the_step(P, batches, rate):
    """Note the loss behind each step."""
    losses = []
    for ids, targets in batches:
        P = loop_of(P, [(ids, targets)], rate)[0]
        losses.append(float(language_loss(P, ids, targets)))
    return P, losses


def agreement_loop__verbs__stops_early(P, batches, rate):
    """Stop after thirty batches."""
    return loop_of(P, batches[:30], rate)


def overfitted(P, ids, targets, *, rate=0.3, clears=lambda step: True):
    """Train on one batch again and again."""
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
    """Forget to clear the gradients."""
    return overfitted(P, ids, targets, clears=lambda step: False), entropy_of(ids, targets)


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
