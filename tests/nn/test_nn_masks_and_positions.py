"""Masks, positions and ids of whole models: what they change, and what is refused."""

from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.nn.models import FOUR_HEADS, IDS, as_numpy
from tests.refusals import refusals
from transformer_lib import nn

SOURCE = torch.tensor([[7, 1, 8], [4, 4, 10]])
both = pytest.mark.parametrize("attention", ["explicit", "fused"])


def model_of(kind: str, *, attention: str = "explicit", **switches: Any) -> nn.Transformer:
    config = nn.Configuration(kind=kind, place="pre", **FOUR_HEADS | switches)
    return nn.Transformer(config, seed=3, attention=attention, dtype=torch.float64).eval()


@both
def test_a_mask_of_floats_is_refused(attention: str, unhooked: None) -> None:
    block = model_of("encoder", attention=attention).encoder.layers[0]
    with pytest.raises(ValueError, match="mask must be boolean"):
        block(torch.zeros(2, 5, 8, dtype=torch.float64), torch.ones(5, 5))
    with pytest.raises(ValueError, match="attention must be one of"):
        model_of("encoder", attention="flash")


@pytest.mark.parametrize("position", ["sinusoidal", "learned", "rotary", "alibi", "t5", "none"])
@both
def test_padding_on_the_left_changes_nothing(position: str, attention: str) -> None:
    model = model_of("decoder", position=position, attention=attention)
    alone = model(IDS[:1])
    padded = torch.cat([torch.tensor([[7, 7]]), IDS[:1]], dim=1)
    mask = torch.tensor([[False] * 2 + [True] * 5])
    torch.testing.assert_close(model(padded, mask=mask)[:, 2:], alone, rtol=1e-10, atol=1e-10)
    first, cache = model.extend(padded[:, :4], mask=mask[:, :4])
    rest, _ = model.extend(padded, mask=mask, cache=cache)
    joined = torch.cat([first, rest], dim=1)[:, 2:]
    torch.testing.assert_close(joined, alone, rtol=1e-10, atol=1e-10)
    in_numpy = tl.forward(as_numpy(model), model.config, padded.numpy(), mask=mask.numpy())
    torch.testing.assert_close(torch.from_numpy(in_numpy)[:, 2:], alone, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("kind", ["encoder", "decoder"])
@pytest.mark.parametrize("position", ["sinusoidal", "learned", "rotary"])
def test_positions_are_those_given(kind: str, position: str) -> None:
    model = model_of(kind, position=position)
    straight = torch.arange(5).expand(2, 5)
    torch.testing.assert_close(model(IDS, positions=straight), model(IDS))
    spread = model(IDS, positions=3 * straight)
    assert (spread - model(IDS)).abs().max() > 1e-3
    in_numpy = tl.forward(
        as_numpy(model), model.config, IDS.numpy(), positions=3 * straight.numpy()
    )
    torch.testing.assert_close(torch.from_numpy(in_numpy), spread, rtol=1e-10, atol=1e-10)


test_what_positions_and_memory_refuse = refusals(
    (
        r"positions must have shape \(2, 5\), got",
        lambda: model_of("decoder")(IDS, positions=torch.arange(4)),
    ),
    (
        "positions must contain integers",
        lambda: model_of("decoder")(IDS, positions=torch.zeros(2, 5)),
    ),
    (
        "memory must be None in a model without an encoder",
        lambda: model_of("decoder").decoder(torch.zeros(2, 5, 8), torch.zeros(2, 3, 8)),
    ),
)


def test_a_decoder_may_start_with_the_padding_token() -> None:
    padding, other = (nn.Configuration(kind="decoder", padding_id=i, **FOUR_HEADS) for i in (3, 10))
    one, two = (nn.Transformer(c, seed=3)(IDS[:1]) for c in (padding, other))
    assert torch.equal(one, two)


def test_a_source_padded_on_the_left_is_read_as_without() -> None:
    model = model_of("encoder-decoder", position="rotary")
    padded = torch.cat([torch.tensor([[7, 7]]), SOURCE[:1]], dim=1)
    mask = torch.tensor([[False] * 2 + [True] * 3])
    alone = model(IDS[:1], SOURCE[:1])
    torch.testing.assert_close(model(IDS[:1], padded, source_mask=mask), alone)
    given = dict(source=padded.numpy(), source_mask=mask.numpy())
    in_numpy = tl.forward(as_numpy(model), model.config, IDS[:1].numpy(), **given)
    torch.testing.assert_close(torch.from_numpy(in_numpy), alone)


def test_masks_of_another_library_or_name_are_refused(unhooked: None) -> None:
    model = model_of("encoder-decoder")
    with pytest.raises(ValueError, match=r"^mask must have shape"):
        model(IDS, SOURCE, mask=torch.ones(4, dtype=torch.bool))
    with pytest.raises(ValueError, match=r"^source_mask must have shape"):
        model(IDS, SOURCE, source_mask=torch.ones(4, dtype=torch.bool))
    for name, ids in (("mask", IDS), ("source_mask", SOURCE)):
        with pytest.raises(ValueError, match=f"{name} is from numpy"):
            model(IDS, SOURCE, **{name: np.ones(tuple(ids.shape), dtype=bool)})


@pytest.mark.parametrize("position", ["alibi", "t5"])
def test_positions_are_refused_where_distances_count(position: str, unhooked: None) -> None:
    with pytest.raises(ValueError, match=f"positions must be None with '{position}'"):
        model_of("decoder", position=position)(IDS, positions=torch.zeros_like(IDS))
