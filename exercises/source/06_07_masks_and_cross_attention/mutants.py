# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapters 06 and 07: TASK__MISTAKE stands in for TASK and must lose points."""

import numpy as np

from exercises.mistakes import attention, masks, mistakes_of

CATALOGUE = {
    "cross_attention": mistakes_of(
        attention,
        "cross_attention",
        weights__scale="keys_from_the_decoder uniform",
        scale="unscaled root_of_the_decoder divided_by_width",
    ),
    "decoder_mask": mistakes_of(
        masks,
        "decoder_mask",
        causal="hides_itself shows_the_next",
        padding__texts="padding_on_queries padding_on_both no_padding padding_is_zero",
        texts="padding_at_the_end padding_of_the_first_text",
    ),
    "masked_softmax": mistakes_of(
        masks,
        "masked_softmax",
        weights__large="after uniform",
        weights__empty__large="hidden_score_is_zero unmasked",
        empty="replaced_by_a_large_number added_large_number",
        large="after_and_shared_again unstable one_maximum",
        heads="changes_argument",
    ),
    "mended_masked_attention": mistakes_of(
        masks, "masked_attention", allowed="softmax_again lost_scale"
    ),
}

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__a_sum_has_no_order": "ab",  # Carry what holds for one layer over to two.
    "prediction__a_word_is_hidden": "cd",  # Think that the last word does not see all.
    "prediction__small_differences": "bc",  # Think of the scale.
    "slip__sums_to_one": "cad",  # Take scores for weights.
    "slip__second_key": "bba",  # Guess that the other key was taken, which gives 0.29.
    "slip__exchanged": "bcc",  # Guess that the key was reversed, which gives 0.69.
    "slip__scaled_already": "bdb",  # Guess that the score was scaled, which gives 0.63.
}


def hidden_places(given):
    """The places that the query may not see."""
    return (4, given["hand_pad"])


def shared(odds):
    """Share 1 among odds."""
    return [part / sum(odds) for part in odds]


def hand_masked__shares__after(given):
    """Set weights to 0 after the softmax."""
    weights = shared(given["hand_odds"])
    return [0 if place in hidden_places(given) else w for place, w in enumerate(weights)]


def hand_masked__future__padding__unmasked(given):
    """Hide nobody."""
    return shared(given["hand_odds"])


def hand_masked__padding__no_padding(given):
    """Forget the padding."""
    return shared([*given["hand_odds"][:4], 0])


def hand_masked__future__not_causal(given):
    """Forget the future."""
    odds = enumerate(given["hand_odds"])
    return shared([0 if place == given["hand_pad"] else part for place, part in odds])


def hand_masked__shares__hides_itself(given):
    """Let place 3 see only what stands before it."""
    odds = enumerate(given["hand_odds"])
    return shared([0 if place in (3, *hidden_places(given)) else part for place, part in odds])


def hand_masked__score_of_zero(given):
    """Give a hidden key the score 0, whose exponential is 1."""
    odds = enumerate(given["hand_odds"])
    return shared([1 if place in hidden_places(given) else part for place, part in odds])


def hand_masked__shares__uniform(given):
    """Share alike among the allowed keys."""
    return shared([0 if place in hidden_places(given) else 1 for place in range(5)])


def hand_masked__shares__no_exponential(given):
    """Divide the scores by their sum."""
    odds = enumerate(given["hand_odds"])
    return shared([0 if p in hidden_places(given) else float(np.log(part)) for p, part in odds])
