"""The formulas for memory give the bytes of the tensors that are there."""

from typing import Any

import pytest
import torch

from tests.refusals import refusals
from tests.scaling.configurations import configuration
from transformer_lib import Configuration, nn
from transformer_lib.scaling import activation_bytes, cache_bytes, training_bytes
from transformer_lib.training import Settings
from transformer_lib.training.batches import Batch
from transformer_lib.training.loss import batch_loss
from transformer_lib.training.optimizer import optimizer_of

BATCH, N = 2, 7
CHANGES: dict[str, dict[str, Any]] = {
    "as it is": {},
    "no layers": {"layers": 0},
    "one head": {"heads": 1, "layers": 1},
    "wide heads": {"head_width": 5, "d_ff": 3},
    "groups": {"key_value_heads": 2},
    "without biases": {"bias": False},
    "own head": {"tied": False},
}


def decoder(**changes: Any) -> Configuration:
    return configuration(**{"place": "pre"} | changes)


def batch(config: Configuration) -> Batch:
    generator = torch.Generator().manual_seed(0)
    return Batch(
        *(torch.randint(config.vocabulary_size, (BATCH, N), generator=generator) for _ in range(2))
    )


def kept_bytes(config: Configuration, attention: str) -> int:
    """Return the bytes of all that autograd keeps, each storage once, without the parameters."""
    model, kept = nn.Transformer(config, seed=0, attention=attention), []
    own = {p.untyped_storage().data_ptr() for p in model.parameters()}

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        kept.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        batch_loss(model.train(), batch(config))
    storages = {t.untyped_storage().data_ptr(): t.untyped_storage().nbytes() for t in kept}
    return sum(size for where, size in storages.items() if where not in own)


@pytest.mark.parametrize("attention", ["explicit", "fused"])
@pytest.mark.parametrize("name", CHANGES)
def test_activations(name: str, attention: str) -> None:
    config = decoder(**CHANGES[name])
    found = activation_bytes(config, N, batch=BATCH, attention=attention)
    assert found == kept_bytes(config, attention)


@pytest.mark.parametrize("name", CHANGES)
def test_weights_gradients_and_moments(name: str) -> None:
    config = decoder(**CHANGES[name])
    model = nn.Transformer(config, seed=0)
    optimizer = optimizer_of(model, Settings(steps=1, batch_size=BATCH))
    batch_loss(model, batch(config)).backward()
    optimizer.step()
    own = list(model.parameters())
    moments = [x for state in optimizer.state.values() for x in state.values() if x.ndim]
    found = training_bytes(config, N, batch=BATCH)
    assert found.weights == sum(p.nbytes for p in own)
    assert found.gradients == sum(p.grad.nbytes for p in own if p.grad is not None)
    assert found.optimizer == sum(x.nbytes for x in moments)
    assert found.total == sum(found)
    assert found.activations == activation_bytes(config, N, batch=BATCH)


@pytest.mark.parametrize("n", [1, 3, 6])
@pytest.mark.parametrize(
    "changes",
    [{}, {"key_value_heads": 2, "head_width": 6}, {"window": 4}, {"kind": "encoder-decoder"}],
    ids=["heads", "groups", "window", "cross"],
)
def test_the_cache(changes: dict[str, Any], n: int) -> None:
    config = configuration(**changes)
    model = nn.Transformer(config, seed=0).eval()
    sizes = (n, 5) if config.has_encoder else (n,)
    with torch.no_grad():
        _, cache = model.extend(*(torch.zeros(BATCH, size, dtype=torch.int64) for size in sizes))
    layers = [part for layer in cache.layers for part in (layer.own, layer.cross)]
    kept = sum(x.nbytes for part in layers for x in (part.K, part.V) if x is not None)
    assert cache_bytes(config, *sizes, batch=BATCH) == kept
    assert cache_bytes(config, *sizes, bytes_per_number=2) == kept / BATCH / 2


def test_what_attention_keeps_grows_with_the_square_and_fused_with_the_length() -> None:
    config = decoder()
    for attention, power in (("explicit", 2), ("fused", 1)):
        long, longer = (activation_bytes(config, n, attention=attention) for n in (4000, 8000))
        assert abs(longer / (long * 2**power) - 1) < 0.02


test_what_is_refused = refusals(
    ("n must be an integer of 1 or more", lambda: activation_bytes(decoder(), 0)),
    ("batch must be an integer of 1", lambda: activation_bytes(decoder(), 3, batch=0)),
    ("attention must be 'explicit'", lambda: activation_bytes(decoder(), 3, attention="flash")),
    ("place must be 'pre' here, got 'post'", lambda: activation_bytes(configuration(), 3)),
    ("activation must be 'relu' here", lambda: training_bytes(decoder(activation="gelu"), 3)),
    ("config must be of a model with a dec", lambda: cache_bytes(configuration("encoder"), 3)),
    ("n must be an integer of 0 or more, got -1", lambda: cache_bytes(decoder(), -1)),
)
