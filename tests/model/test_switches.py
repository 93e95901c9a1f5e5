"""Each switch of the configuration does what it says, in numpy and torch, and nothing else."""

from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.nn.models import as_numpy as arrays, model_of as small
from transformer_lib import nn

IDS = torch.tensor([[3, 9, 1, 4], [2, 2, 5, 1]])
SOURCE = torch.tensor([[7, 8, 2, 6, 0], [4, 4, 10, 9, 3]])


def model_of(**changes: Any) -> nn.Transformer:
    return small(**{"kind": "decoder"} | changes).eval()


def traced(model: nn.Transformer, ids: torch.Tensor = IDS, **options: Any) -> dict[str, Any]:
    """Return the trace of torch, which numpy must equal."""
    if model.config.kind == "encoder-decoder":
        options["source"] = SOURCE
    trace = model.trace(ids, **options)
    given = {name: x.numpy() for name, x in options.items()}
    again = tl.trace(arrays(model), model.config, ids.numpy(), **given)
    assert again.keys() == trace.keys()
    for name, value in trace.items():
        np.testing.assert_allclose(again[name], value.detach(), rtol=1e-10, atol=1e-10)
    return {name: value.detach().numpy() for name, value in trace.items()}


def test_embedding_norm() -> None:
    model = model_of(embedding_norm=True)
    trace, own = traced(model), arrays(model)
    summed = trace["embedding.tokens"] + trace["embedding.positions"]
    expected = tl.layer_norm(summed, own["embedding.norm.gain"], own["embedding.norm.bias"])
    np.testing.assert_allclose(trace["embedding.output"], expected, rtol=1e-10, atol=1e-10)


def test_token_types() -> None:
    model = model_of(token_types=3, kind="encoder")
    types = torch.tensor([[0, 2, 1, 1], [0, 0, 0, 2]])
    trace, own = traced(model, types=types), arrays(model)
    np.testing.assert_array_equal(trace["embedding.types"], own["embedding.types"][types])
    parts = sum(trace[f"embedding.{name}"] for name in ("tokens", "positions", "types"))
    np.testing.assert_allclose(trace["embedding.output"], parts, rtol=1e-12)
    zeros = traced(model, types=torch.zeros_like(types))["logits"]
    np.testing.assert_allclose(traced(model)["logits"], zeros, rtol=1e-12)
    with pytest.raises(ValueError, match="types must be from 0 to 2"):
        model(IDS, types=types + 1)
    with pytest.raises(ValueError, match=r"types must have shape \(2, 4\)"):
        model(IDS, types=types[:, 1:])
    with pytest.raises(ValueError, match="types must be None in a model without"):
        model_of()(IDS, types=types)


@pytest.mark.parametrize("kind", ["encoder", "encoder-decoder", "decoder"])
def test_positions_skip_padding(kind: str) -> None:
    model = model_of(kind=kind, padding_id=1, skip_padding=True, position="learned")
    counted = np.array([[0, 1, 1, 2], [0, 1, 2, 2]])
    table = arrays(model)["embedding.positions"]
    np.testing.assert_array_equal(traced(model)["embedding.positions"], table[counted])
    plain = model_of(kind=kind, padding_id=1, position="learned")
    np.testing.assert_array_equal(traced(plain)["embedding.positions"], table[:4])


def test_positions_of_a_source_may_be_given() -> None:
    model = model_of(kind="encoder-decoder", position="learned")
    mask = torch.tensor([[0, 1, 1, 1, 1], [1, 1, 1, 1, 1]]).bool()
    one = model(IDS, SOURCE, source_mask=mask)
    counted = torch.tensor([[0, 0, 1, 2, 3], [0, 1, 2, 3, 4]])
    torch.testing.assert_close(model(IDS, SOURCE, source_mask=mask, source_positions=counted), one)
    rows = torch.arange(5).expand(2, 5)
    other = model(IDS, SOURCE, source_mask=mask, source_positions=rows)
    assert (one - other)[0].abs().max() > 1e-3 and torch.equal(one[1], other[1])


def test_side_positions() -> None:
    model = model_of(
        kind="encoder-decoder", position="learned", side_positions=True, embedding_norm=True
    )
    own = arrays(model)
    assert "source_embedding.tokens" not in own
    rows = own["embedding.tokens"][SOURCE] * np.sqrt(8) + own["source_embedding.positions"][:5]
    norm = own["source_embedding.norm.gain"], own["source_embedding.norm.bias"]
    expected = tl.layer_norm(rows, *norm)
    np.testing.assert_allclose(traced(model)["source_embedding.output"], expected, rtol=1e-10)


@pytest.mark.parametrize("tied", [True, False])
def test_head_bias(tied: bool) -> None:
    for bias in (True, False, None):
        model = model_of(tied=tied, head_bias=bias)
        has = not tied if bias is None else bias
        assert ("head.b" in arrays(model)) is has
        trace, own = traced(model), arrays(model)
        W = own["embedding.tokens"].T if tied else own["head.W"]
        expected = trace["decoder.output"] @ W + (own["head.b"] if has else 0)
        np.testing.assert_allclose(trace["logits"], expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("of_layers,of_head", [("gelu", None), ("relu", "gelu")])
def test_head_transform(of_layers: str, of_head: str | None) -> None:
    activations = {"activation": of_layers, "head_activation": of_head}
    model = model_of(kind="encoder", head_transform=True, head_bias=True, **activations)
    trace, own = traced(model), arrays(model)
    dense = tl.gelu(tl.linear(trace["encoder.output"], own["head.W_dense"], own["head.b_dense"]))
    rows = tl.layer_norm(dense, own["head.norm.gain"], own["head.norm.bias"])
    expected = tl.tied_logits(rows, own["embedding.tokens"], own["head.b"])
    np.testing.assert_allclose(trace["logits"], expected, rtol=1e-10, atol=1e-10)


def test_classes() -> None:
    model = model_of(kind="encoder", classes=3, token_types=2)
    own, types = arrays(model), torch.ones_like(IDS)
    hidden = traced(model, types=types)["encoder.output"]
    pooled = np.tanh(hidden[:, 0] @ own["classifier.W_pool"] + own["classifier.b_pool"])
    expected = pooled @ own["classifier.W"] + own["classifier.b"]
    found = model.classify(IDS, types=types)
    np.testing.assert_allclose(found.detach(), expected, rtol=1e-10, atol=1e-10)
    given = {"types": types.numpy()}
    again = tl.classify(own, model.config, IDS.numpy(), **given)
    np.testing.assert_allclose(again, expected, rtol=1e-10, atol=1e-10)
    with pytest.raises(ValueError, match="config must have classes, got 0"):
        model_of().classify(IDS)


def test_scale_head() -> None:
    trace = traced(model_of(scale_head=True))
    plain = traced(model_of())
    np.testing.assert_allclose(trace["logits"] * np.sqrt(8), plain["logits"], rtol=1e-10)


def test_unscaled_scores() -> None:
    trace = traced(model_of(scale_scores=False))
    name = "decoder.layers.0.self_attention"
    np.testing.assert_array_equal(trace[f"{name}.scaled"], trace[f"{name}.scores"])


def test_a_head_may_have_any_width() -> None:
    model = model_of(head_width=6, key_value_heads=1)
    shapes = {name: x.shape for name, x in arrays(model).items()}
    at = "decoder.layers.0.self_attention"
    assert shapes[f"{at}.W_Q"] == (8, 12) and shapes[f"{at}.W_O"] == (12, 8)
    assert shapes[f"{at}.W_K"] == shapes[f"{at}.W_V"] == (8, 6) and shapes[f"{at}.b_V"] == (6,)
    traced(model)


@pytest.mark.parametrize("name,curve", [("geglu", tl.gelu), ("geglu_tanh", tl.gelu_tanh)])
def test_gated_activations(name: str, curve: Any) -> None:
    model = model_of(activation=name)
    trace = traced(model)
    at = "decoder.layers.1.feed_forward"
    expected = curve(trace[f"{at}.gate"]) * trace[f"{at}.hidden"]
    np.testing.assert_allclose(trace[f"{at}.activated"], expected, rtol=1e-10, atol=1e-12)


def test_no_scale() -> None:
    model = model_of(scale_embedding=False)
    found = traced(model)["embedding.tokens"]
    np.testing.assert_array_equal(found, arrays(model)["embedding.tokens"][IDS])


def test_the_base_of_sines() -> None:
    trace = traced(model_of(base=100.0))
    np.testing.assert_allclose(trace["embedding.positions"], tl.sinusoidal(4, 8, base=100.0))


def test_halves_of_sines_and_of_rotary() -> None:
    trace = traced(model_of(halves=True))
    np.testing.assert_allclose(trace["embedding.positions"], tl.sinusoidal(4, 8, halves=True))
    model = model_of(position="rotary", halves=True, base=100.0)
    trace, own = traced(model), arrays(model)
    at = "decoder.layers.0.self_attention"
    Q = tl.split_heads(tl.linear(trace["embedding.output"], own[f"{at}.W_Q"], own[f"{at}.b_Q"]), 2)
    expected = tl.rotary(Q, np.arange(4), halves=True, base=100.0)
    np.testing.assert_allclose(trace[f"{at}.Q"], expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("position", ["rotary", "alibi", "t5", "sinusoidal"])
def test_a_window_keeps_no_more_than_it_needs(position: str) -> None:
    model = model_of(window=3, position=position, key_value_heads=1)
    weights = traced(model)["decoder.layers.0.self_attention.weights"]
    assert (weights[:, :, 3, 0] == 0).all() and (weights[:, :, 3, 1:] > 0).all()
    whole, cache = model(IDS), None
    for n in range(1, 5):
        last, cache = model.extend(IDS[:, :n], cache=cache)
        torch.testing.assert_close(last[:, -1], whole[:, n - 1], rtol=1e-10, atol=1e-10)
        own = cache.layers[0].own
        assert cache.length == n and own.K is not None and own.K.shape == (2, 1, min(n, 2), 4)


def test_what_was_there_before_has_the_parameters_that_it_had() -> None:
    config = tl.Configuration(kind="encoder-decoder", vocabulary_size=5, layers=1)
    parts = {name.split(".")[0] for name in tl.parameter_shapes(config)}
    assert parts == {"embedding", "encoder", "decoder"}
