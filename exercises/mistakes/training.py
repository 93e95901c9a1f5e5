# These stand in for what a student writes, without types.
# mypy: ignore-errors
"""Classic mistakes in training: rate, clipping and Adam."""

import torch


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


def length_of(gradients):
    """Return the length of all."""
    return float(torch.cat([g.reshape(-1) for g in gradients]).norm())


def clipped__identity(gradients, limit):
    """Return the gradients."""
    return list(gradients)


def clipped__each_on_its_own(gradients, limit):
    """Clip every tensor by its own length."""
    return [g * min(1.0, limit / float(g.norm())) if float(g.norm()) > 0 else g for g in gradients]


def clipped__each_number(gradients, limit):
    """Cut off every number."""
    return [g.clamp(-limit, limit) for g in gradients]


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


def dropout__at_evaluation(x, p, training):
    """Drop always."""
    return torch.nn.functional.dropout(x, p, True)


def dropout__not_rescaled(x, p, training):
    """Drop and keep the rest as it is."""
    kept = torch.nn.functional.dropout(x, p, training)
    return kept * (1 - p) if training else kept


def dropout__rescaled_at_evaluation(x, p, training):
    """Shrink at evaluation what was dropped and rescaled in training."""
    return torch.nn.functional.dropout(x, p, training) * (1 if training else 1 - p)
