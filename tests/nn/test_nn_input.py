"""What a model of torch takes and refuses: attention of one's own, ids of any dtype, bad input."""

from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.nn.models import IDS, SOURCE, as_numpy, model_of
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


BAD: dict[str, Any] = {
    "source must be given to an encoder-decoder": lambda: model_of("original")(IDS),
    "source is for an encoder-decoder.* 'decoder'": lambda: model_of("alibi")(IDS, SOURCE),
    "ids must be from 0 to 10, got 2 to 11": lambda: model_of("alibi")(IDS + 1),
    "ids must hold integers": lambda: model_of("alibi")(IDS.double()),
    "ids must have at least 1 axes": lambda: model_of("alibi")(torch.tensor(3)),
    r"ids must be at most max_length = 9 tokens long.* got 10": lambda: model_of("gpt-2")(
        torch.zeros(1, 10, dtype=torch.int64)
    ),
    "ids must be a numpy array or a torch tensor, got list": lambda: model_of("alibi")([3]),
    "ids must go on where the cache ends, at 5": lambda: model_of("alibi").extend(
        IDS, cache=model_of("alibi").extend(IDS)[1]
    ),
    "arrays must all come from one library, but ids is from numpy": lambda: model_of("alibi")(
        IDS.numpy()
    ),
    "one library, but ids is from torch, tokens is from numpy": lambda: tl.forward(
        as_numpy(model_of("alibi")), model_of("alibi").config, IDS
    ),
    r"cache must have \(d_model, h_kv, d_k\) = \(8, 2, 4\), got \(8, 4, 2\)": lambda: model_of(
        "alibi", heads=2, key_value_heads=None
    ).extend(IDS, cache=model_of("alibi", heads=4).extend(IDS[:, :2])[1]),
    r"cache must have 2 rows in each layer, .* got \[0, 2\]": lambda: of_own_attention(
        forgetful=True
    ).extend(IDS[:, :2]),
    "config must be a Configuration, got dict": lambda: nn.Transformer({"kind": "decoder"}),  # type: ignore[arg-type]
    "dtype must be one of torch's floats or None, got 'float16'": lambda: nn.Transformer(
        model_of("alibi").config, dtype="float16"
    ),
    "dtype must be one of torch's floats or None, got torch.int64": lambda: nn.Norm(
        model_of("alibi").config, dtype=torch.int64
    ),
    "config must be a Configuration, got list": lambda: nn.Norm(["rms"]),  # type: ignore[arg-type]
    "config must be a Configuration, got str": lambda: nn.Embedding("gpt-2"),  # type: ignore[arg-type]
    "cache is for a model with a decoder": lambda: model_of("bert").extend(
        IDS, cache=model_of("alibi").extend(IDS)[1]
    ),
    "cache must have one entry per layer, 3, got 2": lambda: model_of("alibi", layers=3).extend(
        IDS, cache=model_of("alibi").extend(IDS[:, :2])[1]
    ),
    r"cache is of texts of shape \(2,\), and ids are of texts of shape \(1,\)": lambda: model_of(
        "alibi"
    ).extend(IDS[:1], cache=model_of("alibi").extend(IDS[:, :2])[1]),
    "config must be of a model with a decoder": lambda: model_of("bert").next_logits(),
    "parameters must hold 'embedding.tokens' of shape": lambda: tl.forward(
        {}, model_of("alibi").config, IDS.numpy()
    ),
    r"parameters\['decoder.layers.1.feed_forward.b_1'\] must be \(12,\)": lambda: tl.forward(
        as_numpy(model_of("alibi")) | {"decoder.layers.1.feed_forward.b_1": np.ones(3)},
        model_of("alibi").config,
        IDS.numpy(),
    ),
    "seed must be an integer or a torch.Generator": lambda: nn.Transformer(
        model_of("alibi").config,
        seed=0.5,  # type: ignore[arg-type]
    ),
}


@pytest.mark.parametrize("message", BAD)
def test_bad_input(message: str, unhooked: None) -> None:
    with pytest.raises(ValueError, match=message):
        BAD[message]()
