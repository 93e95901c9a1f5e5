"""Results that are replaced by name, in NumPy and in torch: what follows is computed from them."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.model.small import GROUPED, SIZES
from tests.refusals import refusals
from transformer_lib.model.changes import names
from transformer_lib.nn import Transformer, changed, generate

POST = tl.Configuration(kind="decoder", activation="gelu", position="learned", **SIZES)
BOTH = tl.Configuration(kind="encoder-decoder", place="pre", **SIZES)
ENCODER = tl.Configuration(kind="encoder", **SIZES)
ALIBI = tl.Configuration(kind="decoder", position="alibi", place="pre", window=3, **SIZES)
CONFIGS = {"grouped": GROUPED, "post": POST, "both": BOTH, "encoder": ENCODER, "alibi": ALIBI}
IDS, SOURCE = np.array([[3, 1, 4, 1, 5], [9, 2, 6, 5, 3]]), np.array([[1, 2, 3], [4, 5, 6]])
HEADS = "decoder.layers.0.self_attention.heads"


@pytest.fixture(params=CONFIGS)
def config(request: pytest.FixtureRequest) -> tl.Configuration:
    """A model of each kind."""
    return CONFIGS[request.param]


def torch_model(config: tl.Configuration, attention: str = "explicit") -> Transformer:
    """A model in float64 that computes as in use."""
    return Transformer(config, seed=1, attention=attention, dtype=torch.float64).eval()


def runs(config: tl.Configuration) -> dict[str, Callable[..., Any]]:
    """Functions of changes that return logits: torch twice, and NumPy with the same numbers."""
    made = {name: torch_model(config, name) for name in ("explicit", "fused")}
    source = [SOURCE] if config.has_encoder and config.has_decoder else []

    def of(model: Transformer) -> Callable[..., Any]:
        def run(changes: Any) -> Any:
            with changed(model, changes):
                return model(*map(torch.from_numpy, (IDS, *source))).detach().numpy()

        return run

    P = {name: x.numpy() for name, x in made["explicit"].state_dict().items()}
    found = {name: of(model) for name, model in made.items()}
    found["NumPy"] = lambda changes: tl.forward(
        P, config, IDS, *source, record=tl.changing(config, changes)
    )
    return found


def test_every_name_can_be_replaced_and_a_copy_changes_nothing(config: tl.Configuration) -> None:
    run = runs(config)["NumPy"]  # torch is held to NumPy below
    before = run({})
    for name in names(config):
        same = run({name: lambda X: X + 0})
        np.testing.assert_allclose(same, before, atol=1e-12, err_msg=name)


def test_every_name_that_is_replaced_changes_what_follows_alike_in_numpy_and_torch(
    config: tl.Configuration,
) -> None:
    found = runs(config)
    before = found["NumPy"]({})
    later = [name for name in names(config) if ".layers.1." not in name]
    for name in later:
        bent = {name: lambda X: X * 1.5 + 0.25}
        ours, explicit, fused = (found[kind](bent) for kind in ("NumPy", "explicit", "fused"))
        assert abs(ours - before).max() > 1e-9, name
        np.testing.assert_allclose(explicit, ours, atol=1e-10, err_msg=name)
        np.testing.assert_allclose(fused, ours, atol=1e-10, err_msg=name)


def test_the_names_are_those_of_trace(config: tl.Configuration) -> None:
    model = torch_model(config)
    source = [torch.from_numpy(SOURCE)] if config.has_encoder and config.has_decoder else []
    shown = {n for n in model.trace(torch.from_numpy(IDS), *source)}
    apart = {n for n in shown if n.startswith(("embedding.", "source_embedding."))}
    assert shown - apart == {n for n in names(config) if "embedding." not in n}


@pytest.mark.parametrize("config", [GROUPED, POST, ALIBI])
def test_the_stream_of_another_run_gives_that_run(config: tl.Configuration) -> None:
    model, ids = torch_model(config), torch.from_numpy(IDS)
    for name in ("decoder.layers.0.resid_post", "embedding.output"):
        other = model.trace(ids[:1])[name]
        with changed(model, {name: lambda X, other=other: other}):
            assert torch.allclose(model(ids[1:]), model(ids[:1]), atol=1e-12)


@pytest.mark.parametrize("config", [GROUPED, POST])
def test_a_head_of_zeros_is_a_head_whose_rows_of_W_O_are_zeros(config: tl.Configuration) -> None:
    model, ids = torch_model(config), torch.from_numpy(IDS)
    d_v = config.d_model // config.heads

    def silent(x: torch.Tensor) -> torch.Tensor:
        assert x.shape == (2, config.heads, 5, d_v)
        return x * (torch.arange(config.heads) != 4)[:, None, None]

    with changed(model, {HEADS: silent}), torch.no_grad():
        found = model(ids)
        model.decoder.layers[0].self_attention.W_O[4 * d_v : 5 * d_v] = 0
    assert torch.equal(found, model(ids))


@pytest.mark.parametrize("attention", ["explicit", "fused"])
@pytest.mark.parametrize("config", [GROUPED, POST, ALIBI])
def test_generation_under_a_change_is_the_same_with_a_cache(
    config: tl.Configuration, attention: str
) -> None:
    model, ids = torch_model(config, attention), torch.from_numpy(IDS)
    shapes, plain = set(), generate(model, ids, max_new_tokens=4)

    def turned(x: torch.Tensor) -> torch.Tensor:
        shapes.add(tuple(x.shape[1:2]))
        return x * torch.linspace(-3, 3, config.heads, dtype=x.dtype)[:, None, None]

    with changed(model, {HEADS: turned}):
        cached, whole = (
            generate(model, ids, max_new_tokens=4, cached=cached) for cached in (True, False)
        )
    assert cached.tokens == whole.tokens
    assert not np.allclose(cached.log_probabilities, plain.log_probabilities)
    assert np.allclose(cached.log_probabilities, whole.log_probabilities, atol=1e-10)
    assert shapes == {(config.heads,)}
    assert generate(model, ids, max_new_tokens=4) == plain


def test_gradients_flow_through_a_change() -> None:
    model, ids = torch_model(GROUPED), torch.from_numpy(IDS)
    scale = torch.ones(6, dtype=torch.float64, requires_grad=True)
    with changed(model, {HEADS: lambda x: x * scale[:, None, None]}):
        model(ids).square().sum().backward()
    assert scale.grad is not None and bool((scale.grad != 0).all())


def test_all_is_as_before_after_a_with_and_after_an_exception() -> None:
    model, ids = torch_model(GROUPED, "fused"), torch.from_numpy(IDS)
    before = model(ids)

    def broken(x: torch.Tensor) -> torch.Tensor:
        raise KeyError("mine")

    with pytest.raises(KeyError), changed(model, {"logits": broken}):
        model(ids)
    weights = HEADS.replace("heads", "weights")
    with changed(model, {weights: lambda x: x / 2}):
        assert not torch.equal(model(ids), before)
    assert torch.equal(model(ids), before)
    assert {m.attention for m in model.modules() if hasattr(m, "attention")} == {"fused"}


def test_one_change_may_stand_in_another_and_trace_sees_both() -> None:
    model, ids = torch_model(POST), torch.from_numpy(IDS)
    plain = model.trace(ids)[HEADS]
    with changed(model, {HEADS: lambda x: x + 1}), changed(model, {HEADS: lambda x: 2 * x}):
        seen = model.trace(ids)
    assert torch.allclose(seen[HEADS], 2 * (plain + 1))
    P = {name: x.numpy() for name, x in model.state_dict().items()}
    twice = tl.changing(POST, {HEADS: lambda x: 2 * (x + 1)})
    ours = tl.trace(P, POST, IDS, record=twice)
    np.testing.assert_allclose(ours["logits"], seen["logits"].detach(), atol=1e-12)


def test_a_layer_that_is_skipped_gives_the_model_without_it() -> None:
    for config in (GROUPED, POST):
        model, ids = torch_model(config), torch.from_numpy(IDS)
        with changed(model, tl.skipping("decoder.layers.0")):
            found = model(ids)
        del model.decoder.layers[0]
        assert torch.allclose(found, model(ids), atol=1e-12)


def test_trace_keeps_the_names_that_are_asked_and_stops() -> None:
    model, ids = torch_model(POST), torch.from_numpy(IDS)
    whole, some = model.trace(ids), model.trace(ids, names=[HEADS, "logits"])
    assert list(some) == [HEADS, "logits"] and torch.equal(some[HEADS], whole[HEADS])
    with changed(model, {"decoder.layers.1.resid_pre": lambda x: 1 / 0}):
        first = model.trace(ids, until="decoder.layers.0.resid_post")
    assert list(first)[-1] == "decoder.layers.0.resid_post"


test_what_cannot_be_replaced_is_refused_by_name = refusals(
    ("that can be replaced; did you mean .*0.mlp_out", lambda: refuse(POST, "layers.0.mlp_out")),
    ("of no layer: they are counted from 0 to 1", lambda: refuse(POST, "decoder.layers.2.mlp_out")),
    ("changes must be functions by name, got list", lambda: tl.changing(POST, [HEADS])),
    ("heads must be changed by a function, got 0", lambda: tl.changing(POST, {HEADS: 0})),
    ("names must be a collection of names, got 'logits'", lambda: traced(names="logits")),
    ("embedding.tokens cannot be replaced", lambda: refuse(POST, "embedding.tokens")),
    ("embedding.output serves both sides here", lambda: refuse(BOTH, "embedding.output")),
    ("names must be results of this pass, got 'end'", lambda: traced(names=["end"])),
    ("until must be a result of this pass, got 'end'", lambda: traced(until="end")),
)


def refuse(config: tl.Configuration, name: str) -> None:
    """Ask for a change by a name."""
    tl.changing(config, {name: abs})


def traced(**options: Any) -> None:
    """Trace a model with options."""
    torch_model(POST).trace(torch.tensor([1]), **options)


def test_another_shape_is_refused() -> None:
    model = torch_model(POST)
    with (
        changed(model, {HEADS: lambda x: x[:, :1]}),
        pytest.raises(ValueError, match=r"heads must keep its shape \(2, 6, 5, 2\)"),
    ):
        model(torch.from_numpy(IDS))


def test_a_layer_that_is_no_longer_there_is_refused() -> None:
    model = torch_model(POST)
    del model.decoder.layers[1]
    with (
        pytest.raises(ValueError, match="of a layer that this model no longer has"),
        changed(model, {"decoder.layers.1.attn_out": abs}),
    ):
        pass
