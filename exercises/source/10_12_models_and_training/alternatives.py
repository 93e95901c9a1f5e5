# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import math

import torch


def encoder_block__loops(X, P, heads):
    """Take one sentence and one head after the other."""
    d_k = X.shape[-1] // heads
    outputs = []
    for rows in X:
        parts = []
        for i in range(heads):
            columns = slice(i * d_k, (i + 1) * d_k)
            Q, K, V = (rows @ P[name][:, columns] for name in ("W_Q", "W_K", "W_V"))
            exponentials = torch.exp(Q @ K.T / math.sqrt(d_k))
            parts.append(exponentials / exponentials.sum(dim=1, keepdim=True) @ V)
        rows = norm(rows + torch.cat(parts, dim=1) @ P["W_O"], P["gain_1"], P["bias_1"])
        change = (rows @ P["W_1"] + P["b_1"]).clamp(min=0) @ P["W_2"] + P["b_2"]
        outputs.append(norm(rows + change, P["gain_2"], P["bias_2"]))
    return torch.stack(outputs)


def norm(X, gain, bias):
    """Let torch norm each token."""
    return torch.nn.functional.layer_norm(X, X.shape[-1:], gain, bias, 1e-5)


def encoder_block__einsum(X, P, heads):
    """Name the axes: batch, token, head, entry."""
    grouped = {name: P[name].reshape(X.shape[-1], heads, -1) for name in ("W_Q", "W_K", "W_V")}
    Q, K, V = (torch.einsum("bnd,dhk->bnhk", X, W) for W in grouped.values())
    scores = torch.einsum("bqhk,bmhk->bhqm", Q, K) * Q.shape[-1] ** -0.5
    W_O = P["W_O"].reshape(heads, -1, X.shape[-1])
    attended = torch.einsum("bhqm,bmhk,hkd->bqd", scores.softmax(dim=-1), V, W_O)
    Y = norm(X + attended, P["gain_1"], P["bias_1"])
    hidden = torch.einsum("bnd,df->bnf", Y, P["W_1"]) + P["b_1"]
    hidden = torch.where(hidden > 0, hidden, 0.0)
    return norm(Y + hidden @ P["W_2"] + P["b_2"], P["gain_2"], P["bias_2"])


def mended_weights__loops(scores, ids, padding):
    """Fill in what is visible, row by row."""
    found = torch.zeros_like(scores)
    for b in range(len(scores)):
        for i in range(scores.shape[1]):
            seen = [j for j in range(i + 1) if int(ids[b, j]) != padding]
            found[b, i, seen] = torch.softmax(scores[b, i, seen], dim=0)
    return found


def mended_weights__added_mask(scores, ids, padding):
    """Add 0 and -inf, made from places that are compared."""
    places = torch.arange(scores.shape[-1])
    hidden = (places[None, :] > places[:, None]) | (ids == padding).unsqueeze(1)
    mask = torch.where(hidden, -torch.inf, 0.0).to(scores.dtype)
    return torch.exp(scores + mask - torch.logsumexp(scores + mask, dim=-1, keepdim=True))


def shifted__pad_sequence(sentences, start, end, padding):
    """Let torch fill the rows up."""
    fill = torch.nn.utils.rnn.pad_sequence
    inputs = [torch.tensor([start, *ids]) for ids in sentences]
    targets = [torch.tensor([*ids, end]) for ids in sentences]
    return fill(inputs, True, padding), fill(targets, True, -100)


def language_loss(P, ids, targets):
    """Do what the notebook's language_loss does."""
    n = ids.shape[1]
    X = P["E"][ids] + P["places"][:n]
    later = torch.full((n, n), -torch.inf).triu(diagonal=1)
    mixed = torch.softmax(X @ P["W_QK"] @ X.mT + later, dim=-1) @ X
    logits = (X + mixed @ P["W_VO"]) @ P["W"]
    return torch.nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten())


def agreement_loop__autograd_grad(P, batches, rate):
    """Ask for the gradients, and make new tensors in each step."""
    losses = []
    for ids, targets in batches:
        P = {name: tensor.detach().requires_grad_() for name, tensor in P.items()}
        loss = language_loss(P, ids, targets)
        found = torch.autograd.grad(loss, list(P.values()))
        losses.append(float(loss.detach()))
        P = {name: old - rate * g for (name, old), g in zip(P.items(), found, strict=True)}
    return {name: tensor.detach() for name, tensor in P.items()}, losses


def agreement_loop__in_float32(P, batches, rate):
    """Compute in float32, and sum over the sentences of a batch in another order."""
    P, losses = {name: tensor.float() for name, tensor in P.items()}, []
    for ids, targets in batches:
        copies = {name: tensor.clone().requires_grad_() for name, tensor in P.items()}
        loss = language_loss(copies, ids.flip(0), targets.flip(0))
        slopes = torch.autograd.grad(loss, list(copies.values()))
        losses.append(float(loss.detach()))
        P = {name: P[name] - rate * slope for name, slope in zip(P, slopes, strict=True)}
    return P, losses


def agreement_loop__optimizer(P, batches, rate):
    """Let an optimizer of torch move the parameters."""
    copies = {name: torch.nn.Parameter(tensor.clone()) for name, tensor in P.items()}
    optimizer, losses = torch.optim.SGD(list(copies.values()), lr=rate), []
    for ids, targets in batches:
        optimizer.zero_grad()
        loss = language_loss(copies, ids, targets)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return copies, losses


def overfit__adam(P, ids, targets):
    """Let Adam move the parameters until the loss is near the mean of the logarithms."""
    contexts = [
        (str(words[: i + 1]), word)
        for words, following in zip(ids.tolist(), targets.tolist(), strict=True)
        for i, word in enumerate(following)
        if word != -100
    ]
    begins = [context for context, _ in contexts]
    shares = [contexts.count(pair) / begins.count(pair[0]) for pair in contexts]
    entropy = -sum(math.log(share) for share in shares) / len(shares)
    copies = {name: torch.nn.Parameter(tensor.clone()) for name, tensor in P.items()}
    optimizer = torch.optim.Adam(list(copies.values()), lr=0.01)
    for _ in range(400):
        optimizer.zero_grad()
        loss = language_loss(copies, ids, targets)
        loss.backward()
        optimizer.step()
        if loss.item() < entropy + 0.005:
            break
    return copies, torch.tensor(entropy)


def hand_count__another_order(given):
    """Add up by kind of part instead of by block, and hand in a tuple."""
    d, f, N, V = (given[f"hand_{letter}"] for letter in "dfNV")
    attention, network, norm = 4 * d * (d + 1), f * (d + 1) + d * (f + 1), 2 * d
    model = N * (3 * attention + 2 * network + 5 * norm) + V * d
    encoder = attention + network + 2 * norm
    return attention, network, encoder, encoder + attention + norm, float(model)


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "a", "because": given["prediction_letters"][1]}
