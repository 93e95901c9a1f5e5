# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Typical mistakes in chapters 10 and 12: TASK__MISTAKE stands in for TASK and loses its points."""

import torch


def softmax(scores):
    """Do what the notebook's given_softmax does."""
    return torch.softmax(scores, dim=-1)


def norm(X, gain, bias):
    """Do what the notebook's given_norm does."""
    return torch.nn.functional.layer_norm(X, X.shape[-1:], gain, bias, 1e-5)


def split(rows, heads):
    """Make groups of columns."""
    batch, n, d = rows.shape
    return rows.reshape(batch, n, heads, d // heads).transpose(1, 2)


def merge(rows):
    """Put the heads side by side."""
    return rows.transpose(1, 2).flatten(2)


def scaled(Q, K):
    """Score every key for every query."""
    return Q @ K.mT / Q.shape[-1] ** 0.5


def heads_of(X, P, heads, *, split=split, merge=merge, scores=scaled, weigh=softmax):
    """Attend with all heads, before W_O."""
    Q, K, V = (split(X @ P[name], heads) for name in ("W_Q", "W_K", "W_V"))
    return merge(weigh(scores(Q, K)) @ V)


def network(Y, P):
    """Send rows through the feed-forward network."""
    return torch.relu(Y @ P["W_1"] + P["b_1"]) @ P["W_2"] + P["b_2"]


def block(X, P, heads, *, after=lambda rows, P: rows @ P["W_O"], **switches):
    """Run a post-norm block; the switches are mistakes."""
    Y = norm(X + after(heads_of(X, P, heads, **switches), P), P["gain_1"], P["bias_1"])
    return norm(Y + network(Y, P), P["gain_2"], P["bias_2"])


def encoder_block__identity(X, P, heads):
    """Return the tokens."""
    return X


def encoder_block__uniform(X, P, heads):
    """Give every token the same weight."""
    return block(X, P, heads, weigh=lambda scores: torch.full_like(scores, 1 / scores.shape[-1]))


def encoder_block__one_head(X, P, heads):
    """Ignore the number of heads."""
    return block(X, P, 1)


def encoder_block__scaled_by_the_width(X, P, heads):
    """Divide by the root of d_model."""
    return block(X, P, heads, scores=lambda Q, K: Q @ K.mT / X.shape[-1] ** 0.5)


def encoder_block__unscaled(X, P, heads):
    """Leave the scale out."""
    return block(X, P, heads, scores=lambda Q, K: Q @ K.mT)


def encoder_block__split_without_transpose(X, P, heads):
    """Reshape across tokens."""
    return block(
        X,
        P,
        heads,
        split=lambda rows, h: rows.reshape(len(rows), h, -1, rows.shape[-1] // h),
        merge=lambda rows: rows.reshape(X.shape),
    )


def encoder_block__merged_without_transpose(X, P, heads):
    """Reshape the heads without bringing them back."""
    return block(X, P, heads, merge=lambda rows: rows.reshape(X.shape))


def encoder_block__no_output_projection(X, P, heads):
    """Forget W_O."""
    return block(X, P, heads, after=lambda rows, P: rows)


def encoder_block__no_residual(X, P, heads):
    """Forget what came in."""
    Y = norm(heads_of(X, P, heads) @ P["W_O"], P["gain_1"], P["bias_1"])
    return norm(network(Y, P), P["gain_2"], P["bias_2"])


def encoder_block__residual_of_the_input(X, P, heads):
    """Add X in the second sum, too."""
    Y = norm(X + heads_of(X, P, heads) @ P["W_O"], P["gain_1"], P["bias_1"])
    return norm(X + network(Y, P), P["gain_2"], P["bias_2"])


def encoder_block__pre_norm(X, P, heads):
    """Put the norms first."""
    Y = X + heads_of(norm(X, P["gain_1"], P["bias_1"]), P, heads) @ P["W_O"]
    return Y + network(norm(Y, P["gain_2"], P["bias_2"]), P)


def encoder_block__one_norm_twice(X, P, heads):
    """Use the first gain and bias again."""
    return block(X, P | {"gain_2": P["gain_1"], "bias_2": P["bias_1"]}, heads)


def encoder_block__no_bend(X, P, heads):
    """Leave ReLU out."""
    Y = norm(X + heads_of(X, P, heads) @ P["W_O"], P["gain_1"], P["bias_1"])
    linear = (Y @ P["W_1"] + P["b_1"]) @ P["W_2"] + P["b_2"]
    return norm(Y + linear, P["gain_2"], P["bias_2"])


def encoder_block__softmax_over_queries(X, P, heads):
    """Let the weights of a key sum to 1."""
    return block(X, P, heads, weigh=lambda scores: torch.softmax(scores, dim=-2))


def counted(given, *, attention=None, network=None, norms=(2, 3), attentions=2, **model):
    """Count with one mistake."""
    d, f, N, V = (given[f"hand_{letter}"] for letter in "dfNV")
    attention = 4 * d * d + 4 * d if attention is None else attention
    network = 2 * d * f + f + d if network is None else network
    encoder = attention + network + norms[0] * 2 * d
    decoder = attentions * attention + network + norms[1] * 2 * d
    total = model.get("blocks", N) * (encoder + decoder) + model.get("matrices", 1) * V * d
    return [attention, network, encoder, decoder, total]


def hand_count__no_biases(given):
    """Leave the biases out."""
    d, f = given["hand_d"], given["hand_f"]
    return counted(given, attention=4 * d * d, network=2 * d * f)


def hand_count__times_heads(given):
    """Give every head matrices of the whole width."""
    d = given["hand_d"]
    return counted(given, attention=given["hand_h"] * (4 * d * d + 4 * d))


def hand_count__three_matrices(given):
    """Forget W_O."""
    d = given["hand_d"]
    return counted(given, attention=3 * d * d + 3 * d)


def hand_count__no_norms(given):
    """Forget the norms."""
    return counted(given, norms=(0, 0))


def hand_count__one_norm_a_block(given):
    """Count one norm in each block."""
    return counted(given, norms=(1, 1))


def hand_count__one_attention_in_the_decoder(given):
    """Forget the cross-attention."""
    return counted(given, attentions=1)


def hand_count__head_apart(given):
    """Count three matrices for the vocabulary."""
    return counted(given, matrices=3)


def hand_count__one_block(given):
    """Forget to multiply by N."""
    return counted(given, blocks=1)


def hand_count__bias_of_the_wrong_side(given):
    """Give both biases of the network the width d_model."""
    d, f = given["hand_d"], given["hand_f"]
    return counted(given, network=2 * d * f + 2 * d)


def weights(scores, visible):
    """Mask, then softmax."""
    return softmax(scores.masked_fill(~visible, -torch.inf))


def mended_weights__copied(scores, ids, padding):
    """Hand the broken function back."""
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=1)
    return weights(scores, visible & (ids != padding)[:, None, :])


def mended_weights__hides_itself(scores, ids, padding):
    """Hide the token itself, too."""
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril(diagonal=-1)
    return weights(scores, visible & (ids != padding)[:, None, :])


def mended_weights__hides_the_past(scores, ids, padding):
    """Turn the triangle around."""
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).triu()
    return weights(scores, visible & (ids != padding)[:, None, :])


def mended_weights__padding_forgotten(scores, ids, padding):
    """Leave the other mask out."""
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return weights(scores, visible.expand_as(scores))


def mended_weights__padding_of_queries(scores, ids, padding):
    """Hide the rows of padding, not its columns."""
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return weights(scores, visible & (ids != padding)[:, :, None]).nan_to_num()


def mended_weights__mask_after_softmax(scores, ids, padding):
    """Set weights to 0 after they sum to 1."""
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return softmax(scores) * (visible & (ids != padding)[:, None, :])


def mended_weights__uniform(scores, ids, padding):
    """Give everything that is visible the same weight."""
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return weights(torch.zeros_like(scores), visible & (ids != padding)[:, None, :])


def mended_weights__zero_scores(scores, ids, padding):
    """Set hidden scores to 0 instead of -inf."""
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return softmax(scores.masked_fill(~(visible & (ids != padding)[:, None, :]), 0.0))


def mended_weights__in_place(scores, ids, padding):
    """Write -inf into the scores that were given."""
    visible = torch.ones(scores.shape[-2:], dtype=torch.bool).tril()
    return softmax(scores.masked_fill_(~(visible & (ids != padding)[:, None, :]), -torch.inf))


def shift(sentences, read, said, fill_read, fill_said):
    """Fill rows up and make tensors."""
    longest = max(len(read(ids)) for ids in sentences)
    inputs = [read(ids) + [fill_read] * (longest - len(read(ids))) for ids in sentences]
    targets = [said(ids) + [fill_said] * (longest - len(said(ids))) for ids in sentences]
    return torch.tensor(inputs), torch.tensor(targets)


def shifted__not_shifted(sentences, start, end, padding):
    """Let the model say what it reads."""
    return shift(sentences, lambda ids: [start, *ids], lambda ids: [start, *ids], padding, -100)


def shifted__the_wrong_way(sentences, start, end, padding):
    """Read the later token and say the earlier one."""
    return shift(sentences, lambda ids: [*ids, end], lambda ids: [start, *ids], padding, -100)


def shifted__padding_as_target(sentences, start, end, padding):
    """Fill targets up with padding."""
    return shift(sentences, lambda ids: [start, *ids], lambda ids: [*ids, end], padding, padding)


def shifted__no_end(sentences, start, end, padding):
    """Never say the end."""
    return shift(sentences, lambda ids: [start, *ids], lambda ids: [*ids, -100], padding, -100)


def shifted__end_is_read(sentences, start, end, padding):
    """Read the end token, too, and have nothing to say there."""
    return shift(
        sentences, lambda ids: [start, *ids, end], lambda ids: [*ids, end, -100], padding, -100
    )


def shifted__filled_at_the_front(sentences, start, end, padding):
    """Put the padding first."""
    longest = max(len(ids) for ids in sentences)
    return shift(
        sentences,
        lambda ids: [padding] * (longest - len(ids)) + [start, *ids],
        lambda ids: [-100] * (longest - len(ids)) + [*ids, end],
        padding,
        -100,
    )


def shifted__exchanged(sentences, start, end, padding):
    """Return the pair in the other order."""
    found = shift(sentences, lambda ids: [start, *ids], lambda ids: [*ids, end], padding, -100)
    return found[1], found[0]


def shifted__padding_replaced(sentences, start, end, padding):
    """Fill targets with padding, and take every padding for a filler."""
    inputs, targets = shifted__padding_as_target(sentences, start, end, padding)
    return inputs, targets.masked_fill(targets == padding, -100)


def shifted__sentences_changed(sentences, start, end, padding):
    """Append the end token to the sentences that were given."""
    found = shift(sentences, lambda ids: [start, *ids], lambda ids: [*ids, end], padding, -100)
    for ids in sentences:
        ids.append(end)
    return found


def warm_up_rate__never_falls(step, d_model, warm_up):
    """Take the growth alone."""
    return d_model**-0.5 * step * warm_up**-1.5


def warm_up_rate__no_warm_up(step, d_model, warm_up):
    """Take the fall alone."""
    return (d_model * step) ** -0.5


def warm_up_rate__the_larger(step, d_model, warm_up):
    """Take the larger of the two."""
    return d_model**-0.5 * max(step**-0.5, step * warm_up**-1.5)


def warm_up_rate__no_width(step, d_model, warm_up):
    """Leave the width out."""
    return 0.5 * min(step**-0.5, step * warm_up**-1.5)


def warm_up_rate__divided_by_the_width(step, d_model, warm_up):
    """Divide by the width itself."""
    return 2 * min(step**-0.5, step * warm_up**-1.5) / d_model


def warm_up_rate__constant(step, d_model, warm_up):
    """Return the highest rate always."""
    return (d_model * warm_up) ** -0.5


def warm_up_rate__counted_from_0(step, d_model, warm_up):
    """Count the steps from 0."""
    return d_model**-0.5 * min((step + 1) ** -0.5, (step + 1) * warm_up**-1.5)


def clipped__identity(gradients, limit):
    """Return the gradients."""
    return list(gradients)


def clipped__each_on_its_own(gradients, limit):
    """Clip every tensor by its own length."""
    return [g * min(1.0, limit / float(g.norm())) if float(g.norm()) > 0 else g for g in gradients]


def clipped__each_number(gradients, limit):
    """Cut off every number."""
    return [g.clamp(-limit, limit) for g in gradients]


def length_of(gradients):
    """Return the length of all."""
    return float(torch.cat([g.reshape(-1) for g in gradients]).norm())


def clipped__always(gradients, limit):
    """Make short gradients longer."""
    return [g * limit / max(length_of(gradients), 1e-30) for g in gradients]


def clipped__no_root(gradients, limit):
    """Compare the sum of squares."""
    square = length_of(gradients) ** 2
    return [g * limit / square if square > limit else g for g in gradients]


def clipped__sum_of_lengths(gradients, limit):
    """Add the lengths of the tensors up."""
    total = sum(float(g.norm()) for g in gradients)
    return [g * limit / total if total > limit else g for g in gradients]


def clipped__in_place(gradients, limit):
    """Change what was given."""
    factor = min(1.0, limit / max(length_of(gradients), 1e-30))
    return [g.mul_(factor) for g in gradients]


def clipped__zero_by_zero(gradients, limit):
    """Divide by a length of 0."""
    length = torch.cat([g.reshape(-1) for g in gradients]).norm()
    return [g / length * torch.clamp(length, max=limit) for g in gradients]


def clipped__small_number_added(gradients, limit):
    """Add a small number to the length, as torch does."""
    return [g * min(1.0, limit / (length_of(gradients) + 1e-6)) for g in gradients]


def clipped__longest_tensor(gradients, limit):
    """Take the length of the longest tensor for that of all."""
    longest = max(float(g.norm()) for g in gradients)
    return [g * min(1.0, limit / max(longest, 1e-30)) for g in gradients]


def adam(parameter, gradient, m, v, step, rate, *, beta=(0.9, 0.98), t=None, sign=-1, inside=False):
    """Take a step with one mistake."""
    m = beta[0] * m + (1 - beta[0]) * gradient
    v = beta[1] * v + (1 - beta[1]) * gradient**2
    t = step if t is None else t
    m_hat, v_hat = m / (1 - beta[0] ** t), v / (1 - beta[1] ** t)
    below = (v_hat + 1e-9) ** 0.5 if inside else v_hat**0.5 + 1e-9
    return {"parameter": parameter + sign * rate * m_hat / below, "m": m, "v": v}


def adam_step__plain_descent(parameter, gradient, m, v, step, rate):
    """Follow the gradient alone."""
    right = adam(parameter, gradient, m, v, step, rate)
    return right | {"parameter": parameter - rate * gradient}


def adam_step__no_correction(parameter, gradient, m, v, step, rate):
    """Leave the corrections out."""
    return adam(parameter, gradient, m, v, step, rate, t=10**6)


def adam_step__uphill(parameter, gradient, m, v, step, rate):
    """Add the step."""
    return adam(parameter, gradient, m, v, step, rate, sign=1)


def adam_step__eps_inside(parameter, gradient, m, v, step, rate):
    """Put eps under the root."""
    return adam(parameter, gradient, m, v, step, rate, inside=True)


def adam_step__betas_of_torch(parameter, gradient, m, v, step, rate):
    """Use the betas that torch uses unless told otherwise."""
    return adam(parameter, gradient, m, v, step, rate, beta=(0.9, 0.999))


def adam_step__corrected_means_kept(parameter, gradient, m, v, step, rate):
    """Return the corrected means."""
    right = adam(parameter, gradient, m, v, step, rate)
    corrected = {"m": right["m"] / (1 - 0.9**step), "v": right["v"] / (1 - 0.98**step)}
    return right | corrected


def adam_step__correction_of_the_first_step(parameter, gradient, m, v, step, rate):
    """Correct as if it were always the first step."""
    return adam(parameter, gradient, m, v, step, rate, t=1)


def adam_step__old_means(parameter, gradient, m, v, step, rate):
    """Go by the gradient's size of this step alone."""
    right = adam(parameter, gradient, m, v, step, rate)
    return right | {"parameter": parameter - rate * gradient / (gradient.abs() + 1e-9)}


def adam_step__in_place(parameter, gradient, m, v, step, rate):
    """Change the parameter that was given."""
    right = adam(parameter, gradient, m, v, step, rate)
    return right | {"parameter": parameter.copy_(right["parameter"])}


def loss_of(P, ids, targets, *, total=False, padding=False):
    """Do what the notebook's given_loss does, or sum, or count padding."""
    hidden = P["E"][ids].cumsum(dim=1) / torch.arange(1, ids.shape[1] + 1)[:, None]
    log_p = torch.log_softmax(hidden @ P["W"], dim=-1)
    losses = -log_p.gather(-1, targets.clamp(min=0)[..., None])[..., 0]
    losses = losses if padding else losses[targets != -100]
    return losses.sum() if total else losses.mean()


def slopes(P, ids, targets, *, stop=False, times=1, **switches):
    """Let torch compute gradients, with one mistake."""
    copies = {name: tensor.clone().requires_grad_() for name, tensor in P.items()}
    for _ in range(times):
        loss_of(copies, ids, targets, **switches).backward()
    zero = None if stop else 0
    return {
        name: (zero if zero is None else torch.zeros_like(copy)) if copy.grad is None else copy.grad
        for name, copy in copies.items()
    }


def gradients__identity(P, ids, targets):
    """Return the parameters."""
    return {name: tensor.clone() for name, tensor in P.items()}


def gradients__zeros(P, ids, targets):
    """Forget the way back."""
    return {name: torch.zeros_like(tensor) for name, tensor in P.items()}


def gradients__of_the_sum(P, ids, targets):
    """Add the losses up."""
    return slopes(P, ids, targets, total=True)


def gradients__of_padding(P, ids, targets):
    """Count padding as token 0."""
    return slopes(P, ids, targets, padding=True)


def gradients__twice(P, ids, targets):
    """Go back twice without setting the gradients to 0."""
    return slopes(P, ids, targets, times=2)


def gradients__none(P, ids, targets):
    """Return None for what is not used."""
    return slopes(P, ids, targets, stop=True)


def gradients__downhill(P, ids, targets):
    """Turn the sign."""
    return {name: -slope for name, slope in slopes(P, ids, targets).items()}


def gradients__used_ones_only(P, ids, targets):
    """Leave out what is not used."""
    return {name: s for name, s in slopes(P, ids, targets).items() if name in ("E", "W")}


def prediction__follows_the_gradient(given):
    """Take Adam for plain descent."""
    return {"guess": "a", "because": "a"}


def prediction__clipping(given):
    """Mix Adam up with clipping."""
    return {"guess": "b", "because": "b"}


def prediction__first_step_only(given):
    """Think that only the first step is equal."""
    return {"guess": "b", "because": "c"}


def slip__one_after_the_other(given):
    """Believe the sentence."""
    return {"training": "a", "passes": "a"}


def slip__no_mask(given):
    """Forget the mask."""
    return {"training": "c", "passes": "b"}


def slip__writes_in_one_pass(given):
    """Take writing for training."""
    return {"training": "b", "passes": "d"}


def slip__training_takes_twenty(given):
    """Count passes as tokens."""
    return {"training": "b", "passes": "a"}
