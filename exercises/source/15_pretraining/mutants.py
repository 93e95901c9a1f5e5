# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapter 15: TASK__MISTAKE stands in for TASK and must lose its points."""

import numpy as np

from exercises.mistakes.head_and_loss import log_softmax

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__mean_of_three": "cd",  # Take a mean over more for a smaller one.
    "prediction__same_language": "ba",  # Forget what is seen.
    "prediction__they_tell_each_other": "cb",  # Let hidden words be seen.
    "slip__product_kept": "bb",  # Keep each product.
    "slip__without_the_matrix": "cd",  # Forget the one matrix.
    "slip__speed": "dc",  # Suspect the sum.
}


def mask__others__always_the_mask(ids, chosen, fate, words, mask_id):
    """Forget the words that are drawn and those that stay."""
    return np.where(chosen, mask_id, ids), np.where(chosen, ids, -100)


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


def corrupt__numbers__counts_from_1(tokens, taken):
    """Number the sentinels from 1."""
    source, target, count = spans(tokens, taken)

    def later(words):
        return [f"<{int(w[1:-1]) + 1}>" if w.startswith("<") else w for w in words]

    return later(source), [*later(target), f"<{count + 1}>"]


def adapted__scale__no_rank(X, W, A, B, alpha):
    """Forget to divide by the rank."""
    return X @ (W + alpha * A @ B)


def adapted__scale__no_scale(X, W, A, B, alpha):
    """Forget the scale."""
    return X @ (W + A @ B)


def adapted__matrix__scales_all(X, W, A, B, alpha):
    """Scale the matrix too."""
    return alpha / A.shape[1] * (X @ (W + A @ B))


def adapted__scale__rows_for_rank(X, W, A, B, alpha):
    """Take the rows of A for the rank."""
    return X @ (W + alpha / A.shape[0] * A @ B)


def adapted__matrix__adapter_alone(X, W, A, B, alpha):
    """Forget the matrix."""
    return alpha / A.shape[1] * X @ A @ B


def divergence(p, q):
    """Return the divergence of each row."""
    return (np.exp(p) * (p - q)).sum(axis=-1)


def distill__row__changed_places(student, teacher, T):
    """Weight with the student's probabilities."""
    return T**2 * divergence(log_softmax(student / T), log_softmax(teacher / T)).mean()


def distill__temperature__no_square(student, teacher, T):
    """Forget the factor before the sum."""
    return divergence(log_softmax(teacher / T), log_softmax(student / T)).mean()


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


def distill__temperature__times_temperature(student, teacher, T):
    """Multiply where the task says divide."""
    return T**2 * divergence(log_softmax(teacher * T), log_softmax(student * T)).mean()


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


def mended_loss__as_it_was(log_p, targets):
    """Leave the bug in."""
    asked = targets >= 0
    each = np.where(
        asked, -np.take_along_axis(log_p, abs(targets)[..., None] % log_p.shape[-1], -1)[..., 0], 0
    )
    return each.mean()


def mended_loss__rows__mean_of_rows(log_p, targets):
    """Take the mean of each row first."""
    found = []
    for row, wanted in zip(log_p, targets, strict=True):
        each = [-row[i, t] for i, t in enumerate(wanted) if t >= 0]
        if each:
            found.append(np.mean(each))
    return np.mean(found) if found else 0.0


def mended_loss__edges__leaves_out_id_0(log_p, targets):
    """Take the first word of the vocabulary for a place that is not asked."""
    batch, place = np.nonzero(targets > 0)
    return -log_p[batch, place, targets[batch, place]].mean() if len(batch) else 0.0


def mended_loss__row__rows__sum(log_p, targets):
    """Add up and divide by nothing."""
    batch, place = np.nonzero(targets >= 0)
    return -log_p[batch, place, targets[batch, place]].sum()


def mended_loss__edges__nan(log_p, targets):
    """Divide by 0 where nothing is asked."""
    batch, place = np.nonzero(targets >= 0)
    with np.errstate(all="ignore"):
        return -log_p[batch, place, targets[batch, place]].sum() / np.float64(len(batch))
