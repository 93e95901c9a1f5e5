# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import math

import numpy as np


def softmax(scores):
    """Turn scores into weights."""
    odds = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return odds / odds.sum(axis=-1, keepdims=True)


def norm(X, gain, bias):
    """Norm each token."""
    spread = np.sqrt(X.var(axis=-1, keepdims=True) + 1e-5)
    return gain * (X - X.mean(axis=-1, keepdims=True)) / spread + bias


def encoder_block__loops(X, P, heads):
    """Take one sentence and one head after the other."""
    d_k = X.shape[-1] // heads
    outputs = []
    for rows in X:
        parts = []
        for i in range(heads):
            columns = slice(i * d_k, (i + 1) * d_k)
            Q, K, V = (rows @ P[name][:, columns] for name in ("W_Q", "W_K", "W_V"))
            parts.append(softmax(Q @ K.T / math.sqrt(d_k)) @ V)
        rows = norm(rows + np.concatenate(parts, axis=1) @ P["W_O"], P["gain_1"], P["bias_1"])
        change = (rows @ P["W_1"] + P["b_1"]).clip(min=0) @ P["W_2"] + P["b_2"]
        outputs.append(norm(rows + change, P["gain_2"], P["bias_2"]))
    return np.stack(outputs)


def encoder_block__einsum(X, P, heads):
    """Name the axes: batch, token, head, entry."""
    grouped = {name: P[name].reshape(X.shape[-1], heads, -1) for name in ("W_Q", "W_K", "W_V")}
    Q, K, V = (np.einsum("bnd,dhk->bnhk", X, W) for W in grouped.values())
    scores = np.einsum("bqhk,bmhk->bhqm", Q, K) * Q.shape[-1] ** -0.5
    W_O = P["W_O"].reshape(heads, -1, X.shape[-1])
    attended = np.einsum("bhqm,bmhk,hkd->bqd", softmax(scores), V, W_O)
    Y = norm(X + attended, P["gain_1"], P["bias_1"])
    hidden = np.einsum("bnd,df->bnf", Y, P["W_1"]) + P["b_1"]
    hidden = np.where(hidden > 0, hidden, 0.0)
    return norm(Y + hidden @ P["W_2"] + P["b_2"], P["gain_2"], P["bias_2"])


def mended_weights__loops(scores, ids, padding):
    """Fill in what is visible, row by row."""
    found = np.zeros_like(scores)
    for b in range(len(scores)):
        for i in range(scores.shape[1]):
            seen = [j for j in range(i + 1) if ids[b, j] != padding]
            found[b, i, seen] = softmax(scores[b, i, seen])
    return found


def mended_weights__added_mask(scores, ids, padding):
    """Add 0 and -inf, made from places that are compared."""
    places = np.arange(scores.shape[-1])
    hidden = (places[None, :] > places[:, None]) | (ids == padding)[:, None]
    return softmax(scores + np.where(hidden, -np.inf, 0.0))


def shifted__filled_lists(sentences, start, end, padding):
    """Fill lists up, and make the arrays in the end."""
    longest = max(map(len, sentences))
    inputs = [[start, *ids] + [padding] * (longest - len(ids)) for ids in sentences]
    targets = [[*ids, end] + [-100] * (longest - len(ids)) for ids in sentences]
    return np.array(inputs), np.array(targets)


def loss_and_gradients(P, ids, targets):
    """Do what the notebook's language_loss_and_gradients does."""
    n = ids.shape[1]
    X = P["E"][ids] + P["places"][:n]
    hidden = np.triu(np.full((n, n), -np.inf), k=1)
    weights = softmax(X @ P["W_QK"] @ X.mT + hidden)
    mixed = weights @ X
    H = X + mixed @ P["W_VO"]
    p = softmax(H @ P["W"])
    row, place = np.nonzero(targets >= 0)
    loss = -np.log(p[row, place, targets[row, place]]).mean()
    slope = np.zeros_like(p)
    slope[row, place] = p[row, place] / len(row)
    slope[row, place, targets[row, place]] -= 1 / len(row)
    to_H = slope @ P["W"].T
    to_mixed = to_H @ P["W_VO"].T
    to_scores = to_mixed @ X.mT
    to_scores = weights * (to_scores - (weights * to_scores).sum(-1, keepdims=True))
    to_X = to_H + weights.mT @ to_mixed
    to_X = to_X + to_scores @ (X @ P["W_QK"].T) + to_scores.mT @ (X @ P["W_QK"])
    words = np.arange(len(P["E"]))[:, None] == ids.ravel()
    found = {"E": words @ to_X.reshape(-1, to_X.shape[-1]), "places": np.zeros_like(P["places"])}
    found["places"][:n] = to_X.sum(axis=0)
    found["W_QK"] = np.einsum("bqd,bqk,bke->de", X, to_scores, X)
    found["W_VO"] = np.einsum("bnd,bne->de", mixed, to_H)
    return float(loss), found | {"W": np.einsum("bnd,bnv->dv", H, slope)}


def agreement_loop__in_place(P, batches, rate):
    """Copy first, then change the copies in place."""
    copies = {name: array.copy() for name, array in P.items()}
    losses = []
    for ids, targets in batches:
        loss, gradients = loss_and_gradients(copies, ids, targets)
        losses.append(loss)
        for name in copies:
            copies[name] -= rate * gradients[name]
    return copies, losses


def agreement_loop__in_float32(P, batches, rate):
    """Compute in float32, and sum over the sentences of a batch in another order."""
    P, losses = {name: array.astype(np.float32) for name, array in P.items()}, []
    for ids, targets in batches:
        loss, slopes = loss_and_gradients(P, np.flip(ids, 0), np.flip(targets, 0))
        losses.append(loss)
        P = {name: P[name] - np.float32(rate) * slopes[name].astype(np.float32) for name in P}
    return P, losses


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
    trained = {name: array.copy() for name, array in P.items()}
    m, v = ({name: 0 * array for name, array in P.items()} for _ in "mv")
    for t in range(1, 401):
        loss, gradients = loss_and_gradients(trained, ids, targets)
        if loss < entropy + 0.005:
            break
        for name, g in gradients.items():
            m[name] = 0.9 * m[name] + 0.1 * g
            v[name] = 0.999 * v[name] + 0.001 * g**2
            root = np.sqrt(v[name] / (1 - 0.999**t)) + 1e-8
            trained[name] -= 0.01 * m[name] / (1 - 0.9**t) / root
    return trained, np.float32(entropy)


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
