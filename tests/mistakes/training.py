"""Training and recurrent steps, right (some by torch's own code), with telling arguments."""

import numpy as np
import torch
import torch.nn.functional as F

import transformer_lib as tl
from tests.mistakes.formula import Formula, close
from transformer_lib import training

RNG = np.random.default_rng(31)
STEP = [RNG.normal(size=shape) for shape in ((2,), (3,), (3,), (2, 12), (3, 12))]
GRADIENTS = [torch.tensor([[3.0, 4.0, 0.5]]), torch.tensor([12.0, -1.0])]
FAINT = [torch.tensor([3e-4, 4e-4])]
NOTHING = [torch.zeros(2, 2), torch.zeros(3)]
ADAM = [torch.from_numpy(row.copy()) for row in RNG.normal(size=(3, 4))]
for entries in ADAM[1:]:
    entries[3] = 1e-4  # where eps shows
SECOND = torch.tensor([0.1, 0.0, 2.0, 1e-12], dtype=torch.float64)


def warm_up_rate(step, d_model, warm_up):
    return training.warm_up_rate(step, d_model=d_model, warm_up=warm_up)


def clipped(gradients, limit):
    length = sum(float(g.double().square().sum()) for g in gradients) ** 0.5
    return [g * (limit / length) if length > limit else g for g in gradients]


def adam_step(parameter, gradient, m, v, step, rate):
    own = parameter.clone().requires_grad_()
    optimizer = torch.optim.Adam([own], lr=rate, betas=(0.9, 0.98), eps=1e-9)
    before = {"step": torch.tensor(step - 1.0), "exp_avg": m.clone(), "exp_avg_sq": v.clone()}
    optimizer.state[own] = before
    own.grad = gradient.clone()
    optimizer.step()
    after = optimizer.state[own]
    return {"parameter": own.detach(), "m": after["exp_avg"], "v": after["exp_avg_sq"]}


def evaluation_drops_nothing(dropout):
    return close(dropout(torch.ones(50), 0.5, training=False), np.ones(50))


def dropout_keeps_the_mean(dropout):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        return abs(float(dropout(torch.ones(10_000), 0.5, training=True).mean()) - 1) < 0.1


def lstm_step(x, h, c, W_x, W_h):
    return tl.lstm_step(x, h, c, W_x, W_h).hidden


FORMULAS = {
    "warm_up_rate": Formula(warm_up_rate, [(step, 9, 5) for step in (1, 3, 5, 20)]),
    "clipped": Formula(
        clipped, [(GRADIENTS, 2.0), (GRADIENTS, 100.0), (FAINT, 1e-4), (NOTHING, 1.0)]
    ),
    "adam_step": Formula(adam_step, [(*ADAM, SECOND, step, 0.1) for step in (1, 7)]),
    "dropout": Formula(F.dropout, [], [evaluation_drops_nothing, dropout_keeps_the_mean]),
    "lstm_step": Formula(lstm_step, [tuple(STEP)]),
}
