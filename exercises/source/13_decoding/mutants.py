# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 13: TASK__MISTAKE stands in for TASK and must lose its points."""

from exercises.mistakes import mistakes_of, sampling, search

CATALOGUE = {
    "draw": mistakes_of(
        sampling,
        "draw",
        temperature="no_temperature temperature_multiplies temperature_of_the_probabilities",
        edges="at_least unstable past_the_end",
        pieces="best_first",
    ),
    "keep_top_k": mistakes_of(
        sampling,
        "keep_top_k",
        ties="every_tie highest_ids_on_ties quick_sort",
        divided="not_divided uniform",
        kept="changes_argument",
    ),
    "mended_top_p": mistakes_of(
        sampling,
        "top_p",
        equal="one_too_many no_rounding",
        reach="not_divided fifty_best in_the_order_of_ids",
        reach__equal="best_token_added",
    ),
    "greedy": mistakes_of(search, "greedy"),
    "beam_search": mistakes_of(
        search,
        "beam_search",
        width__finished="exhaustive",
        penalty="no_penalty mean_logarithm penalty_multiplies",
        finished__penalty="forgets_finished stops_at_the_first_end",
        finished="finished_take_no_place cut_in_each_sequence finished_pushed_out",
    ),
}

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__a_factor_cancels": "ba",  # Take a factor for a summand.
    "prediction__probabilities_divided": "cd",  # Divide probabilities.
    "prediction__order_turned": "cb",  # Think that heat turns the order around.
    "slip__row_with_the_end": "eab",  # Pick the row in which the end wins.
    "slip__mends_the_wrong_way": "dcb",  # Make the sum larger.
    "slip__greedy_changes": "daa",  # Think that greedy looks at the sum.
    "slip__sampler_does_not_care": "dac",  # Think that nobody looks at the sum.
}


def answers_of(given):
    """Return the right three."""
    a, b, x, y = (given[f"hand_{letter}"] for letter in "abxy")
    return a * x / 100, b * y / 100, b / (a + b)


def hand_tree__best__greedy_is_best(given):
    """Take greedy's sequence for the best."""
    greedy, _, top_p = answers_of(given)
    return [greedy, greedy, top_p]


def hand_tree__greedy__best__sums(given):
    """Average the probabilities of the two tokens."""
    a, b, x, y = (given[f"hand_{letter}"] for letter in "abxy")
    return [(a + x) / 20, (b + y) / 20, answers_of(given)[2]]


def hand_tree__top_p__exceeds(given):
    """Ask for more than p, so that all three tokens are kept."""
    greedy, best, _ = answers_of(given)
    return [greedy, best, given["hand_b"] / 10]


def hand_tree__top_p__uniform(given):
    """Give both kept tokens the same share."""
    greedy, best, _ = answers_of(given)
    return [greedy, best, 0.5]


def hand_tree__top_p__the_other_token(given):
    """Give the share of greedy's token."""
    greedy, best, top_p = answers_of(given)
    return [greedy, best, 1 - top_p]


def hand_tree__greedy__best_second_token(given):
    """Follow greedy's first token with the largest number of the whole table."""
    _, best, top_p = answers_of(given)
    return [given["hand_a"] * given["hand_y"] / 100, best, top_p]
