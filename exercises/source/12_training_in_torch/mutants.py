# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in a loop of torch: TASK__MISTAKE stands in for TASK and loses its points."""

import torch


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


def torch_loop__cleared__every_other_step(P, batches, rate):
    """Clear the gradients in every other step."""
    return loop_of(P, batches, rate, clears=lambda step: step % 2 == 0)


def torch_loop__step__verbs__uphill(P, batches, rate):
    """Go along the gradient."""
    return loop_of(P, batches, rate, moves=lambda tensor, slope: tensor + slope)


def torch_loop__nothing_moves(P, batches, rate):
    """Compute the losses and move nothing."""
    return loop_of(P, batches, rate, moves=lambda tensor, slope: tensor)


def torch_loop__step__loss_after_the_step(P, batches, rate):
    """Note the loss behind each step."""
    losses = []
    for ids, targets in batches:
        P = loop_of(P, [(ids, targets)], rate)[0]
        losses.append(float(language_loss(P, ids, targets)))
    return P, losses


def torch_loop__verbs__stops_early(P, batches, rate):
    """Stop after thirty batches."""
    return loop_of(P, batches[:30], rate)
