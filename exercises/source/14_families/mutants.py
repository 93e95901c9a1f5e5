# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 14: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

from exercises.mistakes.attention import given_softmax, softmax
from exercises.mistakes.head_and_loss import log_softmax
from exercises.mistakes.heads import attend

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__all_twice": "aa",  # Think of one side of each matrix.
    "prediction__tables_stay": "bc",  # Forget that a row of a table has the width of the model.
    "prediction__more_of_them": "cb",  # Count more matrices, too.
    "slip__the_table": "eca",  # Suspect the table.
    "slip__right_line_wrong_total": "dac",  # Find the line and take a norm off.
    "slip__biases": "dbd",  # Suspect biases.
}


def count(model, *, biases=1, cross=True, cross_norm=True, tables=1, last=1):
    """Count as the solution does, but for what is switched off."""
    d, wide = model["d_model"], model["d_ff"]
    attention, norm = 4 * (d * d + biases * d), 2 * d
    layer = attention + 2 * d * wide + biases * (wide + d) + 2 * norm
    end = last * norm if model["place"] == "pre" else 0
    total = (model["vocabulary"] * (1 if model["tied"] else 2) + model["positions"]) * d
    total += model["layers"] * layer + end
    if model["kind"] == "encoder-decoder":
        more = cross * attention + cross * cross_norm * norm
        total += model["layers"] * (layer + more) + end + (tables - 1) * model["vocabulary"] * d
    return total


def count_parameters__layers__no_biases(model):
    """Leave the biases out."""
    return count(model, biases=0)


def count_parameters__cross__two_equal_stacks(model):
    """Forget cross-attention."""
    return count(model, cross=False)


def count_parameters__cross__no_norm_of_cross_attention(model):
    """Forget the norm of cross-attention."""
    return count(model, cross_norm=False)


def count_parameters__tables__two_tables(model):
    """Give each side a table of its own."""
    return count(model, tables=2)


def count_parameters__last__no_last_norm(model):
    """Forget the norm at the end of a stack with norms first."""
    return count(model, last=0)


def count_parameters__tables__always_tied(model):
    """Take every head for a tied one."""
    return count(model | {"tied": True})


def alibi_slopes__from_zero(h):
    """Count heads from 0."""
    return 2.0 ** (-8 * np.arange(h) / h)


def alibi_slopes__others__the_power_above(h):
    """Take the slopes of the next power of two, and the first of them."""
    power = 2 ** int(np.ceil(np.log2(h)))
    return (2.0 ** (-8 * np.arange(1, power + 1) / power))[:h]


def alibi_slopes__others__even_ones(h):
    """Take the second, the fourth slope and so on, which are there already."""
    power = 2 ** int(np.log2(h))
    first = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    more = 2.0 ** (-4 * np.arange(1, 2 * power + 1) / power)
    return np.concatenate([first, more[1::2][: h - power]])


def alibi_slopes__others__sorted(h):
    """Put them in order."""
    power = 2 ** int(np.log2(h))
    first = 2.0 ** (-8 * np.arange(1, power + 1) / power)
    more = 2.0 ** (-4 * np.arange(1, 2 * power + 1) / power)
    return np.sort(np.concatenate([first, more[::2][: h - power]]))[::-1]


def grown(distances, exact, longest, round_):
    """Return the wider buckets."""
    far = np.maximum(distances, exact) / exact
    return exact + round_(np.log(far) / np.log(longest / exact) * exact).astype(int)


def buckets_of__wider__rounded(distances, buckets, longest):
    """Round to the nearest bucket."""
    wide = grown(distances, buckets // 2, longest, np.round)
    return np.where(distances < buckets // 2, distances, np.minimum(wide, buckets - 1))


def buckets_of__last__no_last(distances, buckets, longest):
    """Let buckets go on for ever."""
    wide = grown(distances, buckets // 2, longest, np.floor)
    return np.where(distances < buckets // 2, distances, wide)


def buckets_of__wider__linear(distances, buckets, longest):
    """Make all wide buckets equally wide."""
    exact = buckets // 2
    wide = exact + (distances - exact) * exact // (longest - exact)
    return np.where(distances < exact, distances, np.minimum(wide, buckets - 1))


def buckets_of__near__wider__one_more(distances, buckets, longest):
    """Begin the wider buckets one place too late."""
    exact = buckets // 2
    wide = 1 + grown(distances, exact, longest, np.floor)
    return np.where(distances <= exact, distances, np.minimum(wide, buckets - 1))


def repeated(Q, K, V):
    """Give each head of queries the keys and values of its group."""
    times = len(Q) // len(K)
    return np.repeat(K, times, axis=0), np.repeat(V, times, axis=0)


def grouped_attention__groups__tiled(Q, K, V):
    """Deal out keys and values in turn."""
    times = len(Q) // len(K)
    return attend(Q, np.tile(K, (times, 1, 1)), np.tile(V, (times, 1, 1)))


def grouped_attention__groups__weights__first_alone(Q, K, V):
    """Let all heads use the first keys and values."""
    return attend(Q, K[:1], V[:1])


def grouped_attention__weights__no_scale(Q, K, V):
    """Forget the scale."""
    return attend(Q, *repeated(Q, K, V), divisor=1)


def grouped_attention__large__overflows(Q, K, V):
    """Exponentiate the scores as they are."""
    K, V = repeated(Q, K, V)
    return given_softmax(Q @ K.transpose(0, 2, 1) / Q.shape[-1] ** 0.5) @ V


def grouped_attention__groups__mean_of_the_group(Q, K, V):
    """Average the queries of a group, as if it were one head."""
    times = len(Q) // len(K)
    mean = Q.reshape(len(K), times, *Q.shape[1:]).mean(axis=1)
    return np.repeat(attend(mean, K, V), times, axis=0)


def logs_of_next(ids, logits):
    """Return the logarithm of the probability of each word after the first."""
    return np.take_along_axis(log_softmax(logits)[:, :-1], ids[:, 1:, None], axis=-1)[..., 0]


def fill_gap__sentences__same_place(ids, logits):
    """Read the score of each id at its own place."""
    return softmax(np.take_along_axis(log_softmax(logits), ids[..., None], -1)[..., 0].sum(axis=1))


def fill_gap__softmax__scores_added(ids, logits):
    """Add up scores that are no probabilities."""
    said = np.take_along_axis(logits[:, :-1], ids[:, 1:, None], axis=-1)[..., 0]
    return softmax(said.sum(axis=1))


def fill_gap__long__product(ids, logits):
    """Multiply probabilities until nothing is left."""
    product = np.exp(logs_of_next(ids, logits)).prod(axis=1)
    return product / product.sum()


def fill_gap__sentences__long__mean(ids, logits):
    """Take the mean over the words, as a loss does."""
    return softmax(logs_of_next(ids, logits).mean(axis=1))


def sizes(given):
    """Return what one head and token take in all layers, and the counts of both."""
    one = 2 * 2 * given["hand_layers"] * given["hand_width"]
    heads, tokens = given["hand_heads"], given["hand_tokens"]
    return one, heads, given["hand_shared"], tokens, given["hand_window"]


def hand_cache__whole__keys_alone(given):
    """Forget the values."""
    one, h, g, n, w = sizes(given)
    return [one * h * n // 2, one * g * n // 2, one * g * w // 2]


def hand_cache__whole__one_layer(given):
    """Count one layer."""
    one, h, g, n, w = sizes(given)
    one //= given["hand_layers"]
    return [one * h * n, one * g * n, one * g * w]


def hand_cache__whole__four_bytes(given):
    """Take four bytes a number."""
    one, h, g, n, w = sizes(given)
    return [2 * one * h * n, 2 * one * g * n, 2 * one * g * w]


def hand_cache__window__window_with_all_heads(given):
    """Forget in the last line that heads are shared."""
    one, h, g, n, w = sizes(given)
    return [one * h * n, one * g * n, one * h * w]


def mended_positions__from_one(mask):
    """Count from 1."""
    return np.where(mask, np.cumsum(mask, axis=1), 0)


def mended_positions__right__from_the_first(mask):
    """Number the places after the first token, padding too."""
    return np.maximum(np.arange(mask.shape[1]) - mask.argmax(axis=1)[:, None], 0)


def mended_positions__right__padding_goes_on(mask):
    """Give padding the position of the token before it."""
    return np.maximum(np.cumsum(mask, axis=1) - 1, 0)
