# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 16: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

from exercises.mistakes.heads import attend

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__a_constant_stays": "ba",  # Take the logarithm of a sum for a sum of logarithms.
    "prediction__higher_is_steeper": "cd",  # Take a higher line for a steeper one.
    "prediction__nothing_can_be_said": "ac",  # Blame the noise.
    "slip__the_plan": "ca",  # Suspect the line that draws the conclusion.
    "slip__a_sum": "bb",  # Keep the 50.
    "slip__root_of_fifty": "bd",  # Take the root of the wrong number.
}


def parameters__model__own_head(layers, d_model, heads, kv_heads, d_ff, vocabulary):
    """Count the table of the embedding twice."""
    shared = kv_heads * d_model // heads
    inside = layers * (2 * d_model * (d_model + shared) + 2 * d_model * d_ff)
    return inside, inside + 2 * vocabulary * d_model


def parameters__shared__every_head_its_own(layers, d_model, heads, kv_heads, d_ff, vocabulary):
    """Forget that heads share keys and values."""
    inside = layers * (4 * d_model * d_model + 2 * d_model * d_ff)
    return inside, inside + vocabulary * d_model


def parameters__layers__shared__rule_of_thumb(layers, d_model, heads, kv_heads, d_ff, vocabulary):
    """Take 12 N d_model^2 for every model."""
    inside = 12 * layers * d_model**2
    return inside, inside + vocabulary * d_model


def parameters__layers__one_layer(layers, d_model, heads, kv_heads, d_ff, vocabulary):
    """Forget the number of layers."""
    shared = kv_heads * d_model // heads
    inside = 2 * d_model * (d_model + shared) + 2 * d_model * d_ff
    return inside, inside + vocabulary * d_model


def products(n, d_model, heads, kv_heads, d_ff):
    """Return the products of projections, attention and feed-forward layer."""
    width = d_model // heads
    return n * d_model * 2 * (heads + kv_heads) * width, 2 * n * n * d_model, 2 * n * d_model * d_ff


def forward_flops__feed_forward__products_only(
    n, layers, d_model, heads, kv_heads, d_ff, vocabulary
):
    """Count products and no sums."""
    return layers * sum(products(n, d_model, heads, kv_heads, d_ff)) + n * d_model * vocabulary


def forward_flops__logits__head_in_every_layer(
    n, layers, d_model, heads, kv_heads, d_ff, vocabulary
):
    """Multiply the logits by the number of layers too."""
    return (
        2 * layers * (sum(products(n, d_model, heads, kv_heads, d_ff)) + n * d_model * vocabulary)
    )


def forward_flops__attention__shared_scores(n, layers, d_model, heads, kv_heads, d_ff, vocabulary):
    """Think that a group has one matrix of scores."""
    projections, attention, inner = products(n, d_model, heads, kv_heads, d_ff)
    attention = attention * kv_heads // heads
    return 2 * (layers * (projections + attention + inner) + n * d_model * vocabulary)


def cache_bytes__start__always_full(tokens, layers, kv_heads, width, size, window):
    """Keep a full window from the first token on."""
    kept = tokens if window is None else window - 1
    return 2 * layers * kv_heads * width * kept * size


def cache_bytes__window__no_window(tokens, layers, kv_heads, width, size, window):
    """Keep all tokens, whatever the window."""
    return 2 * layers * kv_heads * width * tokens * size


def cache_bytes__whole__one_layer(tokens, layers, kv_heads, width, size, window):
    """Forget the layers."""
    kept = tokens if window is None else min(tokens, window - 1)
    return 2 * kv_heads * width * kept * size


def grouped_attention__groups__in_turn(Q, K, V):
    """Give the heads the keys 0, 1, 0, 1 in turn."""
    copies = (len(Q) // len(K), 1, 1)
    return attend(Q, np.tile(K, copies), np.tile(V, copies))


def grouped_attention__weights__root_of_all(Q, K, V):
    """Divide by the root of all columns, not of one head's."""
    group, width = len(Q) // len(K), len(Q) * Q.shape[-1]
    keys, values = np.repeat(K, group, axis=0), np.repeat(V, group, axis=0)
    return attend(Q, keys, values, np.sqrt(width))


def grouped_attention__groups__mean_of_group(Q, K, V):
    """Let a group share its queries, too."""
    group = len(Q) // len(K)
    shared = Q.reshape(len(K), group, *Q.shape[1:]).mean(axis=1)
    found = attend(shared, K, V)
    return np.repeat(found, group, axis=0)


def fit_exponent__exponent__slope(x, y, floor):
    """Forget the minus."""
    slope, level = np.polyfit(np.log(x), np.log(y - floor), 1)
    return np.exp(level), slope


def fit_exponent__floor__no_floor(x, y, floor):
    """Fit the losses as they are."""
    slope, level = np.polyfit(np.log(x), np.log(y), 1)
    return np.exp(level), -slope


def fit_exponent__scale__level(x, y, floor):
    """Return the logarithm of the scale."""
    slope, level = np.polyfit(np.log(x), np.log(y - floor), 1)
    return level, -slope


def fit_exponent__exponent__scale__two_ends(x, y, floor):
    """Draw the line through the first and the last point."""
    u, v = np.log(x), np.log(y - floor)
    slope = (v[-1] - v[0]) / (u[-1] - u[0])
    return np.exp(v[0] - slope * u[0]), -slope


def losses_of(law, sizes, tokens):
    """Return the expected losses."""
    return law["floor"] + law["a"] / sizes ** law["alpha"] + law["b"] / tokens ** law["beta"]


def mended_choice__same_tokens(law, compute, sizes):
    """Leave it as it was."""
    tokens = compute / (6 * sizes.mean())
    best = losses_of(law, sizes, tokens).argmin()
    return sizes[best], tokens


def mended_choice__tokens__without_six(law, compute, sizes):
    """Forget what a parameter and a token cost."""
    tokens = compute / sizes
    best = losses_of(law, sizes, tokens).argmin()
    return sizes[best], tokens[best]


def mended_choice__size__the_smallest(law, compute, sizes):
    """Take the model that reads most."""
    best = sizes.argmin()
    return sizes[best], compute / (6 * sizes[best])


def token_of(given):
    """Return the bytes of one token."""
    return 4 * given["hand_layers"] * given["hand_heads"] * given["hand_width"]


def hand_cache__token__keys_alone(given):
    """Forget the values."""
    token, left = token_of(given) // 2, given["hand_megabytes"] * 2**20
    return [token, left // token, 4 * left // token]


def hand_cache__fit__shared__millions(given):
    """Take a megabyte for a million bytes."""
    token, left = token_of(given), given["hand_megabytes"] * 10**6
    return [token, left // token, 4 * left // token]


def hand_cache__shared__four_heads_for_all(given):
    """Keep 4 heads in all, not a quarter of them."""
    token, left = token_of(given), given["hand_megabytes"] * 2**20
    shared = 4 * given["hand_layers"] * 4 * given["hand_width"]
    return [token, left // token, left // shared]
