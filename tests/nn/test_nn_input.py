"""What a model of torch takes and refuses: attention of one's own, ids of any dtype, bad input."""

from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.nn.models import IDS, SOURCE, as_numpy, model_of
from tests.refusals import refusals
from transformer_lib import nn


class OwnAttention(torch.nn.Module):
    def __init__(self, forgetful: bool) -> None:
        super().__init__()
        self.forgetful = forgetful

    def forward(self, X: torch.Tensor, *, context: Any) -> torch.Tensor:
        K = X if self.forgetful or context.cache is None else context.cache.extend(X, X)[0]
        return X + K.mean(dim=-2, keepdim=True)


def of_own_attention(*, forgetful: bool) -> nn.Transformer:
    model = model_of("alibi").eval()
    model.decoder.layers[0].self_attention = OwnAttention(forgetful)  # type: ignore[assignment]
    return model


def test_an_attention_of_ones_own_that_extends_the_cache_decodes() -> None:
    logits, cache = of_own_attention(forgetful=False).extend(IDS[:, :2])
    assert logits.shape == (2, 2, 11) and cache.length == 2


@pytest.mark.parametrize("dtype", [torch.uint8, torch.int8, torch.int16, torch.int32, torch.uint16])
def test_ids_of_any_integer_dtype_are_ids(dtype: torch.dtype) -> None:
    model = model_of("gpt-2").eval()
    ids, where = IDS.to(dtype), IDS % 9
    found = model(ids, positions=where.to(dtype))
    torch.testing.assert_close(found, model(IDS, positions=where))
    if dtype.is_signed:  # with shapes checked, numpy's entry takes no others
        given = {"positions": where.to(dtype).numpy()}
        in_numpy = tl.forward(as_numpy(model), model.config, ids.numpy(), **given)
        np.testing.assert_allclose(in_numpy, found.detach(), rtol=1e-10, atol=1e-10)
    with pytest.raises(ValueError, match="ids must be from 0 to 10, got 2 to 11"):
        model((IDS + 1).to(dtype))


def alibi(**changes: Any) -> nn.Transformer:
    return model_of("alibi", **changes)


def after(n: int, **changes: Any) -> Any:
    """The cache of a decoder that has read so many tokens."""
    return alibi(**changes).extend(IDS[:, :n])[1]


B_1 = "decoder.layers.1.feed_forward.b_1"


test_bad_input = refusals(
    ("source must be given to an encoder-decoder", lambda: model_of("original")(IDS)),
    ("source is for an encoder-decoder.* 'decoder'", lambda: alibi()(IDS, SOURCE)),
    ("ids must be from 0 to 10, got 2 to 11", lambda: alibi()(IDS + 1)),
    ("ids must contain integers", lambda: alibi()(IDS.double())),
    ("ids must have at least 1 axes", lambda: alibi()(torch.tensor(3))),
    (
        r"ids must be at most max_length = 9 tokens long.* got 10",
        lambda: model_of("gpt-2")(IDS.repeat(1, 2)),
    ),
    ("ids must be a numpy array or a torch tensor, got list", lambda: alibi()([3])),
    ("ids must continue where the cache ends, at 5", lambda: alibi().extend(IDS, cache=after(5))),
    ("arrays must all come from one library, but ids is from numpy", lambda: alibi()(IDS.numpy())),
    (
        "one library, but ids is from torch, tokens is from numpy",
        lambda: tl.forward(as_numpy(alibi()), alibi().config, IDS),
    ),
    (
        r"cache must have \(d_model, h_kv, d_k\) = \(8, 2, 4\), got \(8, 4, 2\)",
        lambda: alibi().extend(IDS, cache=after(2, heads=4)),
    ),
    (
        r"cache must have 2 rows in each layer, .* got \[0, 2\]",
        lambda: of_own_attention(forgetful=True).extend(IDS[:, :2]),
    ),
    ("config must be a Configuration, got dict", lambda: nn.Transformer({"kind": "decoder"})),
    (
        "dtype must be one of torch's floats or None, got 'float16'",
        lambda: nn.Transformer(alibi().config, dtype="float16"),
    ),
    (
        "dtype must be one of torch's floats or None, got torch.int64",
        lambda: nn.Norm(alibi().config, dtype=torch.int64),
    ),
    ("config must be a Configuration, got list", lambda: nn.Norm(["rms"])),
    ("config must be a Configuration, got str", lambda: nn.Embedding("gpt-2")),
    ("cache is for a model with a decoder", lambda: model_of("bert").extend(IDS, cache=after(5))),
    (
        "cache must have one entry per layer, 3, got 2",
        lambda: alibi(layers=3).extend(IDS, cache=after(2)),
    ),
    (
        r"cache was filled by sequences of shape \(2,\), but ids has sequences of shape \(1,\)",
        lambda: alibi().extend(IDS[:1], cache=after(2)),
    ),
    ("config must be of a model with a decoder", lambda: model_of("bert").next_logits()),
    (
        "parameters must contain 'embedding.tokens' of shape",
        lambda: tl.forward({}, alibi().config, IDS.numpy()),
    ),
    (
        rf"parameters\['{B_1}'\] must be \(12,\)",
        lambda: tl.forward(as_numpy(alibi()) | {B_1: np.ones(3)}, alibi().config, IDS.numpy()),
    ),
    (
        "seed must be an integer or a torch.Generator",
        lambda: nn.Transformer(alibi().config, seed=0.5),
    ),
)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16])
def test_rows_of_another_dtype_are_refused_in_words(dtype: torch.dtype) -> None:
    model = model_of("original").eval()
    ours = next(model.parameters()).dtype
    X = torch.zeros(2, 3, model.config.d_model, dtype=ours)
    other = X.to(torch.float32 if dtype == ours else dtype)
    layer = model.decoder.layers[0]
    for part in (model.encoder, layer, layer.self_attention):
        with pytest.raises(ValueError, match=r"X must be torch\.float.. as the parameters, got"):
            part(other)
    with pytest.raises(ValueError, match=r"memory must be torch\.float.. as the parameters, got"):
        model.decoder(X, other)
    with torch.autocast("cpu"):
        assert model.float().encoder(X.float().bfloat16()).shape == X.shape


@pytest.mark.parametrize("h_kv", [1, 2, 4])
def test_no_ids_give_no_logits_whatever_is_shared(h_kv: int) -> None:
    model = model_of("gpt-2", heads=4, key_value_heads=h_kv)
    none = torch.zeros(2, 0, dtype=torch.int64)
    assert model(none).shape == (2, 0, 11)
    assert tl.forward(as_numpy(model), model.config, none.numpy()).shape == (2, 0, 11)


def test_a_mask_of_ones_and_zeros_is_one_of_truths() -> None:
    model = model_of("gpt-2").eval()
    mask = torch.tensor([[0, 1, 1, 1, 1], [1, 1, 1, 1, 1]])
    torch.testing.assert_close(model(IDS, mask=mask), model(IDS, mask=mask.bool()))
    found = tl.forward(as_numpy(model), model.config, IDS.numpy(), mask=mask.numpy())
    torch.testing.assert_close(torch.from_numpy(found), model(IDS, mask=mask))
    made = [nn.generate(model, IDS, mask=m, max_new_tokens=2).tokens for m in (mask, mask.bool())]
    assert made[0] == made[1]
    for run in (model, lambda ids, mask: tl.forward(as_numpy(model), model.config, ids, mask=mask)):
        with pytest.raises(ValueError, match="mask must be from 0 to 1, got 0 to 2"):
            run(IDS, mask=mask * 2)


def test_a_source_of_another_batch_is_refused_in_words() -> None:
    model, source = model_of("original"), torch.ones(3, 4, dtype=torch.int64)
    for run in (model, lambda *ids: nn.generate(model, *ids, max_new_tokens=1)):
        with pytest.raises(ValueError, match=r"batch .* ids is shape \(2, 5\), source is shape"):
            run(IDS, source)
    assert model(IDS, source[:1]).shape == (2, 5, 11)
