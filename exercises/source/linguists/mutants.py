# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Mistakes in the tasks for linguists: TASK__MISTAKE replaces TASK and must lose its points."""

import numpy as np

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__head_does_nothing": "ca",  # Take a head that can be missed for an idle one.
    "prediction__no_attention": "cb",  # Overlook the row without all four heads.
    "prediction__largest_weight": "bc",  # Take the attention weights for the effect.
    "slip__line__a_consequence": "db",  # Suspect the line that follows from the error.
    "slip__claim__chance": "ca",  # Take a result that a coin often has for chance.
    "slip__claim__all_sentences": "cc",  # Take the share of the items for that of a language.
    "slip__line__claim__no_such_model": "bd",  # Take one model for all models of its kind.
}


def output_of(weights, names):
    """Add the output that follows from some weights."""
    return [*weights, float(np.dot(weights, names["hand_values"]))]


def weights_of(names):
    """Return the right weights."""
    return [odds / sum(names["hand_odds"]) for odds in names["hand_odds"]]


def hand_output__weights__logarithms(names):
    """Divide the scores by their sum, without the exponentials."""
    logarithms = np.log(names["hand_odds"])
    return output_of((logarithms / logarithms.sum()).tolist(), names)


def hand_output__weights__output__not_divided(names):
    """Take the exponentials for the weights."""
    return output_of(names["hand_odds"], names)


def hand_output__weights__output__equal(names):
    """Weigh all three words alike."""
    return output_of([1 / 3] * 3, names)


def hand_output__weights__squares(names):
    """Take the exponentials of twice the scores."""
    squares = [odds**2 for odds in names["hand_odds"]]
    return output_of([each / sum(squares) for each in squares], names)


def hand_output__output__mean_of_products(names):
    """Divide the weighted sum by three once more."""
    *weights, output = output_of(weights_of(names), names)
    return [*weights, output / 3]


def hand_output__output__plain_mean(names):
    """Leave the weights out of the output."""
    return [*weights_of(names), 0.0]


def hand_output__output__largest_alone(names):
    """Take the value of the word with the largest weight."""
    place = int(np.argmax(names["hand_odds"]))
    return [*weights_of(names), names["hand_values"][place]]


def hand_output__output__no_sign(names):
    """Forget that a singular noun has a value below 0."""
    weights = weights_of(names)
    return [*weights, weights[0] + weights[2]]


def word_surprisals__single__sentence__nats(p, word):
    """Take the natural logarithm."""
    return np.array([-np.log(p[word == n]).sum() for n in range(word.max() + 1)])


def word_surprisals__single__sentence__mean(p, word):
    """Take the mean over the tokens of a word."""
    return np.array([-np.log2(p[word == n]).mean() for n in range(word.max() + 1)])


def word_surprisals__single__sentence__first_token(p, word):
    """Take the first token for the word."""
    return np.array([-np.log2(p[word == n])[0] for n in range(word.max() + 1)])


def word_surprisals__single__sentence__last_token(p, word):
    """Take the last token for the word."""
    return np.array([-np.log2(p[word == n])[-1] for n in range(word.max() + 1)])


def word_surprisals__single__sentence__sum_of_probabilities(p, word):
    """Add the probabilities before the logarithm."""
    return np.array([-np.log2(p[word == n].sum()) for n in range(word.max() + 1)])


def word_surprisals__sentence__all_tokens(p, word):
    """Give each word the surprisal of the sentence."""
    return np.array([-np.log2(p).sum() for _ in range(word.max() + 1)])


def word_surprisals__sentence__without_the_last(p, word):
    """End the loop one word too early, except for the only word."""
    return np.array([-np.log2(p[word == n]).sum() for n in range(max(1, word.max()))])


def mended_difference__broken(good, bad, shared):
    """Hand the broken function in again."""
    return bad.mean() - good.mean()


def mended_difference__means_of_the_word(good, bad, shared):
    """Leave the shared tokens out and still take means."""
    return bad[shared:].mean() - good[shared:].mean()


def mended_difference__first_token(good, bad, shared):
    """Compare the first tokens of the critical words."""
    return bad[shared] - good[shared]


def mended_difference__last_token(good, bad, shared):
    """Compare the last tokens of the sentences."""
    return bad[-1] - good[-1]


def mended_difference__wrong_sign(good, bad, shared):
    """Subtract in the other order."""
    return good.sum() - bad.sum()


def mended_difference__one_token_too_late(good, bad, shared):
    """Count the shared tokens from 1."""
    return bad[shared + 1 :].sum() - good[shared + 1 :].sum()
