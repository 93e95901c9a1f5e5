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
        ties="every_tie quick_sort",
        divided="not_divided uniform",
        kept="changes_argument",
    ),
    "mended_top_p": mistakes_of(
        sampling,
        "top_p",
        equal="no_rounding",
        reach="fifty_best in_the_order_of_ids",
        reach__equal="best_token_added",
    ),
    "greedy": mistakes_of(search, "greedy"),
    "beam_search": mistakes_of(
        search,
        "beam_search",
        width__finished="exhaustive",
        penalty="no_penalty mean_logarithm",
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


def counted(given, **changed):
    """Work the three numbers out, with a mistake in one of the lengths or sizes."""
    prompt, new, layers, heads, width = (
        changed.get(name, given[f"hand_{name}"])
        for name in ("prompt", "new", "layers", "heads", "width")
    )
    rows = changed.get("rows", prompt + new - 1)
    return [sum(range(prompt, prompt + new)), rows, 2 * layers * heads * width * rows]


def hand_count__with__also_the_last(given):
    """Send the last token through, too."""
    return counted(given, rows=given["hand_prompt"] + given["hand_new"])


def hand_count__size__keys_alone(given):
    """Forget the values."""
    without, rows, size = counted(given)
    return [without, rows, size // 2]


def hand_count__size__one_head(given):
    """Forget that there are several heads."""
    return counted(given, heads=1)


def hand_count__without__as_long_at_the_end(given):
    """Count the whole text for each choice."""
    _, rows, size = counted(given)
    return [given["hand_new"] * (given["hand_prompt"] + given["hand_new"]), rows, size]


def hand_count__with__new_tokens_alone(given):
    """Forget the prompt."""
    return counted(given, rows=given["hand_new"])
