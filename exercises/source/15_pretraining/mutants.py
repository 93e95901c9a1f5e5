# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 15: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

from exercises.mistakes.head_and_loss import log_softmax

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__nothing_is_read": "ba",  # Forget what both languages share.
    "prediction__wrong_examples": "cb",  # Blame the examples.
    "prediction__shrinks": "cd",  # Take a gradient of 0 for a force.
    "slip__product_kept": "bb",  # Keep each product.
    "slip__without_the_matrix": "cd",  # Forget the one matrix.
    "slip__speed": "dc",  # Suspect the sum.
}


def mask__targets__asks_only_at_masks(ids, chosen, fate, words, mask_id):
    """Ask only where a mask stands."""
    hidden = chosen & (fate < 0.8)
    drawn = chosen & (fate >= 0.8) & (fate < 0.9)
    read = np.where(hidden, mask_id, np.where(drawn, words, ids))
    return read, np.where(hidden, ids, -100)


def mask__targets__asks_everywhere(ids, chosen, fate, words, mask_id):
    """Make every id a target."""
    drawn = chosen & (fate >= 0.8) & (fate < 0.9)
    return np.where(chosen & (fate < 0.8), mask_id, np.where(drawn, words, ids)), ids.copy()


def mask__targets__targets_after(ids, chosen, fate, words, mask_id):
    """Take the targets from what is read."""
    drawn = chosen & (fate >= 0.8) & (fate < 0.9)
    read = np.where(chosen & (fate < 0.8), mask_id, np.where(drawn, words, ids))
    return read, np.where(chosen, read, -100)


def mask__masks__changes_the_ids(ids, chosen, fate, words, mask_id):
    """Write into the argument."""
    targets = np.where(chosen, ids, -100)
    drawn = chosen & (fate >= 0.8) & (fate < 0.9)
    ids[chosen & (fate < 0.8)] = mask_id
    ids[drawn] = words[drawn]
    return ids, targets


def mask__others__draws_too_often(ids, chosen, fate, words, mask_id):
    """Let no chosen word stay."""
    read = np.where(fate < 0.8, mask_id, words)
    return np.where(chosen, read, ids), np.where(chosen, ids, -100)


def corrupt__source__target__a_sentinel_a_token(tokens, taken):
    """Put a sentinel for each token."""
    source, target, count = [], [], 0
    for token, gone in zip(tokens, taken, strict=True):
        if gone:
            source.append(f"<{count}>")
            target += [f"<{count}>", token]
            count += 1
        else:
            source.append(token)
    return source, [*target, f"<{count}>"]


def spans(tokens, taken):
    """Return source and target, without the last sentinel."""
    source, target, count = [], [], 0
    for i, token in enumerate(tokens):
        if not taken[i]:
            source.append(token)
            continue
        if i == 0 or not taken[i - 1]:
            source.append(f"<{count}>")
            target.append(f"<{count}>")
            count += 1
        target.append(token)
    return source, target, count


def corrupt__end__no_last_sentinel(tokens, taken):
    """Leave out the end of the target."""
    return spans(tokens, taken)[:2]


def corrupt__numbers__one_sentinel_for_all(tokens, taken):
    """Use the same sentinel again."""
    source, target, _ = spans(tokens, taken)
    same = [["<0>" if word.startswith("<") else word for word in side] for side in (source, target)]
    return same[0], [*same[1], "<1>"]


def corrupt__target__end__whole_target(tokens, taken):
    """Let the model write the whole text, as BART does."""
    source, _, _ = spans(tokens, taken)
    return source, list(tokens)


def adapted__scale__no_rank(X, W, A, B, alpha):
    """Forget to divide by the rank."""
    return X @ (W + alpha * A @ B)


def adapted__scale__no_scale(X, W, A, B, alpha):
    """Forget the scale."""
    return X @ (W + A @ B)


def adapted__matrix__scales_all(X, W, A, B, alpha):
    """Scale the matrix too."""
    return alpha / A.shape[1] * (X @ (W + A @ B))


def adapted__matrix__adapter_alone(X, W, A, B, alpha):
    """Forget the matrix."""
    return alpha / A.shape[1] * X @ A @ B


def divergence(p, q):
    """Return the divergence of each row."""
    return (np.exp(p) * (p - q)).sum(axis=-1)


def distill__row__changed_places(student, teacher, T):
    """Weight with the student's probabilities."""
    return T**2 * divergence(log_softmax(student / T), log_softmax(teacher / T)).mean()


def distill__temperature__soft_teacher_only(student, teacher, T):
    """Soften the teacher alone."""
    return T**2 * divergence(log_softmax(teacher / T), log_softmax(student)).mean()


def distill__row__cross_entropy(student, teacher, T):
    """Leave out the teacher's own entropy."""
    log_p, log_q = log_softmax(teacher / T), log_softmax(student / T)
    return -(T**2) * (np.exp(log_p) * log_q).sum(axis=-1).mean()


def distill__rows__sum_over_rows(student, teacher, T):
    """Add the rows up."""
    return T**2 * divergence(log_softmax(teacher / T), log_softmax(student / T)).sum()


def distill__large__not_stable(student, teacher, T):
    """Take the exponential of large numbers."""
    with np.errstate(all="ignore"):
        p, q = (np.exp(x / T) / np.exp(x / T).sum(-1, keepdims=True) for x in (teacher, student))
        return T**2 * (p * np.log(p / q)).sum(axis=-1).mean()


def hand_gap__red__wine__joint(given):
    """Take the share of all texts."""
    red, wine = given["hand_red_tea"], given["hand_wine"]
    size = given["hand_rank"] * (given["hand_rows"] + given["hand_columns"])
    return [red / 100, wine / 100, size]


def hand_gap__red__wine__other_word(given):
    """Give the probability of the other word."""
    red, wine, green = (given[f"hand_{name}"] for name in ("red_tea", "wine", "green_tea"))
    size = given["hand_rank"] * (given["hand_rows"] + given["hand_columns"])
    return [green / (red + green), red / (wine + red), size]


def hand_gap__adapter__whole_matrix(given):
    """Count the product, not its factors."""
    red, wine, green = (given[f"hand_{name}"] for name in ("red_tea", "wine", "green_tea"))
    return [red / (red + green), wine / (wine + red), given["hand_rows"] * given["hand_columns"]]


def loss_and_gradients(P, examples):
    """Do what the notebook's loss_and_gradients does."""
    language, noun, ending = np.array(examples).T
    H = np.tanh(P["language"][language] + P["noun"][noun])
    Z = np.exp(H @ P["ending"])
    D = (Z / Z.sum(axis=1, keepdims=True) - np.eye(Z.shape[1])[ending]) / len(ending)
    back = D @ P["ending"].T * (1 - H**2)
    G = {"language": np.zeros(P["language"].shape), "noun": np.zeros(P["noun"].shape)}
    np.add.at(G["language"], language, back)
    np.add.at(G["noun"], noun, back)
    return None, G | {"ending": H.T @ D}


def accuracy(P, examples):
    """Return the share of right endings."""
    language, noun, ending = np.array(examples).T
    scores = np.tanh(P["language"][language] + P["noun"][noun]) @ P["ending"]
    return (scores.argmax(axis=1) == ending).mean()


def table(P, Q, new, old):
    """Return the table of accuracies."""
    return [[accuracy(model, examples) for model in (P, Q)] for examples in (old, new)]


def descended(P, new, old, weights, steps, rate, *, keeps=0.0):
    """Return the parameters after some steps; `keeps` is the part of a gradient that stays."""
    total = {name: 0.0 for name in P}
    for _ in range(steps):
        G, K = (loss_and_gradients(P, examples)[1] for examples in (new, old))
        total = {
            name: keeps * total[name] + weights[0] * G[name] + weights[1] * K[name] for name in P
        }
        P = {name: P[name] - rate * total[name] for name in P}
    return P


def adapt__steps__gradients_add_up(P, new, old, share, steps, rate):
    """Never set the gradient back to 0."""
    Q = descended(P, new, old, (1 - share, share), steps, rate, keeps=1.0)
    return Q, table(P, Q, new, old)


def adapt__as_it_was(P, new, old, share, steps, rate):
    """Leave both bugs in."""
    Q = descended(P, new, old, (share, 1 - share), steps, rate)
    for name in P:
        P[name] += Q[name] - P[name]
    return P, table(P, P, new, old)


def adapt__steps__table__changes_the_model(P, new, old, share, steps, rate):
    """Move the arrays of the caller."""
    Q = descended(P, new, old, (1 - share, share), steps, rate)
    for name in P:
        P[name] += Q[name] - P[name]
    return P, table(P, P, new, old)


def adapt__mixed__adds_the_old(P, new, old, share, steps, rate):
    """Leave the gradient of the new examples whole."""
    Q = descended(P, new, old, (1, share), steps, rate)
    return Q, table(P, Q, new, old)


def adapt__steps__mixed__shares_exchanged(P, new, old, share, steps, rate):
    """Take the share for that of the new examples."""
    Q = descended(P, new, old, (share, 1 - share), steps, rate)
    return Q, table(P, Q, new, old)


def adapt__table__languages_exchanged(P, new, old, share, steps, rate):
    """Put the new language first."""
    Q = descended(P, new, old, (1 - share, share), steps, rate)
    return Q, table(P, Q, old, new)


def adapt__table__before_and_after_exchanged(P, new, old, share, steps, rate):
    """Put the adapted model first."""
    Q = descended(P, new, old, (1 - share, share), steps, rate)
    return Q, table(Q, P, new, old)


def adapt__table__old_rule_on_new_examples(P, new, old, share, steps, rate):
    """Measure both rows on the new examples."""
    Q = descended(P, new, old, (1 - share, share), steps, rate)
    return Q, table(P, Q, new, new)
