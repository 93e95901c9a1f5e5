"""Models of 16 bits: large rows do not become zeros, and long vocabularies keep their numbers."""

from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from transformer_lib import nn
from transformer_lib.decoding.draw import draw

SIZES: dict[str, Any] = {"kind": "decoder", "vocabulary_size": 40, "d_model": 64, "heads": 2}
SHAPES: dict[str, dict[str, Any]] = {
    "llama": {"norm": "rms", "position": "rotary", "activation": "swiglu", "place": "pre"},
    "gpt2": {"position": "learned", "activation": "gelu_tanh", "place": "pre"},
    "bloom": {"position": "alibi", "activation": "gelu", "place": "pre"},
    "original": {"position": "sinusoidal", "activation": "relu", "place": "post"},
}
IDS = torch.tensor([[3, 9, 4, 7, 1, 30]])


def large(shape: str, attention: str = "explicit") -> nn.Transformer:
    """A model whose rows have entries of several hundred, as published ones have."""
    config = tl.Configuration(**SIZES, **SHAPES[shape], layers=2, d_ff=96, max_length=16)
    model = nn.Transformer(config, seed=2, attention=attention).eval()
    with torch.no_grad():
        model.embedding.tokens.mul_(300)
    return model


@pytest.mark.parametrize("attention", ["explicit", "fused"])
@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("shape", SHAPES)
def test_a_model_of_large_rows(shape: str, dtype: torch.dtype, attention: str) -> None:
    model = large(shape, attention).to(dtype)
    found = model(IDS).detach().double()
    true = model.double()(IDS).detach()
    assert float(true.abs().max()) > 100
    error = float((found - true).abs().max() / true.abs().max())
    assert error < 16 * torch.finfo(dtype).eps


@pytest.mark.parametrize("shape", SHAPES)
def test_numpy_computes_float16_as_torch_does(shape: str) -> None:
    model = large(shape).half()
    arrays = {name: x.detach().numpy() for name, x in model.named_parameters()}
    found = tl.forward(arrays, model.config, IDS.numpy())
    assert found.dtype == np.float16
    expected = model(IDS).detach().float().numpy()
    np.testing.assert_allclose(found, expected, atol=0.01 * np.abs(expected).max())


OF_T5 = {"norm": "rms", "position": "t5", "activation": "geglu_tanh", "place": "pre"}
OF_T5 |= {"bias": False, "scale_scores": False}


@pytest.mark.parametrize("shape", [*SHAPES, "t5"])
def test_a_model_that_overflows_in_float16_alone_says_so(shape: str) -> None:
    sizes = {"layers": 2, "d_ff": 96, "max_length": 16} | (SHAPES | {"t5": OF_T5})[shape]
    model = nn.Transformer(tl.Configuration(**SIZES, **sizes), seed=2).eval()
    with torch.no_grad():
        for layer in model.decoder.layers:
            layer.feed_forward.W_1.mul_(2000)
            layer.feed_forward.W_2.mul_(2000)
    wide = model.hidden(IDS).detach()
    wanted = "last rows .* finite, got nan or inf; its parameters are finite, but float16 ends"
    for run in (model.half(), model.hidden, model.trace):
        with pytest.raises(ValueError, match=wanted):
            run(IDS)
    arrays = {name: x.detach().numpy() for name, x in model.named_parameters()}
    with np.errstate(all="ignore"), pytest.raises(ValueError, match=wanted):
        tl.forward(arrays, model.config, IDS.numpy())
    found = model.bfloat16().hidden(IDS).detach()
    error = float((found - wide).abs().max() / wide.abs().max())
    assert error < 16 * torch.finfo(torch.bfloat16).eps


def test_who_trains_hears_it_of_the_loss_and_a_mapped_model_runs() -> None:
    model = large("gpt2")
    with torch.no_grad():
        model.decoder.norm.gain.fill_(float("nan"))
    assert bool(model.train()(IDS).isnan().any())
    assert torch.func.vmap(large("gpt2"))(IDS).shape == (1, 6, 40)


def test_several_texts_of_large_scores_are_generated_alike() -> None:
    """The scores of two texts do not fit into float16 before they are divided."""
    model = large("gpt2", "fused")
    with torch.no_grad():
        for layer in model.decoder.layers:
            layer.self_attention.W_Q.mul_(600)
            layer.self_attention.W_K.mul_(600)
    several = torch.cat([IDS, IDS])
    expected = nn.generate(model, several, max_new_tokens=4)
    found = nn.generate(model.half(), several, max_new_tokens=4)
    assert found.tokens == expected.tokens


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_top_p_and_draws_of_16_bits(dtype: torch.dtype) -> None:
    row = torch.log(torch.tensor([0.8, 0.125, 0.0625, 0.0125])).to(dtype)
    assert int(tl.keep_top_p(row, 0.9).isfinite().sum()) == 2
    flat = tl.softmax(torch.zeros(50_000, dtype=dtype))
    assert 0 <= int(draw(flat, np.random.default_rng(0))) < 50_000
