"""Looking inside: what is read early, what a logit is made of, and what a patch brings back."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.model import small
from tests.refusals import refusals
from transformer_lib import nn
from transformer_lib.model.block import Kernels
from transformer_lib.model.inside import patched_rows

SIZES = small.SIZES | {"layers": 3}
RMS = replace(small.GROUPED, layers=3)
LAYER = tl.Configuration(
    kind="decoder", place="pre", position="learned", tied=False, head_bias=True, **SIZES
)
POST = tl.Configuration(kind="decoder", **SIZES)
IDS, OTHER = np.array([3, 1, 4, 1, 5]), np.array([3, 9, 4, 1, 5])


def made(config: tl.Configuration) -> tuple[nn.Transformer, dict[str, np.ndarray]]:
    """A model in float64 with no entry at its first value, and its arrays."""
    model = nn.Transformer(config, seed=2, dtype=torch.float64).eval()
    with torch.no_grad():
        for value in model.parameters():
            value += 0.1 * torch.randn(value.shape, generator=torch.Generator().manual_seed(0))
    return model, {name: x.numpy() for name, x in model.state_dict().items()}


def difference(logits: Any) -> Any:
    """The logit of one token minus that of another."""
    return logits[..., 7] - logits[..., 2]


@pytest.mark.parametrize("config", [RMS, LAYER])
@pytest.mark.parametrize("row", [-1, 2])
def test_the_parts_of_a_logit_add_up(config: tl.Configuration, row: int) -> None:
    model, P = made(config)
    steps = tl.trace(P, config, np.stack([IDS, OTHER]))
    parts = tl.direct(P, config, steps, 7, 2, row=row)
    assert parts.heads.shape == (2, 3, 6) and parts.feed_forwards.shape == (2, 3)
    np.testing.assert_allclose(parts.total, difference(steps["logits"][:, row]), atol=1e-12)
    ids = torch.from_numpy(np.stack([IDS, OTHER]))
    theirs = nn.direct(model, model.trace(ids), 7, 2, row=row)
    for ours, torchs in zip(parts, theirs, strict=True):
        np.testing.assert_allclose(torchs.detach(), ours, atol=1e-12)


@pytest.mark.parametrize("config", [RMS, LAYER, POST])
def test_a_lens_ends_at_the_logits_and_reads_what_a_shorter_model_says(
    config: tl.Configuration,
) -> None:
    model, P = made(config)
    ids = torch.from_numpy(IDS)
    found = nn.lens(model, model.trace(ids)).detach()
    np.testing.assert_allclose(found, tl.lens(P, config, tl.trace(P, config, IDS)), atol=1e-12)
    assert torch.allclose(found[3], model(ids)[-1])
    del model.decoder.layers[2]
    assert torch.allclose(found[2], model(ids)[-1], atol=1e-12)


@pytest.mark.parametrize("config", [RMS, LAYER, POST])
def test_a_grid_of_patches_is_that_of_one_patch_at_a_time(config: tl.Configuration) -> None:
    model, P = made(config)
    ids, other = torch.from_numpy(IDS), torch.from_numpy(OTHER)
    found = nn.patched(model, ids, other, difference)
    assert found.shape == (3, 5)
    np.testing.assert_allclose(found, tl.patched(P, config, IDS, OTHER, difference), atol=1e-12)
    stream = model.trace(other)
    for i in range(3):
        name = f"decoder.layers.{i}.resid_post"
        for place in range(5):

            def put(X: torch.Tensor, at: int = place, of: str = name) -> torch.Tensor:
                return torch.where((torch.arange(5) == at)[:, None], stream[of], X)

            with nn.changed(model, {name: put}), torch.no_grad():
                assert torch.allclose(difference(model(ids)[-1]), found[i, place], atol=1e-12)


def test_layers_below_a_patch_are_not_computed_again() -> None:
    _, P = made(RMS)
    seen = []

    def attend(Q: Any, *rest: Any, **options: Any) -> Any:
        seen.append(Q.shape[0])
        return tl.attention_steps(Q, *rest, **options)

    list(patched_rows(P, RMS, IDS, OTHER, Kernels(attend)))
    assert seen.count(5) == 2 + 1  # batches of five positions: two layers, then one, then none


test_what_has_no_such_parts_is_refused = refusals(
    ('config must have place="pre"', lambda: tl.direct(made(POST)[1], POST, {}, 0, 1)),
    ("steps must contain decoder.layers.0", lambda: tl.lens(made(RMS)[1], RMS, {})),
    ("plus must be an id from 0 to 10, got 11", lambda: tl.direct(made(RMS)[1], RMS, {}, 11, 1)),
    (
        r"measure must return 5 numbers, got shape \(\)",
        lambda: tl.patched(made(RMS)[1], RMS, IDS, OTHER, lambda logits: logits[-1, 7]),
    ),
    ("model must not drop out: call model.eval", lambda: nn.lens(made(RMS)[0].train(), {})),
    (
        "config must be of a decoder with layers and a head, got encoder",
        lambda: tl.lens({}, tl.Configuration(kind="encoder", **SIZES), {}),
    ),
    (
        r"ids and other must both have shape \(n,\), got ids \(5,\), other \(4,\)",
        lambda: tl.patched(made(RMS)[1], RMS, IDS, OTHER[:4], difference),
    ),
)
