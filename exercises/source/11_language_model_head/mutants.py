# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 11: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

from exercises.mistakes import head_and_loss, mistakes_of

CATALOGUE = {
    "log_softmax": mistakes_of(
        head_and_loss,
        "log_softmax",
        far="of_a_softmax overflow",
        axes="one_maximum changes_argument",
    ),
    "perplexity": mistakes_of(
        head_and_loss,
        "perplexity",
        text="cross_entropy base_2 mean_of_inverses inverse_of_the_mean",
        places="mean_over_sentences product",
    ),
    "smoothed_losses": mistakes_of(
        head_and_loss,
        "smoothed_losses",
        smoothed="on_top wrong_tokens_alone share_not_divided size_of_the_check",
        plain="positive_logarithms",
    ),
    "mended_mean_loss": mistakes_of(
        head_and_loss,
        "mean_loss",
        lengths="mean_of_means",
        odd="padding_times_zero id_0_is_padding",
    ),
}

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__average_of_probabilities": "ac",  # Average probabilities.
    "prediction__smallest_probability": "cb",  # Look at the worst place alone.
    "prediction__not_enough_digits": "ca",  # Blame the computer.
    "slip__compares_tokens": "aa",  # Believe the sentence.
    "slip__compares_embeddings": "ca",  # Compare vectors.
    "slip__pair_with_equal_losses": "bb",  # Pick a pair with the same token and the same loss.
    "slip__pair_with_other_tokens": "bc",  # Pick a pair in which the tokens differ, too.
}


def counts(matrices, blocks):
    """Return what the task asks for."""
    return {"total": matrices + blocks, "share": matrices / (matrices + blocks)}


def vocabulary_parameters__never_tied(V_source, V_target, d_model, blocks, tying):
    """Ignore the tying."""
    return counts((V_source + 2 * V_target) * d_model, blocks)


def vocabulary_parameters__head_of_the_source(V_source, V_target, d_model, blocks, tying):
    """Let the head score source tokens."""
    rows = {"none": 2 * V_source + V_target, "head": V_source + V_target, "all": V_target}
    return counts(rows[tying] * d_model, blocks)


def vocabulary_parameters__share_of_the_rest(V_source, V_target, d_model, blocks, tying):
    """Divide by the blocks alone."""
    rows = {"none": V_source + 2 * V_target, "head": V_source + V_target, "all": V_target}
    matrices = rows[tying] * d_model
    return {"total": matrices + blocks, "share": matrices / blocks}


def vocabulary_parameters__matrices_alone(V_source, V_target, d_model, blocks, tying):
    """Leave the blocks out of the total."""
    rows = {"none": V_source + 2 * V_target, "head": V_source + V_target, "all": V_target}
    matrices = rows[tying] * d_model
    return {"total": matrices, "share": matrices / (matrices + blocks)}


def vocabulary_parameters__head_left_out(V_source, V_target, d_model, blocks, tying):
    """Forget that a head of its own has a matrix."""
    rows = {"none": V_source + V_target, "head": V_source + V_target, "all": V_target}
    return counts(rows[tying] * d_model, blocks)


def by_hand(mean, share, V, *, right=None):
    """Put the four numbers together."""
    return [mean, 2**mean, 1 - (V - 1) * share if right is None else right, share]


def hand_head__bits__padding_counted(given):
    """Count the padded place, too."""
    mean = (sum(given["hand_bits"]) + 1) / 4
    return by_hand(mean, given["hand_tenths"] / 10 / given["hand_V"], given["hand_V"])


def hand_head__bits__padding_in_the_mean(given):
    """Divide by four places."""
    mean = sum(given["hand_bits"]) / 4
    return by_hand(mean, given["hand_tenths"] / 10 / given["hand_V"], given["hand_V"])


def hand_head__bits__sum(given):
    """Add the bits up."""
    mean = float(sum(given["hand_bits"]))
    return by_hand(mean, given["hand_tenths"] / 10 / given["hand_V"], given["hand_V"])


def hand_head__bits__mean_of_inverses(given):
    """Average 1 / p and take its logarithm."""
    mean = float(np.log2(np.mean([2.0**bits for bits in given["hand_bits"]])))
    return by_hand(mean, given["hand_tenths"] / 10 / given["hand_V"], given["hand_V"])


def hand_head__others__spread_over_the_others(given):
    """Spread s over the wrong tokens alone."""
    share = given["hand_tenths"] / 10 / (given["hand_V"] - 1)
    return by_hand(sum(given["hand_bits"]) / 3, share, given["hand_V"])


def hand_head__others__certain(given):
    """Take certainty for the best."""
    return by_hand(sum(given["hand_bits"]) / 3, 0.0, given["hand_V"])


def hand_head__others__uniform(given):
    """Give every token the same."""
    return by_hand(sum(given["hand_bits"]) / 3, 1 / given["hand_V"], given["hand_V"])


def hand_head__right__nothing_comes_back(given):
    """Leave s / V out at the right token."""
    share = given["hand_tenths"] / 10 / given["hand_V"]
    right = 1 - given["hand_tenths"] / 10
    return by_hand(sum(given["hand_bits"]) / 3, share, given["hand_V"], right=right)
