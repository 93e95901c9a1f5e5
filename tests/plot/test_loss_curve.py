import pytest

from transformer_lib.plot import loss_curve


def test_it_has_every_step_and_the_floor():
    chart = loss_curve([4.0, 2.0, 1.0, 1.0, 0.5], floor=0.25, points=3).html
    assert "loss goes from 3 to 0.5" in chart
    assert "floor stays at 0.25" in chart
    assert "from 2 to 5" in chart


def test_what_it_refuses():
    with pytest.raises(ValueError, match="losses must hold at least one step, got none"):
        loss_curve([])
    with pytest.raises(ValueError, match="points must be an integer of 1 or more"):
        loss_curve([1.0], points=0)
