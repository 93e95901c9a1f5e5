# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Mistakes in the tasks on looking inside: TASK__MISTAKE replaces TASK and must lose points."""

import numpy as np

from exercises.answers import Given

run, margin = (Given(__file__, "run", name) for name in ("run", "margin"))

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__by_heart": "aa",  # Overlook that the nouns are new and the control is low.
    "prediction__by_way_of_it": "cd",  # Take what can be read for what is used.
    "prediction__erased": "ac",  # Take a patch without an effect for a vector without the number.
    "slip__line__a_consequence": "db",  # Suspect the line that follows from the error.
    "slip__line__a_true_line": "bb",  # Suspect the line that explains the control.
    "slip__selectivity__of_the_subject": "ca",  # Subtract in the wrong row.
    "slip__selectivity__the_control": "cc",  # Take the share of the random labels itself.
    "slip__line__selectivity__the_sum": "ad",  # Add the two shares.
}


def put_in(model, ids, patch):
    """Return the margin with a patch; the names of the notebook are those of the student."""
    return margin(run(model, ids, patch)[0])


def heads_of(model, ids):
    """Return what all heads hand over at the last word."""
    return run(model, ids)[1]


def swap_effect__wrong_direction(model, ids, source, layer, head):
    """Patch the sentences of source with what the head hands over in ids."""
    patch = {(layer, head): heads_of(model, ids)[layer, head]}
    return put_in(model, source, patch) - put_in(model, source, None)


def swap_effect__other_sign(model, ids, source, layer, head):
    """Subtract the margin with the swap."""
    patch = {(layer, head): heads_of(model, source)[layer, head]}
    return put_in(model, ids, None) - put_in(model, ids, patch)


def swap_effect__not_subtracted(model, ids, source, layer, head):
    """Return the margin with the swap, not the change."""
    return put_in(model, ids, {(layer, head): heads_of(model, source)[layer, head]})


def swap_effect__beside_source(model, ids, source, layer, head):
    """Subtract the margin of the other sentences."""
    patch = {(layer, head): heads_of(model, source)[layer, head]}
    return put_in(model, ids, patch) - put_in(model, source, None)


def swap_effect__whole_layer(model, ids, source, layer, head):
    """Swap all heads of the layer."""
    heads = heads_of(model, source)
    patch = {at: output for at, output in heads.items() if at[0] == layer}
    return put_in(model, ids, patch) - put_in(model, ids, None)


def swap_effect__from_zero(model, ids, source, layer, head):
    """Count layers and heads from 0."""
    patch = {(layer - 1, head - 1): heads_of(model, source)[layer, head]}
    return put_in(model, ids, patch) - put_in(model, ids, None)


def swap_effect__the_mean(model, ids, source, layer, head):
    """Put in the mean over the other sentences."""
    patch = {(layer, head): heads_of(model, source)[layer, head].mean(axis=0)}
    return put_in(model, ids, patch) - put_in(model, ids, None)


def places_of(names):
    """Return the head that carries the number and the refuted one, in the model of this id."""
    layer = {"one": 1, "two": 2}[names["model_name"]]
    order = names["model_orders"][layer - 1].tolist()
    return [layer, order.index(1) + 1], [layer, order.index(0) + 1]


def found_heads__head__null__from_zero(names):
    """Count layers and heads from 0."""
    return [number - 1 for each in places_of(names) for number in each]


def found_heads__head__null__exchanged(names):
    """Name the refuted head first."""
    one, other = places_of(names)
    return [*other, *one]


def found_heads__null__smallest_null(names):
    """Name a head that the null does not move, which was no candidate at all."""
    one, (layer, head) = places_of(names)
    return [*one, 3 - layer, head]


def found_heads__head__another_layer(names):
    """Look for the head in the other layer."""
    (layer, head), other = places_of(names)
    return [3 - layer, head, *other]


def found_heads__null__next_head(names):
    """Read the second column in the wrong row."""
    one, (layer, head) = places_of(names)
    return [*one, layer, head % 4 + 1]


def shares(model, one, many, layer, head, put=None, into=None):
    """Return the two shares, with what may go wrong in them."""
    at = (layer, head)
    before, after = put_in(model, one, None), put_in(model, many, None)
    heads = [heads_of(model, each)[at] for each in (one, many)]
    mean = np.concatenate(heads).mean(axis=0) if put is None else put(*heads)
    left = put_in(model, many, {at: mean}).mean() - put_in(model, one, {at: mean}).mean()
    if into == "many":
        left = put_in(model, many, {at: mean}).mean() - before.mean()
    effect = after.mean() - before.mean()
    return [(put_in(model, one, {at: heads[1]}) - before).mean() / effect, 1 - left / effect]


def two_shares__needed__zeros(model, one, many, layer, head):
    """Take the head out with zeros in the place of the mean."""
    return shares(model, one, many, layer, head, put=lambda a, b: 0 * a[0])


def two_shares__needed__what_is_left(model, one, many, layer, head):
    """Return the share that is left."""
    found = shares(model, one, many, layer, head)
    return [found[0], 1 - found[1]]


def two_shares__needed__mean_of_singular(model, one, many, layer, head):
    """Take the mean over the singular sentences alone, which tells their number."""
    return shares(model, one, many, layer, head, put=lambda a, b: a.mean(axis=0))


def two_shares__needed__only_in_plural(model, one, many, layer, head):
    """Take the head out in the plural sentences alone."""
    return shares(model, one, many, layer, head, into="many")


def two_shares__needed__swapped_out(model, one, many, layer, head):
    """Swap the singular in, in the place of taking the head out."""
    at, found = (layer, head), shares(model, one, many, layer, head)
    before, after = put_in(model, one, None).mean(), put_in(model, many, None).mean()
    back = put_in(model, many, {at: heads_of(model, one)[at]}).mean()
    return [found[0], (after - back) / (after - before)]


def two_shares__enough__wrong_direction(model, one, many, layer, head):
    """Put the singular into the plural sentences."""
    at, found = (layer, head), shares(model, one, many, layer, head)
    before, after = put_in(model, one, None).mean(), put_in(model, many, None).mean()
    back = put_in(model, many, {at: heads_of(model, one)[at]}).mean()
    return [(after - back) / (after - before), found[1]]


def two_shares__enough__not_divided(model, one, many, layer, head):
    """Return the change of the margin, not its share of the effect."""
    at, found = (layer, head), shares(model, one, many, layer, head)
    change = put_in(model, one, {at: heads_of(model, many)[at]}) - put_in(model, one, None)
    return [change.mean(), found[1]]


def two_shares__enough__needed__exchanged(model, one, many, layer, head):
    """Return the share that is lost first."""
    return shares(model, one, many, layer, head)[::-1]


def part_of(vector, names, u=None, norm=2):
    """Return a vector and the term that follows from it."""
    gap = np.array(names["hand_are"]) - np.array(names["hand_is"]) if u is None else u
    return [*(float(n) for n in vector), float(np.dot(vector, gap) / norm)]


def hand_direct__vector__rows_exchanged(names):
    """Give each row of W_O the number of the other one."""
    return part_of(names["hand_h"][::-1] @ names["hand_rows"], names)


def hand_direct__vector__rows_added(names):
    """Add the rows without the output of the head."""
    return part_of(names["hand_rows"].sum(axis=0), names)


def hand_direct__vector__one_row(names):
    """Forget the second number of the output."""
    return part_of(names["hand_h"][0] * names["hand_rows"][0], names)


def hand_direct__term__is_minus_are(names):
    """Subtract the columns the other way round."""
    vector = names["hand_h"] @ names["hand_rows"]
    return part_of(vector, names, np.array(names["hand_is"]) - np.array(names["hand_are"]))


def hand_direct__term__are_alone(names):
    """Leave the column of is out."""
    return part_of(names["hand_h"] @ names["hand_rows"], names, np.array(names["hand_are"]))


def hand_direct__term__without_the_norm(names):
    """Do not divide by 2."""
    return part_of(names["hand_h"] @ names["hand_rows"], names, norm=1)


def report(values, row):
    """Return a row and the interval over some items."""
    reach = 2 * values.std(ddof=1) / np.sqrt(len(values))
    return [row, values.mean() - reach, values.mean() + reach]


def mended_report__choice__interval__broken(shares):
    """Hand the broken function in again."""
    row = shares.mean(axis=(1, 2)).argmax()
    return report(shares[row].reshape(-1), row)


def mended_report__choice__all_nouns_choose(shares):
    """Choose on all nouns, among them those that report."""
    row = shares.mean(axis=(1, 2)).argmax()
    return report(shares[row, 1::2].mean(axis=1), row)


def mended_report__choice__reported_where_chosen(shares):
    """Report on the nouns that have chosen, with the width of the others."""
    row = shares[:, 0::2].mean(axis=(1, 2)).argmax()
    _, low, high = report(shares[row, 1::2].mean(axis=1), row)
    middle, reach = shares[row, 0::2].mean(), (high - low) / 2
    return [row, middle - reach, middle + reach]


def mended_report__interval__over_sentences(shares):
    """Take the sentences for the items."""
    row = shares[:, 0::2].mean(axis=(1, 2)).argmax()
    return report(shares[row, 1::2].reshape(-1), row)


def mended_report__interval__all_nouns_counted(shares):
    """Divide by the number of all nouns."""
    row = shares[:, 0::2].mean(axis=(1, 2)).argmax()
    nouns = shares[row, 1::2].mean(axis=1)
    reach = 2 * nouns.std(ddof=1) / np.sqrt(shares.shape[1])
    return [row, nouns.mean() - reach, nouns.mean() + reach]


def mended_report__interval__no_root(shares):
    """Give the spread of the nouns, not that of their mean."""
    row = shares[:, 0::2].mean(axis=(1, 2)).argmax()
    nouns = shares[row, 1::2].mean(axis=1)
    return [row, nouns.mean() - 2 * nouns.std(ddof=1), nouns.mean() + 2 * nouns.std(ddof=1)]


def told_by(X, label, train, middle=True, sign=1):
    """Return what a probe tells of all vectors."""
    one, other = X[train & (label == 1)].mean(axis=0), X[train & (label == 0)].mean(axis=0)
    half = (one + other) / 2 if middle else 0 * one
    return (X - half) @ (one - other) * sign > 0


def probe_right__fit__compared_with_zero(X, label, group, held):
    """Compare the product with 0."""
    new = np.isin(group, held)
    return (told_by(X, label, ~new, middle=False) == label)[new].mean()


def probe_right__fit__new__the_other_way_round(X, label, group, held):
    """Subtract the means the other way round."""
    new = np.isin(group, held)
    return (told_by(X, label, ~new, sign=-1) == label)[new].mean()


def probe_right__new__on_training_nouns(X, label, group, held):
    """Score the probe on the nouns that have trained it."""
    new = np.isin(group, held)
    return (told_by(X, label, ~new) == label)[~new].mean()


def probe_right__new__on_all(X, label, group, held):
    """Score the probe on all sentences."""
    return (told_by(X, label, ~np.isin(group, held)) == label).mean()


def probe_right__new__trained_on_all(X, label, group, held):
    """Train the probe on the held-out nouns as well."""
    new = np.isin(group, held)
    return (told_by(X, label, new | ~new) == label)[new].mean()


def probe_right__new__groups_exchanged(X, label, group, held):
    """Train on what is held out, and score on the rest."""
    new = np.isin(group, held)
    return (told_by(X, label, new) == label)[~new].mean()
