# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Right answers written another way; the checks must take each of them."""

import numpy as np


def parameters__matrices(layers, d_model, heads, kv_heads, d_ff, vocabulary):
    """List the shapes and add up what they hold."""
    columns = d_model * kv_heads // heads
    widths = [d_model, d_model, columns, columns, d_ff, d_ff]
    in_layers = layers * sum(d_model * width for width in widths)
    return [in_layers, in_layers + vocabulary * d_model]


def forward_flops__per_token(n, layers, d_model, heads, kv_heads, d_ff, vocabulary):
    """Count one row: two for each weight, and two for each number of attention."""
    weights = 2 * d_model * d_model * (heads + kv_heads) // heads + 2 * d_model * d_ff
    row = 2 * layers * (weights + 2 * n * d_model) + 2 * d_model * vocabulary
    return n * row


def cache_bytes__slice(tokens, layers, kv_heads, width, size, window):
    """Let a slice say what is kept."""
    first = 0 if window is None else max(0, tokens - window + 1)
    return len(range(tokens)[first:]) * layers * 2 * kv_heads * width * size


def softmax_rows(x):
    """Return weights along the last axis."""
    powers = np.exp(x - x.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def grouped_attention__repeat(Q, K, V):
    """Copy keys and values, so that every head has its own."""
    group = Q.shape[0] // K.shape[0]
    K, V = np.repeat(K, group, axis=0), np.repeat(V, group, axis=0)
    scores = np.einsum("hnd,hmd->hnm", Q, K) / Q.shape[-1] ** 0.5
    return np.einsum("hnm,hmd->hnd", softmax_rows(scores), V)


def grouped_attention__loop(Q, K, V):
    """Compute one head after the other."""
    group, found = len(Q) // len(K), np.empty(Q.shape)
    for head, queries in enumerate(Q):
        keys, values = K[head // group], V[head // group]
        found[head] = softmax_rows(queries @ keys.T / np.sqrt(Q.shape[2])) @ values
    return found


def fit_exponent__lstsq(x, y, floor):
    """Solve the least squares with a matrix."""
    design = np.stack([np.ones(len(x)), -np.log(x)], axis=1)
    (level, exponent), *_ = np.linalg.lstsq(design, np.log(y - floor), rcond=None)
    return [float(np.exp(level)), float(exponent)]


def mended_choice__loop(law, compute, sizes):
    """Try one size after the other."""
    best = None
    for size in sizes:
        tokens = compute / 6 / size
        loss = law["a"] / size ** law["alpha"] + law["b"] / tokens ** law["beta"]
        if best is None or loss < best[0]:
            best = loss, size, tokens
    return float(best[1]), float(best[2])


def hand_cache__floats(given):
    """Write the numbers as floats without a fraction."""
    token = 4 * given["hand_layers"] * given["hand_heads"] * given["hand_width"]
    left = given["hand_megabytes"] * 2**20
    return [float(token), float(left // token), float(4 * left // token)]


def prediction__wrong_guess(given):
    """Guess wrongly and explain rightly: the guess costs nothing."""
    return {"guess": "c", "because": given["prediction_letters"][1]}
