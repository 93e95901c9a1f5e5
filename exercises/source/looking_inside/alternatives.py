# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import numpy as np

from exercises.answers import Given

run, margin = (Given(__file__, "run", name) for name in ("run", "margin"))


def swap_effect__sentence_by_sentence(model, ids, source, layer, head):
    """Swap in one sentence after the other."""
    found = []
    for i in range(len(ids)):
        _, heads = run(model, source[i : i + 1])
        plain, _ = run(model, ids[i : i + 1])
        swapped, _ = run(model, ids[i : i + 1], {(layer, head): heads[(layer, head)]})
        found.append(float(margin(swapped)[0] - margin(plain)[0]))
    return np.array(found)


def swap_effect__all_other_heads_too(model, ids, source, layer, head):
    """Change the dictionary of the outputs; heads that hand over their own change nothing."""
    logits, own = run(model, ids)
    patch = {at: output for at, output in own.items() if at[0] < layer}
    patch[layer, head] = run(model, source)[1][layer, head]
    return margin(run(model, ids, patch)[0] - logits)


def two_shares__all_at_once(model, one, many, layer, head):
    """Run both kinds of sentences in one call."""
    n, at = len(one), (layer, head)
    both = np.concatenate([one, many])
    logits, heads = run(model, both)
    before = margin(logits)
    effect = before[n:].mean() - before[:n].mean()
    swapped = np.concatenate([heads[at][n:], heads[at][n:]])
    brought = margin(run(model, both, {at: swapped})[0])[:n].mean() - before[:n].mean()
    mean = np.tile(heads[at].mean(axis=0), (2 * n, 1))
    out = margin(run(model, both, {at: mean})[0])
    return [brought / effect, (effect - out[n:].mean() + out[:n].mean()) / effect]


def two_shares__tuple(model, one, many, layer, head):
    """Return two numbers, with sums in the place of means."""
    at = (layer, head)

    def total(ids, patch=None):
        return margin(run(model, ids, patch)[0]).sum()

    a, b = run(model, one)[1][at], run(model, many)[1][at]
    effect = total(many) - total(one)
    middle = (a.mean(axis=0) + b.mean(axis=0)) / 2
    lost = effect - total(many, {at: middle}) + total(one, {at: middle})
    return (total(one, {at: b}) - total(one)) / effect, lost / effect


def mended_report__loops(shares):
    """Choose and report noun by noun."""
    heads, nouns, sentences = shares.shape
    best, row = -np.inf, 0
    for head in range(heads):
        mean = sum(shares[head, noun].sum() for noun in range(0, nouns, 2))
        if mean > best:
            best, row = mean, head
    means = np.array([shares[row, noun].sum() / sentences for noun in range(1, nouns, 2)])
    reach = 2 * np.sqrt(means.var(ddof=1) / len(means))
    return np.array([row, means.mean() - reach, means.mean() + reach])


def probe_right__sentence_by_sentence(X, label, group, held):
    """Go through the sentences in a loop."""
    kinds = {0: [], 1: []}
    for vector, kind, own in zip(X, label, group, strict=True):
        if own not in held:
            kinds[int(kind)].append(vector)
    zero, one = np.mean(kinds[0], axis=0), np.mean(kinds[1], axis=0)
    direction = one - zero
    right = []
    for vector, kind, own in zip(X, label, group, strict=True):
        if own in held:
            right.append((vector @ direction > (one @ direction + zero @ direction) / 2) == kind)
    return sum(right) / len(right)


def probe_right__nearer_mean(X, label, group, held):
    """Take the nearer of the two means, which is the same."""
    new = np.isin(group, list(held))
    far = [((X - X[~new & (label == k)].mean(axis=0)) ** 2).sum(axis=1) for k in (0, 1)]
    return np.mean((far[1] < far[0])[new] == (label[new] == 1))


def hand_direct__two_terms(names):
    """Compute the terms of are and of is, and subtract them."""
    vector = [float(n) for n in names["hand_h"] @ names["hand_rows"]]
    are, is_ = (float(np.dot(vector, names[f"hand_{word}"])) / 2 for word in ("are", "is"))
    return [*vector, are - is_]


def found_heads__floats(names):
    """Write the four numbers as floats."""
    layer = {"one": 1, "two": 2}[names["model_name"]]
    order = names["model_orders"][layer - 1].tolist()
    return [float(layer), order.index(1) + 1.0, float(layer), order.index(0) + 1.0]


def prediction__another_guess(names):
    """Guess wrong and explain rightly: the guess costs nothing."""
    return {"guess": "a", "because": names["prediction_letters"][1]}
