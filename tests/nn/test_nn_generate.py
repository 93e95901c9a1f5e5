"""Generation in batches gives each text what the taught methods give it alone."""

import functools
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.nn.models import CONFIGURATIONS, model_of
from tests.refusals import refusals
from transformer_lib import nn
from transformer_lib.nn.lines import Beams
from transformer_lib.nn.reserved import reserved_cache

DECODERS = [name for name, fields in CONFIGURATIONS.items() if fields["kind"] != "encoder"]
decoders = pytest.mark.parametrize("name", DECODERS)
both = pytest.mark.parametrize("cached", [True, False], ids=["cached", "uncached"])
IDS = torch.tensor([[3, 9, 5], [2, 2, 4]])
SOURCE = torch.tensor([[7, 4, 8, 2], [4, 4, 10, 9]])
END, STEPS = 6, 5


def given(name: str, **changes: Any) -> tuple[nn.Transformer, dict[str, Any]]:
    model = model_of(name, max_length=20, **changes)
    with torch.no_grad():
        model.embedding.tokens *= 0.5  # where the logits are flat, more texts end
    source = SOURCE if model.config.kind == "encoder-decoder" else None
    return model, {"source": source}


@functools.cache
def alone(name: str, i: int) -> Any:
    """The next logits of one text, each computed once for all tests."""
    model, inputs = given(name)
    source = inputs["source"]
    asked = model.next_logits(None if source is None else source[i])
    known = functools.cache(lambda prefix: asked([*prefix]))
    return lambda prefix: known((*prefix,))


@decoders
@both
def test_greedy(name: str, cached: bool) -> None:
    model, inputs = given(name)
    found = nn.generate(model, IDS, **inputs, max_new_tokens=STEPS, end=END, cached=cached)
    for i, prefix in enumerate(IDS.tolist()):
        expected = tl.greedy_search(alone(name, i), prefix, end=END, max_new_tokens=STEPS)
        assert found.tokens[i] == expected.tokens
        assert found.finished[i] == expected.finished
        assert found.log_probabilities[i] == pytest.approx(expected.log_probability, abs=1e-9)


@pytest.mark.no_cover
@decoders
@both
def test_beams(name: str, cached: bool) -> None:
    model, inputs = given(name)
    for alpha in (0.0, 1.5):
        options: dict[str, Any] = dict(width=3, max_new_tokens=STEPS, end=END, alpha=alpha)
        found = nn.generate(model, IDS, **inputs, cached=cached, **options)
        for i, prefix in enumerate(IDS.tolist()):
            best = tl.beam_search(alone(name, i), prefix, **options).best
            assert found.tokens[i] == best.tokens
            assert found.finished[i] == best.finished
            assert found.log_probabilities[i] == pytest.approx(best.log_probability, abs=1e-9)


@pytest.mark.parametrize("alpha", [0.0, 0.7, 2.0])
def test_beams_stop_when_nothing_better_can_come_and_not_before(alpha: float) -> None:
    """Of thirty tables of probabilities, each a text of one batch."""
    tables = torch.from_numpy(np.random.default_rng(4).normal(size=(30, 5, 5), scale=2.0))
    tables = torch.log_softmax(tables, dim=-1)
    beams = Beams(30, frozenset([0]), width=2, limit=6, alpha=alpha)
    last = torch.full((60,), 3)
    for _ in range(6):
        log_p = tables[torch.arange(60) // 2, last]
        _, last = beams.step(log_p)
        if not beams.living:
            break
    found, early = beams.result(), 0
    for i, table in enumerate(tables.numpy()):
        options = {"width": 2, "end": 0, "max_new_tokens": 6, "alpha": alpha}
        best = tl.beam_search(lambda ids, table=table: table[ids[-1]], [3], **options)
        assert found.tokens[i] == best.best.tokens
        early += len(best.steps) < 6
    assert 0 < early < 30


@pytest.mark.parametrize("filters", [{}, {"temperature": 0.7, "top_k": 4, "top_p": 0.8}])
def test_sampling_draws_what_sample_draws(filters: dict[str, Any]) -> None:
    model, _ = given("llama")
    ids = IDS[:1]  # of one text the numbers are spent in one order
    for seed in range(5):
        rng, again = np.random.default_rng(seed), np.random.default_rng(seed)
        found = nn.generate(model, ids, rng=rng, max_new_tokens=STEPS, end=END, **filters)
        options: dict[str, Any] = dict(rng=again, end=END, max_new_tokens=STEPS) | filters
        expected = tl.sample(model.next_logits(), ids[0].tolist(), **options)
        assert found.tokens[0] == expected.tokens


@pytest.mark.parametrize("name", ["gpt-2", "llama", "alibi", "mistral", "original"])
@pytest.mark.parametrize("options", [{}, {"width": 3}], ids=["greedy", "beams"])
def test_padding_on_the_left_changes_nothing(name: str, options: dict[str, Any]) -> None:
    model, inputs = given(name)
    prefixes = [IDS[0].tolist(), [4]]
    padded = torch.tensor([[1, *prefixes[0]], [1, 1, 1, *prefixes[1]]])
    mask = torch.tensor([[0, 1, 1, 1], [0, 0, 0, 1]]).bool()
    found = nn.generate(model, padded, **inputs, mask=mask, max_new_tokens=STEPS, **options)
    for i, prefix in enumerate(prefixes):
        one = {k: None if x is None else x[i : i + 1] for k, x in inputs.items()}
        single = nn.generate(model, torch.tensor([prefix]), **one, max_new_tokens=STEPS, **options)
        assert found.tokens[i] == single.tokens[0]


def test_several_ends() -> None:
    model, _ = given("gpt-2")
    free = nn.generate(model, IDS, max_new_tokens=STEPS)
    assert not any(free.finished)
    ends = {tokens[1] for tokens in free.tokens}
    found = nn.generate(model, IDS, max_new_tokens=STEPS, end=ends)
    assert all(found.finished) and max(map(len, found.tokens)) <= 2


@pytest.mark.parametrize("splits", [(1, 2, 3, 4, 5, 6, 7, 8, 9), (5, 6, 9), (8, 9)])
@pytest.mark.parametrize("window", [None, 1, 2, 3])
def test_memory_is_taken_once_and_changes_nothing(
    window: int | None, splits: tuple[int, ...]
) -> None:
    model = model_of("mistral", window=window, max_length=20).eval()
    ids = torch.tensor([[3, 9, 1, 4, 10, 2, 2, 5, 8]])
    cache, rows, places = reserved_cache(model.config.layers, 9), [], set()
    with torch.no_grad():
        for n in splits:
            rows.append(model(ids[:, :n], cache=cache))
            places |= {x.data_ptr() for x in cache.layers[0].own.room}  # type: ignore[attr-defined]
        torch.testing.assert_close(torch.cat(rows, 1), model(ids), rtol=1e-10, atol=1e-10)
    own = cache.layers[0].own
    assert len(places) == 2 and own.length == 9
    assert own.room[0].shape == (1, 2, min(9, 2 * (window or 9)), 4)  # type: ignore[attr-defined]
    assert own.kept == 9 if window is None else own.kept == window - 1


def test_a_copy_of_reserved_memory_goes_on_alone() -> None:
    model = model_of("llama").eval()
    cache = reserved_cache(model.config.layers, 5)
    ids, other = torch.tensor([[3, 9, 4]]), torch.tensor([[3, 9, 7]])
    with torch.no_grad():
        model(ids[:, :2], cache=cache)
        again = cache.copy()
        model(ids, cache=cache)
        torch.testing.assert_close(model(other, cache=again), model(other)[:, -1:])
        longer = torch.tensor([[3, 9, 4, 5]])  # the first goes on from what it wrote itself
        torch.testing.assert_close(model(longer, cache=cache), model(longer)[:, -1:])


def test_it_leaves_the_model_as_it_was() -> None:
    model, _ = given("gpt-2", dropout=0.5)
    model.train()
    one = nn.generate(model, IDS, max_new_tokens=STEPS)
    assert one == nn.generate(model, IDS, max_new_tokens=STEPS) and model.training


test_bad_input = refusals(
    ("model must be a Transformer with a decoder", {"model": None}),
    ("ids must have 2 axes", {"ids": IDS[0]}),
    ("ids must contain a token for each", {"ids": IDS[:, :0]}),
    ("ids must contain a token .*0, 3", {"ids": IDS[:0]}),
    ("max_new_tokens must be an integer of 1 or more", {"max_new_tokens": 0}),
    ("width must be an integer of 1 or more", {"width": 0}),
    ("rng must be a numpy.random.Generator", {"rng": 3}),
    ("give one of them", {"rng": np.random.default_rng(0), "width": 2}),
    ("temperature is for sampling, which needs rng, got 0.7", {"temperature": 0.7}),
    ("top_k is for sampling, which needs rng, got 3", {"top_k": 3, "width": 2}),
    ("top_p is for sampling, which needs rng, got 0.9", {"top_p": 0.9}),
    ("alpha is for beams, which need width, got 0.5", {"alpha": 0.5}),
    *(
        (f"end must be an id below vocabulary_size = 11, or several, got {bad}", {"end": ends})
        for bad, ends in ((11, (3, 11)), (-1, -1), (1.5, 1.5), (True, True))
    ),
    *(
        (f"end must be an id .* or several, got {bad}", {"end": end})
        for bad, end in (("tensor.3.", torch.tensor(3)), ("array.3.", np.array(3)))
    ),
    ("ids must be a torch tensor, got ndarray", {"ids": IDS.numpy()}),
    ("source must be a torch tensor, got ndarray", {"source": IDS.numpy(), "width": 2}),
    ("mask must be a torch tensor, got list", {"mask": [[True] * 3] * 2}),
    (r"mask must have shape \(2, 3\), got shape \(3,\)", {"mask": torch.ones(3).bool()}),
    (
        "temperature must keep logits / temperature finite, got 1e-320",
        {"rng": np.random.default_rng(0), "temperature": 1e-320},
    ),
    ("padding belongs on the left", {"mask": torch.tensor([[1, 1, 1], [1, 1, 0]]).bool()}),
    of=lambda bad: nn.generate(
        **({"model": given("gpt-2")[0], "ids": IDS, "max_new_tokens": 2} | bad)
    ),
)


WAYS: dict[str, dict[str, Any]] = {
    "greedy": {},
    "beams": {"width": 2},
    "sampling": {"rng": np.random.default_rng(0), "top_k": 3},
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_model_of_nan_is_refused_with_what_is_wrong(way: str, value: float) -> None:
    model, _ = given("gpt-2")
    with torch.no_grad():
        model.decoder.layers[0].feed_forward.W_1[0, 0] = value
    message = r"got nan or inf; .* not finite in decoder.layers.0.feed_forward.W_1$"
    with pytest.raises(ValueError, match=message):
        nn.generate(model, IDS, max_new_tokens=STEPS, **WAYS[way])


def test_a_model_whose_numbers_overflow_is_refused() -> None:
    model, _ = given("gpt-2")
    with torch.no_grad():
        model.embedding.tokens *= 1e20
        model.decoder.norm.gain *= 1e300  # finite, and their product is not
    with pytest.raises(ValueError, match="its parameters are finite"):
        nn.generate(model, IDS, max_new_tokens=STEPS)


def test_more_tokens_than_there_are_positions_are_refused_before_a_pass() -> None:
    sizes = {"vocabulary_size": 7, "d_model": 4, "heads": 2, "layers": 1, "d_ff": 8}
    config = tl.Configuration(kind="decoder", position="learned", max_length=5, **sizes)
    model = nn.Transformer(config, seed=0)
    assert len(nn.generate(model, torch.tensor([[1, 2, 3]]), max_new_tokens=3).tokens[0]) == 3
    model.register_forward_pre_hook(lambda *_: pytest.fail("a pass was computed"))
    with pytest.raises(ValueError, match="max_new_tokens must be at most 3 after 3 tokens"):
        nn.generate(model, torch.tensor([[1, 2, 3]]), max_new_tokens=4)
