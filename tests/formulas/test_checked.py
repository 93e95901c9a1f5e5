"""What a formula remembers of the arguments that it has checked."""

from typing import Any

import numpy as np
import pytest
import torch
from jaxtyping import Num

from transformer_lib.formulas import checks
from transformer_lib.formulas.checked import REMEMBERED, checked


def test_what_fitted_once_is_not_looked_at_again_but_values_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked, real = [], checks.real

    def listen(*args: Any, **named: Any) -> Any:
        looked.append(1)
        return real(*args, **named)

    monkeypatch.setattr(checks, "real", listen)

    @checked(step=checks.positive)
    def moved(x: Num[Any, " n"], y: Num[Any, " n"], *, step: float = 1.0) -> Any:
        return x + step * y

    for _ in range(3):
        assert moved(np.ones(3), np.ones(3)).tolist() == [2, 2, 2]
    assert len(looked) == 1
    assert moved(np.ones(3, dtype=int), np.ones(3)).dtype == np.float64
    assert moved(np.ones(3, dtype=int), np.ones(3, dtype=int)).dtype == np.float64
    with pytest.raises(ValueError, match=r"y must have shape \(3,\), got shape \(2,\)"):
        moved(np.ones(3), np.ones(2))
    with pytest.raises(ValueError, match="step must be positive"):
        moved(np.ones(3), np.ones(3), step=0)
    with pytest.raises(ValueError, match="y must be a numpy array"):
        moved(np.ones(3), [1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="one library"):
        moved(np.ones(3), torch.ones(3, dtype=torch.float64))
    for n in range(REMEMBERED + 3):
        assert moved(np.ones(n), np.ones(n)).shape == (n,)
