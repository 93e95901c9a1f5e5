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


CHOOSE, TEST = [0, 1, 2], [3, 4, 5]


def protocol(text, asked, whole, without, random, choose=CHOOSE, test=TEST):
    """The whole protocol, where other seeds may choose or test."""
    lost = whole - without
    group = lost[:, choose].mean(axis=1).argmax()
    loss = lost[group, test].mean()
    by_chance = (whole - random[group])[:, TEST].mean(axis=1)
    counts = abs(loss - by_chance.mean()) > 5 * by_chance.std(ddof=1)
    left = [sentence for sentence in text if sentence not in asked]
    return {"text": left, "group": group, "loss": loss, "counts": counts}


def tested_group__text__left_in(text, asked, whole, without, random):
    """Train on the sentences that are asked about."""
    return protocol(text, asked, whole, without, random) | {"text": text}


def tested_group__text__the_list_is_no_string(text, asked, whole, without, random):
    """Compare a sentence with the list of both, so that nothing is removed."""
    left = [sentence for sentence in text if sentence != asked]
    return protocol(text, asked, whole, without, random) | {"text": left}


def tested_group__text__possible_one_only(text, asked, whole, without, random):
    """Remove the possible sentence and leave the impossible one."""
    left = [sentence for sentence in text if sentence != asked[0]]
    return protocol(text, asked, whole, without, random) | {"text": left}


def tested_group__text__first_occurrence(text, asked, whole, without, random):
    """Remove each of the two sentences once."""
    left = list(text)
    for sentence in asked:
        if sentence in left:
            left.remove(sentence)
    return protocol(text, asked, whole, without, random) | {"text": left}


def tested_group__text__the_same_words(text, asked, whole, without, random):
    """Remove also sentences that contain the words in another order."""
    sets = [set(sentence.split()) for sentence in asked]
    left = [sentence for sentence in text if set(sentence.split()) not in sets]
    return protocol(text, asked, whole, without, random) | {"text": left}


def tested_group__text__any_of_the_words(text, asked, whole, without, random):
    """Remove all sentences that contain one of the words."""
    words = set(" ".join(asked).split())
    left = [sentence for sentence in text if not words & set(sentence.split())]
    return protocol(text, asked, whole, without, random) | {"text": left}


def tested_group__text__each_once(text, asked, whole, without, random):
    """Take the set of the sentences, which has each of them once."""
    left = sorted(set(text) - set(asked))
    return protocol(text, asked, whole, without, random) | {"text": left}


def tested_group__text__changes_argument(text, asked, whole, without, random):
    """Remove the sentences from the list that was given."""
    for sentence in asked:
        while sentence in text:
            text.remove(sentence)
    return protocol(text, asked, whole, without, random) | {"text": text}


def tested_group__seeds__choosing_seeds_test(text, asked, whole, without, random):
    """Test the group with the seeds that chose it."""
    return protocol(text, asked, whole, without, random, test=CHOOSE)


def tested_group__seeds__all_seeds_for_both(text, asked, whole, without, random):
    """Choose and test with all six seeds."""
    every = CHOOSE + TEST
    return protocol(text, asked, whole, without, random, every, every)


def tested_group__seeds__new_seeds_choose(text, asked, whole, without, random):
    """Choose with the new seeds, too."""
    return protocol(text, asked, whole, without, random, choose=TEST)


def tested_group__seeds__control__loses_least(text, asked, whole, without, random):
    """Take the group without which the margin is largest."""
    group = without[:, CHOOSE].mean(axis=1).argmax()
    only = protocol(text, asked, whole, without[[group]], random[[group]])
    return only | {"group": group}


def tested_group__seeds__sign_turned(text, asked, whole, without, random):
    """Return by how much the margin grows."""
    loss = protocol(text, asked, whole, without, random)["loss"]
    return protocol(text, asked, whole, without, random) | {"loss": -loss}


def tested_group__seeds__largest_size(text, asked, whole, without, random):
    """Choose the largest change, whether the margin shrinks or grows."""
    group = abs(whole - without)[:, CHOOSE].mean(axis=1).argmax()
    return protocol(text, asked, whole, without, random) | {"group": group}


def tested_group__seeds__luckiest_seed(text, asked, whole, without, random):
    """Choose the group with the largest loss of a single seed."""
    group = (whole - without)[:, CHOOSE].max(axis=1).argmax()
    return protocol(text, asked, whole, without, random) | {"group": group}


def tested_group__control__none(text, asked, whole, without, random):
    """Let a group count when it loses anything."""
    counts = protocol(text, asked, whole, without, random)["loss"] > 0
    return protocol(text, asked, whole, without, random) | {"counts": counts}


def control(whole, random, group):
    """What the random groups of a group lose with the new seeds."""
    return (whole - random[group])[:, TEST].mean(axis=1)


def tested_group__control__mean_without_spread(text, asked, whole, without, random):
    """Compare with the mean of the random groups alone."""
    made = protocol(text, asked, whole, without, random)
    counts = made["loss"] > control(whole, random, made["group"]).mean()
    return made | {"counts": counts}


def tested_group__control__spread_without_mean(text, asked, whole, without, random):
    """Forget that random groups lose something, too."""
    made = protocol(text, asked, whole, without, random)
    counts = abs(made["loss"]) > 5 * control(whole, random, made["group"]).std(ddof=1)
    return made | {"counts": counts}


def tested_group__control__no_abs(text, asked, whole, without, random):
    """Let only a group count that loses more."""
    made = protocol(text, asked, whole, without, random)
    chance = control(whole, random, made["group"])
    return made | {"counts": made["loss"] - chance.mean() > 5 * chance.std(ddof=1)}


def tested_group__control__of_the_first_group(text, asked, whole, without, random):
    """Compare with the random groups of another size."""
    made = protocol(text, asked, whole, without, random)
    chance = control(whole, random, 0)
    return made | {"counts": abs(made["loss"] - chance.mean()) > 5 * chance.std(ddof=1)}


def tested_group__control__choosing_seeds(text, asked, whole, without, random):
    """Take what random groups lose with the seeds that chose."""
    made = protocol(text, asked, whole, without, random)
    chance = (whole - random[made["group"]])[:, CHOOSE].mean(axis=1)
    return made | {"counts": abs(made["loss"] - chance.mean()) > 5 * chance.std(ddof=1)}


def tested_group__control__spread_of_all_seeds(text, asked, whole, without, random):
    """Take the standard deviation before the mean over the seeds."""
    made = protocol(text, asked, whole, without, random)
    chance = (whole - random[made["group"]])[:, TEST]
    return made | {"counts": abs(made["loss"] - chance.mean()) > 5 * chance.std(ddof=1)}


def tested_group__control__margins_for_losses(text, asked, whole, without, random):
    """Compare a loss with the margins that random groups leave."""
    made = protocol(text, asked, whole, without, random)
    chance = random[made["group"]][:, TEST].mean(axis=1)
    return made | {"counts": abs(made["loss"] - chance.mean()) > 5 * chance.std(ddof=1)}


def tested_group__control__one_deviation(text, asked, whole, without, random):
    """Let a group count that is one standard deviation away."""
    made = protocol(text, asked, whole, without, random)
    chance = control(whole, random, made["group"])
    return made | {"counts": abs(made["loss"] - chance.mean()) > chance.std(ddof=1)}


def control_says__lupos__choosing_seeds(names):
    """Let the seeds that chose test, too."""
    letters = names["control_letters"]
    return {"guess": "a", "lupos": letters["lupos"][0], "servum": letters["servum"][1]}


def control_says__lupos__mean_without_spread(names):
    """Compare with the mean of the random groups alone."""
    letters = names["control_letters"]
    return {"guess": "b", "lupos": letters["lupos"][1], "servum": letters["servum"][1]}


def control_says__lupos__smaller_than_before(names):
    """Compare the loss with that of the first seeds, and not with random groups."""
    letters = names["control_letters"]
    return {"guess": "b", "lupos": letters["lupos"][2], "servum": letters["servum"][1]}


def control_says__servum__no_control(names):
    """Take each loss for an effect of the word."""
    letters = names["control_letters"]
    return {"guess": "c", "lupos": letters["lupos"][3], "servum": letters["servum"][0]}


def control_says__servum__below_the_mean(names):
    """Read much into a loss that is a little smaller than that of random groups."""
    letters = names["control_letters"]
    return {"guess": "b", "lupos": letters["lupos"][3], "servum": letters["servum"][2]}


def control_says__lupos__servum__only_the_winner(names):
    """Believe that only the group that loses most has a test."""
    letters = names["control_letters"]
    return {"guess": "b", "lupos": letters["lupos"][2], "servum": letters["servum"][3]}
