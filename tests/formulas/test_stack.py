"""The stacks as formulas over functions: what they pass on, and what they refuse."""

from typing import Any

import numpy as np
import pytest

import transformer_lib as tl

X = np.arange(6.0).reshape(3, 2)


def test_layers_run_in_order_and_the_norm_last() -> None:
    layers = [lambda X: X + 1, lambda X: 2 * X]
    np.testing.assert_array_equal(tl.encoder_stack(X, layers, lambda X: -X), -2 * (X + 1))
    layers = [lambda X, mask: X + 1, lambda X, mask: 2 * X]
    np.testing.assert_array_equal(tl.decoder_stack(X, layers, lambda X: -X), -2 * (X + 1))


def test_a_layer_gets_what_was_given_and_no_more() -> None:
    seen: list[Any] = []

    def layer(X: Any, **given: Any) -> Any:
        seen.append(set(given))
        return X

    tl.encoder_stack(X, [layer], bias=np.zeros((1, 3, 3)))
    tl.decoder_stack(X, [layer], memory=X, caches=["cache"])
    assert seen == [{"bias"}, {"mask", "memory", "cache"}]


def test_the_causal_mask_joins_once_and_knows_the_rows_before() -> None:
    masks: list[Any] = []

    def layer(X: Any, mask: Any) -> Any:
        masks.append(mask)
        return X

    given = np.array([True, False, True, True, True])
    tl.decoder_stack(X, [layer, layer], mask=given, n_past=2)
    expected = tl.causal_mask(3, offset=2) & given
    for mask in masks:
        np.testing.assert_array_equal(mask, expected)
    tl.decoder_stack(X, [layer])
    np.testing.assert_array_equal(masks[-1], tl.causal_mask(3))


def test_what_the_stacks_refuse(unhooked: None) -> None:
    same = [lambda X, **_: X]
    with pytest.raises(ValueError, match="mask must be boolean"):
        tl.encoder_stack(X, same, mask=np.ones((3, 3)))
    with pytest.raises(ValueError, match="mask must be boolean"):
        tl.decoder_stack(X, same, mask=np.ones((3, 3)))
    with pytest.raises(ValueError, match="caches must be one per layer, 1, got 2"):
        tl.decoder_stack(X, same, caches=[None, None])
    with pytest.raises(ValueError, match="n_past must be an integer of 0 or more, got -1"):
        tl.decoder_stack(X, same, n_past=-1)
