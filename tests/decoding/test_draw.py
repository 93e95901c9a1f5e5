import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.refusals import refusals

BACKENDS = [np.asarray, torch.as_tensor]


class Fixed(np.random.Generator):
    """A generator whose every number is the one it is given."""

    def __init__(self, value):
        super().__init__(np.random.PCG64(0))
        self.value = value

    def random(self, size=None):
        return np.full(size, self.value)


@pytest.mark.parametrize("of", BACKENDS)
@pytest.mark.parametrize(
    ("number", "token"), [(0.0, 1), (0.24, 1), (0.25, 3), (0.74, 3), (0.75, 4), (1 - 2**-53, 4)]
)
def test_the_first_token_whose_cumulative_probability_exceeds_the_number(of, number, token):
    probabilities = of(np.array([0.0, 0.25, 0.0, 0.5, 0.25, 0.0]))
    assert int(tl.draw(probabilities, Fixed(number))) == token


@pytest.mark.parametrize("of", BACKENDS)
def test_a_batch_spends_one_number_a_row_in_order(of):
    rows = np.random.default_rng(0).dirichlet(np.ones(7), size=(2, 3))
    together = tl.draw(of(rows), np.random.default_rng(1))
    rng = np.random.default_rng(1)
    one_by_one = [int(tl.draw(of(row), rng)) for row in rows.reshape(6, 7)]
    assert tuple(together.shape) == (2, 3)
    assert np.asarray(together).reshape(-1).tolist() == one_by_one


def test_tensors_that_need_gradients_and_rows_that_sum_to_one_roughly():
    p = torch.tensor([0.5, 0.5], requires_grad=True)
    assert int(tl.draw(p, Fixed(0.6))) == 1
    assert int(tl.draw(np.array([0.5, 0.4995]), Fixed(1 - 2**-53))) == 1


RNG = np.random.default_rng(0)


test_bad_input = refusals(
    ("probabilities must be 0 or more", (np.array([1.5, -0.5]), RNG)),
    ("sum to 1", (np.array([0.5, 0.4]), RNG)),
    ("sum to 1", (np.zeros(0), RNG)),
    ("rng must be a numpy.random.Generator", (np.array([1.0]), np.random.RandomState(0))),
    ("rng must be a numpy.random.Generator", (np.array([1.0]), None)),
    of=lambda given: tl.draw(*given),
)
