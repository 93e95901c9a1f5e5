# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in exercise 19: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__too_small": "aa",  # Blame the model.
    "prediction__too_short": "bb",  # Hope for more of the same.
    "prediction__lower_loss": "cd",  # Believe that the loss prefers a rule.
    "slip__rule__first_noun": "cda",  # Find the pairs and name the rule of the language.
    "slip__pairs__rule__most_nouns": "bcc",  # Take the plural for the mistake.
    "slip__pairs__middle_noun": "cbb",  # Let a noun in the middle disturb.
}


def hand_choices(names, log=np.log2):
    """The entropies of the three choices, and how many nouns a sentence has."""
    weights = [np.array(names[f"hand_{symbol}"]) for symbol in "SNV"]
    shares = [w / w.sum() for w in weights]
    return [float(-(p * log(p)).sum()) for p in shares], float(shares[0] @ [1, 2, 3])


def hand_entropy__sentence__each_symbol_once(names):
    """Add the three choices."""
    choices, _ = hand_choices(names)
    return [*choices, sum(choices)]


def hand_entropy__choices__sentence__nats(names):
    """Take the natural logarithm."""
    (S, N, V), nouns = hand_choices(names, np.log)
    return [S, N, V, S + nouns * N + V]


def hand_entropy__choices__sentence__all_alike(names):
    """Take all alternatives for equally likely."""
    S, N, V = (float(np.log2(len(names[f"hand_{symbol}"]))) for symbol in "SNV")
    return [S, N, V, S + 2 * N + V]


def hand_entropy__sentence__plain_mean(names):
    """Take the mean number of nouns of three alternatives that are not equally likely."""
    (S, N, V), _ = hand_choices(names)
    return [S, N, V, S + 2 * N + V]


def entropy__single__nested__weights__twice__nats(rules, start):
    """Take the natural logarithm."""
    if start not in rules:
        return 0.0
    total = sum(w for w, _ in rules[start])
    shares = [(w / total, symbols) for w, symbols in rules[start]]
    return sum(
        p * (-np.log(p) + sum(entropy__single__nested__weights__twice__nats(rules, s) for s in own))
        for p, own in shares
    )


def entropy__weights__weights_for_probabilities(rules, start):
    """Take the weights as they are."""
    if start not in rules:
        return 0.0
    bits = 0.0
    for w, symbols in rules[start]:
        below = sum(entropy__weights__weights_for_probabilities(rules, s) for s in symbols)
        bits += w * (below - np.log2(w))
    return bits


def entropy__nested__not_times_p(rules, start):
    """Forget that what follows is only chosen where its alternative is taken."""
    if start not in rules:
        return 0.0
    total, bits = sum(w for w, _ in rules[start]), 0.0
    for w, symbols in rules[start]:
        bits -= w / total * np.log2(w / total)
        bits += sum(entropy__nested__not_times_p(rules, s) for s in symbols)
    return bits


def entropy__twice__a_set_of_symbols(rules, start):
    """Count a symbol once in an alternative."""
    if start not in rules:
        return 0.0
    total, bits = sum(w for w, _ in rules[start]), 0.0
    for w, symbols in rules[start]:
        below = sum(entropy__twice__a_set_of_symbols(rules, s) for s in set(symbols))
        bits += w / total * (-np.log2(w / total) + below)
    return bits


def entropy__nested__twice__first_rule_only(rules, start):
    """Stop at the choice of the start."""
    p = np.array([w for w, _ in rules[start]]) / sum(w for w, _ in rules[start])
    return -(p * np.log2(p)).sum()


def mended_per_token__broken(chances, words):
    """Hand the broken function in again."""
    return (-chances * np.log2(chances) / (words + 1)).sum()


def mended_per_token__no_end(chances, words):
    """Forget the end of a sentence."""
    return -(chances * np.log2(chances)).sum() / (chances * words).sum()


def mended_per_token__plain_mean(chances, words):
    """Take all sentences for equally likely when their tokens are counted."""
    return -(chances * np.log2(chances)).sum() / (words + 1).mean()
