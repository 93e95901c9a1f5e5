# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapters 08 and 09: TASK__MISTAKE stands in for TASK and loses its points."""

import itertools
import math

import numpy as np

from exercises.mistakes import feed_forward, mistakes_of, norm

CATALOGUE = {
    "layer_norm": mistakes_of(
        norm,
        "layer_norm",
        center="no_mean",
        root="unbiased eps_outside no_eps no_root",
        gain="gain_after_bias",
        axes="second_axis changes_argument",
        center__root__axes="over_the_sequence whole_array",
    ),
    "mended_rms_norm": mistakes_of(
        norm, "rms_norm", numbers="sum_of_squares eps_outside", axes="second_axis"
    ),
    "through_layers": mistakes_of(
        norm,
        "through_layers",
        post="norm_of_the_change",
        pre="norm_on_the_path",
        none="last_norm_always in_place",
        post__pre="no_sum",
        post__none="always_pre",
        pre__none="always_post no_last_norm",
    ),
    "feed_forward": mistakes_of(
        feed_forward,
        "feed_forward",
        relu="bend_at_the_end no_first_bias no_second_bias",
        gelu="always_relu erf_without_the_root silu gelu_by_tanh",
        relu__gelu="no_bend bend_twice",
        relu__axes="transposed_weights",
    ),
}

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__ten_times_as_much": "ad",  # Forget the norm before the sub-layer.
    "prediction__a_tenth": "cc",  # Divide the change, not the row.
    "prediction__the_gain_learned_it": "ba",  # Take it for something learned.
    "slip__bias_in_the_first": "ac",  # Take the bias for what is missing.
    "slip__bias_in_the_second": "da",  # Take the bias for what is missing.
    "slip__exchanged": "cd",  # Exchange the two.
}


def one_layer__identity(layers):
    """Return the first layer."""
    return layers[0]


def one_layer__bias__last_bias(layers):
    """Keep the last bias alone."""
    W = layers[0][0]
    for next_W, _ in layers[1:]:
        W = W @ next_W
    return W, layers[-1][1]


def one_layer__bias__first_bias_once(layers):
    """Send each bias through the next layer alone."""
    W, b = layers[0]
    for (_, before), (next_W, next_b) in itertools.pairwise(layers):
        W, b = W @ next_W, before @ next_W + next_b
    return W, b


def one_layer__two_layers_only(layers):
    """Stop after the second layer."""
    (W, b), (next_W, next_b) = layers[0], layers[-1]
    return (W, b) if len(layers) == 1 else (W @ next_W, b @ next_W + next_b)


def normed_by_hand(row, given, *, divisor=2.0):
    """Norm a row of five by a deviation that is given."""
    mean = sum(row) / 5
    together = zip(row, given["hand_gain"], given["hand_bias"], strict=True)
    return [gain * (entry - mean) / divisor + bias for entry, gain, bias in together]


def hand_norm__sum__no_sum(given):
    """Norm x alone; its variance is 2."""
    return normed_by_hand(given["hand_x"], given, divisor=math.sqrt(2))


def hand_norm__sum__of_the_change(given):
    """Norm f(x) alone."""
    row = given["hand_f"]
    return normed_by_hand(row, given, divisor=float(np.std(row)))


def hand_norm__deviation__unbiased(given):
    """Divide the squares by 4."""
    return normed_by_hand(given["hand_sum"], given, divisor=math.sqrt(5))


def hand_norm__deviation__no_root(given):
    """Divide by the variance, 4."""
    return normed_by_hand(given["hand_sum"], given, divisor=4.0)


def hand_norm__gain__no_gain_and_bias(given):
    """Stop before gain and bias."""
    return [(total - 6) / 2 for total in given["hand_sum"]]


def hand_norm__gain__bias_first(given):
    """Add the bias before the gain multiplies."""
    together = zip(given["hand_sum"], given["hand_gain"], given["hand_bias"], strict=True)
    return [gain * ((total - 6) / 2 + bias) for total, gain, bias in together]


def hand_norm__sum_after_the_norm(given):
    """Norm what the sub-layer gives, then add x."""
    normed = hand_norm__sum__of_the_change(given)
    return [x + y for x, y in zip(given["hand_x"], normed, strict=True)]
