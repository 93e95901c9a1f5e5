# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import math

import numpy as np


def count_parameters__shapes(model):
    """List the shapes and multiply."""
    d, f = model["d_model"], model["d_ff"]
    norm, attend = [(2, d)], [(4, d + 1, d)]
    forward = [(d + 1, f), (f + 1, d)]
    stacks = 2 if model["kind"] == "encoder-decoder" else 1
    shapes = [(model["vocabulary"], d), (model["positions"], d)]
    shapes += [] if model["tied"] else [(d, model["vocabulary"])]
    shapes += (attend + forward + norm * 2) * model["layers"] * stacks
    shapes += (attend + norm) * model["layers"] * (stacks - 1)
    shapes += norm * stacks * (model["place"] == "pre")
    return sum(math.prod(shape) for shape in shapes)


def count_parameters__numpy_integer(model):
    """Return an integer of numpy."""
    return np.int64(count_parameters__shapes(model))


def alibi_slopes__recursion(h):
    """Call itself for the powers of two."""
    power = 2 ** math.floor(math.log2(h))
    if power == h:
        start = 2 ** (-8 / h)
        return np.array([start**i for i in range(1, h + 1)])
    return np.append(
        alibi_slopes__recursion(power), alibi_slopes__recursion(2 * power)[0::2][: h - power]
    )


def buckets_of__one_at_a_time(distances, buckets, longest):
    """Go through the distances."""
    found, e = np.zeros(distances.shape, dtype=np.int64), buckets // 2
    for place, d in np.ndenumerate(distances):
        share = math.log(d / e, longest / e) if d >= e else 0.0
        found[place] = d if d < e else min(e + math.floor(e * share), buckets - 1)
    return found


def grouped_attention__by_group(Q, K, V):
    """Give the queries an axis of groups."""
    h, n, d = Q.shape
    scores = np.einsum("gsnd,gmd->gsnm", Q.reshape(len(K), -1, n, d), K) / math.sqrt(d)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return np.einsum("gsnm,gmv->gsnv", weights, V).reshape(h, n, -1)


def fill_gap__loops(ids, logits):
    """Add up by loops, with a stable logarithm of a sum."""
    totals = []
    for row, scores in zip(ids, logits, strict=True):
        each = [s[i] - np.logaddexp.reduce(s) for s, i in zip(scores, row[1:], strict=False)]
        totals.append(sum(each))
    return np.exp(totals - np.logaddexp.reduce(totals))


def hand_cache__decimals(given):
    """Write numbers with a point."""
    one = 4.0 * given["hand_layers"] * given["hand_width"] * given["hand_shared"]
    whole = one * given["hand_tokens"]
    more = whole * given["hand_heads"] / given["hand_shared"]
    return [round(more, 3), whole, one * given["hand_window"]]


def mended_positions__loops(mask):
    """Number the tokens of each text."""
    found = np.zeros(mask.shape, dtype=int)
    for row, tokens in enumerate(mask):
        found[row, tokens] = range(tokens.sum())
    return found


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "c", "because": given["prediction_letters"][3]}
