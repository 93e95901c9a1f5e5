# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapters 10 and 12 where no function is asked for: TASK__MISTAKE loses."""

# What is picked, by the places in the source; in a prediction the guess comes first.
PICKED = {
    "prediction__follows_the_gradient": "aa",  # Take Adam for plain descent.
    "prediction__clipping": "bc",  # Mix Adam up with clipping.
    "prediction__first_step_only": "bd",  # Think that only the first step is equal.
    "slip__one_after_the_other": "aa",  # Believe the sentence.
    "slip__no_mask": "cb",  # Forget the mask.
    "slip__writes_in_one_pass": "bd",  # Take writing for training.
    "slip__training_takes_twenty": "ba",  # Count passes as tokens.
}


def counted(given, *, attention=None, network=None, norms=(2, 3), attentions=2, **model):
    """Count with one mistake."""
    d, f, N, V = (given[f"hand_{letter}"] for letter in "dfNV")
    attention = 4 * d * d + 4 * d if attention is None else attention
    network = 2 * d * f + f + d if network is None else network
    encoder = attention + network + norms[0] * 2 * d
    decoder = attentions * attention + network + norms[1] * 2 * d
    total = model.get("blocks", N) * (encoder + decoder) + model.get("matrices", 1) * V * d
    return [attention, network, encoder, decoder, total]


def hand_count__pieces__no_biases(given):
    """Leave the biases out."""
    d, f = given["hand_d"], given["hand_f"]
    return counted(given, attention=4 * d * d, network=2 * d * f)


def hand_count__pieces__times_heads(given):
    """Give every head matrices of the whole width."""
    d = given["hand_d"]
    return counted(given, attention=given["hand_h"] * (4 * d * d + 4 * d))


def hand_count__pieces__three_matrices(given):
    """Forget W_O."""
    d = given["hand_d"]
    return counted(given, attention=3 * d * d + 3 * d)


def hand_count__blocks__no_norms(given):
    """Forget the norms."""
    return counted(given, norms=(0, 0))


def hand_count__blocks__one_norm_a_block(given):
    """Count one norm in each block."""
    return counted(given, norms=(1, 1))


def hand_count__blocks__one_attention_in_the_decoder(given):
    """Forget the cross-attention."""
    return counted(given, attentions=1)


def hand_count__model__head_apart(given):
    """Count three matrices for the vocabulary."""
    return counted(given, matrices=3)


def hand_count__model__one_block(given):
    """Forget to multiply by N."""
    return counted(given, blocks=1)


def hand_count__pieces__bias_of_the_wrong_side(given):
    """Give both biases of the network the width d_model."""
    d, f = given["hand_d"], given["hand_f"]
    return counted(given, network=2 * d * f + 2 * d)


PLACES = {"padding": 0, "zero_grad": 1, "labels": 2, "rate": 3, "mask": 4}


def taken(given, **mistaken):
    """Take one run for another: what is named gets the letter of the other."""
    letters = given["spoiled_letters"]["runs"]
    return {kind: letters[PLACES[mistaken.get(kind, kind)]] for kind in PLACES}


def spoiled__labels__mask__exchanged(given):
    """Take each of the two losses near 0 for the other."""
    return taken(given, labels="mask", mask="labels")


def spoiled__zero_grad__rate__exchanged(given):
    """Take each of the two runs that break for the other."""
    return taken(given, zero_grad="rate", rate="zero_grad")


def spoiled__padding__taken_for_labels(given):
    """Believe that a loss near 0 is that of padding, too."""
    return taken(given, padding="labels")


def spoiled__mask__taken_for_padding(given):
    """Take the loss that is a little too good for that of a model that looks ahead."""
    return taken(given, mask="padding")


def chosen(given, best=1, diverges=3, reason=2):
    """Choose by the places in the source."""
    letters = given["rate_letters"]
    return [letters["runs"][best], letters["runs"][diverges], letters["reasons"][reason]]


def rate_choice__runs__exchanged(given):
    """Call the best run the one that diverges."""
    return chosen(given, best=3, diverges=1)


def rate_choice__runs__the_smallest_rate(given):
    """Take the calmest run for the best."""
    return chosen(given, best=2)


def rate_choice__runs__stands_still(given):
    """Take a run that hardly moves for one that diverges."""
    return chosen(given, diverges=2)


def rate_choice__reason__most_stable(given):
    """Take calm for good."""
    return chosen(given, reason=0)


def rate_choice__reason__smaller_is_better(given):
    """Forget that the steps are counted."""
    return chosen(given, reason=1)


def rate_choice__reason__second_loss(given):
    """Judge by one step."""
    return chosen(given, reason=3)
