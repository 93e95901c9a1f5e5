"""The whole model: every kind and field, in torch and numpy, with its cache, trace and masks."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings, strategies as st

import transformer_lib as tl
from tests.nn.models import CONFIGURATIONS, IDS, SOURCE, as_numpy, model_of, source_for
from transformer_lib import nn

every = pytest.mark.parametrize("name", CONFIGURATIONS)
decoders = pytest.mark.parametrize(
    "name", [name for name, fields in CONFIGURATIONS.items() if fields["kind"] != "encoder"]
)


@every
def test_numpy_runs_the_same_model(name: str) -> None:
    model = model_of(name)
    source = source_for(model)
    logits = model(IDS, source)
    assert logits.shape == (2, 5, 11)
    ours = tl.forward(
        as_numpy(model), model.config, IDS.numpy(), None if source is None else source.numpy()
    )
    np.testing.assert_allclose(ours, logits.detach(), rtol=1e-10, atol=1e-10)


@every
def test_parameters_have_the_names_and_shapes_that_are_promised(name: str) -> None:
    model = model_of(name)
    shapes = {name: tuple(value.shape) for name, value in model.state_dict().items()}
    assert shapes == tl.parameter_shapes(model.config)
    assert len({value.data_ptr() for value in model.parameters()}) == len(shapes)


@every
def test_every_parameter_matters(name: str) -> None:
    model = model_of(name)
    model(IDS, source_for(model)).pow(3).sum().backward()
    for parameter_name, value in model.named_parameters():
        # A bias of the keys adds the same to all scores of a query, which softmax forgets.
        if not parameter_name.endswith("b_K"):
            assert value.grad is not None and value.grad.abs().max() > 1e-9, parameter_name


@every
def test_the_trace_names_every_intermediate(name: str) -> None:
    model = model_of(name).eval()
    source = source_for(model)
    trace = model.trace(IDS, source)
    torch.testing.assert_close(trace["logits"], model(IDS, source), rtol=1e-10, atol=1e-10)
    stack = "decoder" if model.config.has_decoder else "encoder"
    previous, h = trace["embedding.output"], model.config.heads
    for i in range(2):
        layer = f"{stack}.layers.{i}"
        weights = trace[f"{layer}.self_attention.weights"]
        assert weights.shape == (2, h, 5, 5)
        torch.testing.assert_close(weights.sum(-1), torch.ones(2, h, 5).double())
        for step, heads in (("Q", h), ("K", model.config.h_kv), ("heads", h)):
            assert trace[f"{layer}.self_attention.{step}"].shape == (2, heads, 5, model.config.d_k)
        assert trace[f"{layer}.feed_forward.hidden"].shape == (2, 5, 12)
        assert torch.equal(trace[f"{layer}.resid_pre"], previous)
        assert torch.equal(trace[f"{layer}.attn_out"], trace[f"{layer}.self_attention.output"])
        assert torch.equal(trace[f"{layer}.mlp_out"], trace[f"{layer}.feed_forward.output"])
        if model.config.place == "pre":
            after = trace[f"{layer}.resid_mid"]
            torch.testing.assert_close(after, previous + trace[f"{layer}.attn_out"])
        previous = trace[f"{layer}.resid_post"]
    if source is not None:
        assert trace["decoder.layers.1.cross_attention.weights"].shape == (2, 2, 5, 7)
        mid, added = (trace[f"decoder.layers.1.{name}"] for name in ("resid_mid", "cross_attn_out"))
        if model.config.place == "pre":
            torch.testing.assert_close(trace["decoder.layers.1.resid_mid_cross"], mid + added)
        assert trace["encoder.layers.0.self_attention.weights"].shape == (2, 2, 7, 7)
        assert trace["source_embedding.output"].shape == (2, 7, 8)
    in_numpy = tl.trace(
        as_numpy(model), model.config, IDS.numpy(), None if source is None else source.numpy()
    )
    assert set(in_numpy) == set(trace)
    for key, value in trace.items():
        np.testing.assert_allclose(in_numpy[key], value.detach(), rtol=1e-10, atol=1e-10)


@decoders
@pytest.mark.parametrize("splits", [(1, 2, 3, 4, 5), (3, 5), (4, 5)])
def test_a_cache_changes_nothing(name: str, splits: tuple[int, ...]) -> None:
    model = model_of(name).eval()
    source = source_for(model)
    whole, cache, rows = model(IDS, source), None, []
    for n in splits:
        logits, cache = model.extend(IDS[:, :n], source, cache=cache)
        rows.append(logits)
        assert cache is not None and cache.length == n
    torch.testing.assert_close(torch.cat(rows, dim=1), whole, rtol=1e-10, atol=1e-10)


@decoders
def test_next_logits_serves_branching_prefixes(name: str) -> None:
    model = model_of(name).eval()
    source = None if source_for(model) is None else SOURCE[0]
    in_torch = model.next_logits(source)
    in_numpy = tl.cached_next_logits(
        as_numpy(model), model.config, None if source is None else source.numpy()
    )
    for text in ("3", "39", "34", "344", "397", "555", "397", "39722"):
        prefix = [int(digit) for digit in text]
        expected = model(torch.tensor(prefix), source)[-1]
        found = in_torch(prefix)
        assert not found.requires_grad
        torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-10)
        np.testing.assert_allclose(in_numpy(prefix), expected.detach(), rtol=1e-10, atol=1e-10)


def test_an_encoder_does_see_the_future() -> None:
    model = model_of("bert").eval()
    changed = IDS.clone()
    changed[:, -1] = 7
    assert (model(IDS)[:, 0] - model(changed)[:, 0]).abs().max() > 1e-6


@pytest.mark.parametrize("name", ["padding", "no positions", "bert", "encoder, t5"])
def test_padding_changes_nothing(name: str) -> None:
    model = model_of(name, padding_id=1).eval()
    ids = torch.tensor([[3, 9, 4]])
    padded = torch.tensor([[3, 9, 4, 1, 1]])
    if model.config.kind == "encoder-decoder":
        one = model(ids, torch.tensor([[7, 8, 2]]))
        other = model(padded, torch.tensor([[7, 8, 2, 1, 1, 1]]))
    else:
        one, other = model(ids), model(padded)
    torch.testing.assert_close(other[:, :3], one, rtol=1e-10, atol=1e-10)


@given(st.permutations(range(5)))
@settings(max_examples=10)
def test_without_positions_an_encoder_moves_with_its_tokens(order: list[int]) -> None:
    model = model_of("bert", position="none").eval()
    ids = torch.tensor([3, 9, 1, 4, 10])
    one, other = model(ids)[order], model(ids[order])
    torch.testing.assert_close(one, other, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("position", ["sinusoidal", "learned", "rotary", "alibi", "t5"])
def test_with_positions_order_matters(position: str) -> None:
    model = model_of("bert", position=position).eval()
    ids, order = torch.tensor([3, 9, 1, 4, 10]), [0, 2, 1, 3, 4]
    assert (model(ids)[order] - model(ids[order])).abs().max() > 1e-6


def test_a_tied_head_is_the_embedding_itself() -> None:
    model = model_of("gpt-2")
    hidden = model.decoder(model.embedding(IDS))
    with torch.no_grad():
        model.embedding.tokens[7] += 1.0
    logits = model.head(hidden, model.embedding.tokens)
    torch.testing.assert_close(logits, hidden @ model.embedding.tokens.T)
    assert "head.W" not in model.state_dict()
    with pytest.raises(ValueError, match="tokens must be the embedding matrix of a tied head"):
        model.head(hidden)


def test_dropout_acts_while_training_and_only_then() -> None:
    model = model_of("original", dropout=0.5)
    torch.manual_seed(0)
    one = model(IDS, SOURCE)
    torch.manual_seed(0)
    again, other = model(IDS, SOURCE), model(IDS, SOURCE)
    assert torch.equal(one, again)
    assert (one - other).abs().max() > 1e-3
    model.eval()
    assert torch.equal(model(IDS, SOURCE), model(IDS, SOURCE))
    without = model_of("original")
    without.load_state_dict(model.state_dict())
    torch.testing.assert_close(model(IDS, SOURCE), without(IDS, SOURCE))


def test_dropout_acts_after_the_embedding_and_before_each_sum() -> None:
    model = model_of("original", dropout=0.5)
    torch.manual_seed(0)
    model.train()
    trace = model.trace(IDS, SOURCE)
    summed = trace["embedding.tokens"] + trace["embedding.positions"]
    ratio = trace["embedding.output"] / summed
    assert {0.0, 2.0} == set(ratio.round(decimals=6).flatten().tolist())
    for name, step in (("attn", "self_attention"), ("cross_attn", "cross_attention")):
        added = trace[f"decoder.layers.1.{name}_out"]
        ratio = added / trace[f"decoder.layers.1.{step}.output"]
        assert {0.0, 2.0} == set(ratio.abs().round(decimals=4).flatten().tolist())
    ratio = trace["decoder.layers.1.mlp_out"] / trace["decoder.layers.1.feed_forward.output"]
    assert {0.0, 2.0} == set(ratio.abs().round(decimals=4).flatten().tolist())


@pytest.mark.parametrize("attention", ["explicit", "fused"])
def test_a_decoder_of_fewer_layers_decodes_with_a_cache(attention: str) -> None:
    model = nn.Transformer(model_of("gpt-2").config, attention=attention, dtype=torch.float64)
    model.eval().decoder.layers = model.decoder.layers[:1]
    logits, cache = model.extend(IDS[:, :2])
    assert len(cache.layers) == 1 and logits.shape == (2, 2, 11)
    torch.testing.assert_close(model.extend(IDS, cache=cache)[0], model(IDS)[:, 2:])
    torch.testing.assert_close(model.next_logits()([3, 9, 1]), model(IDS)[0, 2])
    found = [nn.generate(model, IDS, max_new_tokens=4, cached=cached) for cached in (True, False)]
    assert found[0].tokens == found[1].tokens
