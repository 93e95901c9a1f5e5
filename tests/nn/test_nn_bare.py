"""A flat list of calls gives the token that the modules give, and steps aside for a change."""

import functools
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from torch.nn.utils import parametrize

import transformer_lib as tl
from tests.nn.models import Doubled
from transformer_lib import nn
from transformer_lib.model import block
from transformer_lib.nn.bare import Watched, bare
from transformer_lib.nn.reserved import reserved_cache

SMALL: dict[str, Any] = dict(
    kind="decoder", vocabulary_size=11, d_model=8, heads=4, layers=3, d_ff=12, max_length=20
)
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "post": {},
    "gpt-2": dict(place="pre", position="learned", activation="gelu_tanh", scale_embedding=False),
    "rms": dict(place="pre", norm="rms", bias=False, tied=False, position="none"),
    "post, rms": dict(norm="rms", head_bias=True, activation="silu"),
    "unscaled": dict(scale_scores=False, head_width=6, scale_head=True, activation="gelu"),
    "types": dict(token_types=2, embedding_norm=True, head_transform=True, position="learned"),
}
OTHERS: dict[str, dict[str, Any]] = {
    "rotary": dict(position="rotary"),
    "alibi": dict(position="alibi"),
    "window": dict(window=2),
    "padding": dict(padding_id=1),
    "groups": dict(key_value_heads=2),
    "gated": dict(activation="swiglu"),
}
CONFIGURATIONS |= OTHERS
IDS = torch.tensor([[3, 9, 5, 1], [2, 2, 4, 8]])


def model_of(attention: str = "fused", **changes: Any) -> nn.Transformer:
    config = nn.Configuration(**SMALL | {"dropout": 0.0} | changes)
    model = nn.Transformer(config, seed=1, attention=attention, dtype=torch.float64).eval()
    with torch.no_grad():
        for name, values in model.named_parameters():
            if name.split(".")[-1].startswith(("b_", "bias", "gain")):  # none of them 0 or 1
                values.copy_(torch.linspace(0.5, 1.5, len(values)))
    return model


@pytest.mark.parametrize("texts", [1, 2])
@pytest.mark.parametrize("name", CONFIGURATIONS)
@torch.no_grad()
def test_it_gives_what_the_modules_give(name: str, texts: int) -> None:
    model = model_of(**CONFIGURATIONS[name])
    cache = reserved_cache(model.config.layers, 7)
    ids = IDS[:texts]
    model(ids, cache=cache)
    step = bare(model)
    assert step is not None
    for new in torch.tensor([[7, 0], [10, 6], [1, 5]])[:, :texts]:
        ids = torch.cat([ids, new[:, None]], dim=-1)
        torch.testing.assert_close(
            step(ids, cache=cache)[:, -1], model(ids)[:, -1], rtol=1e-10, atol=1e-10
        )
    assert cache.length == 7
    K, other = cache.layers[2].own.K, reserved_cache(model.config.layers, 7)
    model(ids, cache=other)
    torch.testing.assert_close(K, other.layers[2].own.K, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("name", CONFIGURATIONS)
@pytest.mark.parametrize("options", [{}, {"width": 3}], ids=["greedy", "beams"])
def test_generation_is_that_of_explicit_attention(name: str, options: dict[str, Any]) -> None:
    fused, explicit = (model_of(kind, **CONFIGURATIONS[name]) for kind in ("fused", "explicit"))
    found, expected = (
        nn.generate(model, IDS, max_new_tokens=6, **options) for model in (fused, explicit)
    )
    assert found.tokens == expected.tokens
    assert found.log_probabilities == pytest.approx(expected.log_probabilities, abs=1e-9)


def of(model: nn.Transformer, part: str) -> Any:
    return getattr(model.decoder.layers[1], part)


DOUBLED = Doubled()
CHANGES: dict[str, Callable[[nn.Transformer], Any]] = {
    "hook": lambda m: of(m, "feed_forward").register_forward_hook(print),
    "hook before": lambda m: of(m, "self_attention").register_forward_pre_hook(print),
    "module": lambda m: setattr(m.decoder.layers[1], "feed_forward", DOUBLED),
    "parameter": lambda m: parametrize.register_parametrization(
        of(m, "self_attention_norm"), "gain", DOUBLED
    ),
    "forward": lambda m: setattr(m.decoder.layers[1], "forward", DOUBLED),
    "record": lambda m: setattr(of(m, "self_attention"), "record", print),
    "attention": lambda m: setattr(of(m, "self_attention"), "attention", "explicit"),
    "activation": lambda m: setattr(of(m, "feed_forward"), "fused", False),
    "arrays": lambda m: setattr(of(m, "feed_forward"), "arrays", dict),
    "configuration": lambda m: setattr(
        of(m, "self_attention"), "config", replace(m.config, scale_scores=False)
    ),
    "compiled": lambda m: of(m, "feed_forward").compile(backend="eager"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_module_runs(change: str) -> None:
    model = model_of(place="pre")
    assert bare(model) is not None
    CHANGES[change](model)
    assert bare(model) is None


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_between_two_tokens_is_seen(change: str) -> None:
    model = model_of(place="pre")
    watched = Watched(model)
    watched(IDS)
    assert not watched.changed()
    CHANGES[change](model)
    assert watched.changed()


def test_what_comes_between_two_tokens_counts() -> None:
    model, prefix = model_of(place="pre").train(), IDS[0].tolist()
    next_logits = model.next_logits()
    plain = [next_logits(prefix), next_logits([*prefix, 2])]
    silent = {"decoder.layers.1.self_attention.heads": lambda x: 0 * x}
    with nn.changed(model, silent):
        assert not torch.equal(next_logits(prefix), plain[0])
    assert torch.equal(next_logits(prefix), plain[0])
    state = {name: 2 * x for name, x in model.state_dict().items()}
    model.load_state_dict(state, assign=True)
    again = model.next_logits()
    assert torch.equal(next_logits(prefix), again(prefix))
    assert not torch.equal(next_logits(prefix), plain[0])
    assert model.training


def calls_of(run: Callable[[], Any]) -> int:
    """How often Python calls a function."""
    found = []
    sys.setprofile(lambda _, event, __: found.append(1) if event == "call" else None)
    try:
        run()
    finally:
        sys.setprofile(None)
    return len(found)


def test_a_search_costs_hardly_more_calls_than_generate() -> None:
    model, ids = model_of(place="pre", layers=12, max_length=40), IDS[:1, :2]
    search = functools.partial(tl.greedy_search, model.next_logits(), ids[0].tolist(), end=None)
    more = []
    for each in (search, functools.partial(nn.generate, model, ids)):
        short, long = (functools.partial(each, max_new_tokens=n) for n in (2, 5))
        more.append(calls_of(long) - calls_of(short))
    assert more[0] < 1.5 * more[1]


def test_what_torch_and_transformers_add_to_modules_changes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    torch.compile(torch.nn.Linear(2, 3), backend="eager")(torch.ones(1, 2))
    # transformers does so when it makes a model
    monkeypatch.setattr(torch.nn.Module, "smart_apply", torch.nn.Module.apply, raising=False)
    model = model_of(place="pre")
    assert bare(model) is not None


@pytest.mark.parametrize(
    "owner,name",
    [
        (nn.Norm, "forward"),
        (nn.FeedForward, "__call__"),  # one that it only inherits
        (nn.Transformer, "__call__"),
        (torch.nn.Dropout, "forward"),
        (torch.nn.Module, "__call__"),
    ],
)
def test_a_changed_class_or_function_runs(
    owner: Any, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, before = model_of(place="pre"), getattr(owner, name)
    monkeypatch.setattr(owner, name, lambda *a, **k: before(*a, **k))
    assert bare(model) is None
    monkeypatch.undo()
    assert bare(model) is not None


def test_a_hook_of_all_modules_is_heard() -> None:
    model, heard = model_of(), []
    with torch.nn.modules.module.register_module_forward_hook(lambda m, *_: heard.append(m)):
        nn.generate(model, IDS, max_new_tokens=4)
    assert heard.count(model) == 4


def test_a_changed_function_of_a_body_runs_without_modules_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model, asked = model_of(place="pre"), []
    before = block.multi_head_attention_steps.formula
    monkeypatch.setattr(
        block.multi_head_attention_steps,
        "formula",
        lambda *a, **k: asked.append(1) or before(*a, **k),
    )
    nn.generate(model, IDS, max_new_tokens=4)
    assert len(asked) == 12


def test_weights_changed_between_two_calls_count() -> None:
    model = model_of(place="pre")
    before = nn.generate(model, IDS, max_new_tokens=3).log_probabilities
    with torch.no_grad():
        model.decoder.layers[1].self_attention.W_V += 1.0
    assert nn.generate(model, IDS, max_new_tokens=3).log_probabilities != before


class Before(torch.nn.Module):
    """An attention as it was written before there was a context."""

    def __init__(self, inner: torch.nn.Module) -> None:
        super().__init__()
        self.inner, self.seen = inner, None

    def forward(self, X: torch.Tensor, mask: Any = None, cache: Any = None) -> torch.Tensor:
        self.seen = mask
        return self.inner(X, mask=mask, cache=cache)


class Now(Before):
    def forward(self, X: torch.Tensor, *, context: Any) -> torch.Tensor:
        self.seen = context.mask
        return self.inner(X, context=context)


@pytest.mark.parametrize("kind", [Before, Now])
@pytest.mark.filterwarnings("ignore:Before must take")
def test_an_attention_of_ones_own_runs_in_forward_and_in_generate(kind: type[Before]) -> None:
    model = model_of(place="pre")
    logits, found = model(IDS), nn.generate(model, IDS, max_new_tokens=4).tokens
    model.decoder.layers[1].self_attention = own = kind(of(model, "self_attention"))
    torch.testing.assert_close(model(IDS), logits)
    assert torch.equal(own.seen, torch.ones(4, 4, dtype=torch.bool).tril())
    assert nn.generate(model, IDS, max_new_tokens=4).tokens == found


def test_one_of_the_form_before_is_told_so() -> None:
    model = model_of(place="pre")
    model.decoder.layers[1].self_attention = Before(of(model, "self_attention"))
    with pytest.warns(UserWarning, match=r"^Before must take \(X, \*, context\)"):
        model(IDS)


def test_what_is_pickled_under_an_old_name_is_found() -> None:
    import transformer_lib.nn.sublayers as old

    assert old.MultiHeadAttention is nn.MultiHeadAttention
