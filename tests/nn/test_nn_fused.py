"""Torch's kernels in place of the formulas: the same numbers, and what the kernels are given."""

from typing import Any

import pytest
import torch
import torch.nn.functional as F

from tests.nn.models import FOUR_HEADS, IDS
from transformer_lib import nn
from transformer_lib.model import block

ACTIVATIONS = ["relu", "gelu", "gelu_tanh", "silu", "swiglu", "geglu", "geglu_tanh"]


def pair_of(**options: Any) -> list[nn.Transformer]:
    config = nn.Configuration(**FOUR_HEADS | dict(kind="decoder") | options)
    double = {"seed": 3, "dtype": torch.float64}
    return [nn.Transformer(config, attention=a, **double).eval() for a in ("explicit", "fused")]


@pytest.fixture
def kernel_calls(monkeypatch: pytest.MonkeyPatch) -> list[tuple[bool, bool]]:
    """Return, for each call, whether the kernel was given a mask and the flag of causality."""
    calls: list[tuple[bool, bool]] = []
    kernel = F.scaled_dot_product_attention

    def seen(*args: Any, attn_mask: Any = None, is_causal: bool = False, **rest: Any) -> Any:
        calls.append((attn_mask is not None, is_causal))
        return kernel(*args, attn_mask=attn_mask, is_causal=is_causal, **rest)

    monkeypatch.setattr(F, "scaled_dot_product_attention", seen)
    return calls


@pytest.mark.parametrize("activation", ACTIVATIONS)
@pytest.mark.parametrize("norm", ["layer", "rms"])
def test_norms_and_activations_are_the_same(activation: str, norm: str) -> None:
    explicit, fused = pair_of(activation=activation, norm=norm, eps=0.5)
    X = torch.randn(2, 3, 8, dtype=torch.float64, generator=torch.manual_seed(0))
    for name in ("feed_forward", "feed_forward_norm"):
        one, two = (getattr(m.decoder.layers[0], name) for m in (explicit, fused))
        torch.testing.assert_close(one(X), two(X), rtol=1e-12, atol=1e-12)


def test_torch_computes_what_fused_says_it_does(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_formula(*_: Any, **__: Any) -> Any:
        raise AssertionError("a formula was called")

    explicit, fused = pair_of(activation="gelu", place="pre")
    monkeypatch.setitem(block.ACTIVATIONS, "gelu", no_formula)
    monkeypatch.setattr(block.layer_norm_steps, "formula", no_formula)
    assert fused(IDS).shape == (2, 5, 11)
    with pytest.raises(AssertionError, match="a formula was called"):
        explicit(IDS)


def test_a_kernel_is_given_a_mask_that_is_causal_and_nothing_else(
    kernel_calls: list[tuple[bool, bool]],
) -> None:
    explicit, fused = pair_of()
    torch.testing.assert_close(fused(IDS), explicit(IDS), rtol=1e-12, atol=1e-12)
    assert kernel_calls == [(False, True)] * 2


@pytest.mark.parametrize("options", [{"window": 2}, {"position": "alibi"}, {"padding": True}])
def test_a_mask_that_hides_more_is_given_whole(
    options: dict[str, Any], kernel_calls: list[tuple[bool, bool]]
) -> None:
    mask = torch.ones(2, 5, dtype=torch.bool)
    mask[0, :2] = False
    given = {"mask": mask} if options.pop("padding", False) else {}
    explicit, fused = pair_of(**options)
    torch.testing.assert_close(fused(IDS, **given), explicit(IDS, **given), rtol=1e-12, atol=1e-12)
    assert kernel_calls == [(True, False)] * 2


@pytest.mark.parametrize(("n", "expected"), [(3, (True, False)), (4, (False, False))])
def test_with_a_cache_the_rows_before_are_seen(
    n: int, expected: tuple[bool, bool], kernel_calls: list[tuple[bool, bool]]
) -> None:
    explicit, fused = pair_of()
    _, cache = fused.extend(IDS[:, :n])
    logits, _ = fused.extend(IDS, cache=cache)
    torch.testing.assert_close(logits, explicit(IDS)[:, n:], rtol=1e-12, atol=1e-12)
    assert kernel_calls == [(False, True)] * 2 + [expected] * 2
