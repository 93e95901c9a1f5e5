"""The stacks as formulas over functions: what they pass on, and what they refuse."""

from typing import Any

import numpy as np

import transformer_lib as tl
from tests.refusals import refusals

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
    tl.decoder_stack(X, [layer], window=2)
    for mask, window in zip(masks[2:], (None, 2), strict=True):
        np.testing.assert_array_equal(mask, tl.causal_mask(3, window=window))


SAME = [lambda X, **_: X]
test_what_the_stacks_refuse = refusals(
    ("mask must be boolean", lambda: tl.encoder_stack(X, SAME, mask=np.ones((3, 3)))),
    ("mask must be boolean", lambda: tl.decoder_stack(X, SAME, mask=np.ones((3, 3)))),
    (
        "caches must be 1, one per layer, got 2",
        lambda: tl.decoder_stack(X, SAME, caches=[None] * 2),
    ),
    (
        "n_past must be an integer of 0 or more, got -1",
        lambda: tl.decoder_stack(X, SAME, n_past=-1),
    ),
)
