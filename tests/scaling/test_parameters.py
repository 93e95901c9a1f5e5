"""The formula for parameters counts what numpy and torch hold, whatever the switches."""

from math import prod

import pytest
import torch

from tests.scaling.configurations import CHANGES, configuration
from transformer_lib import Configuration, nn, parameter_shapes
from transformer_lib.scaling import parameter_count

PARTS = {
    "embedding": ("embedding.tokens", "embedding.types", "embedding.positions"),
    "attention": ("attention.", "relative_positions"),
    "feed_forward": ("feed_forward.",),
    "norms": ("norm.gain", "norm.bias"),
    "head": ("head.W", "head.b", "head.W_dense", "head.b_dense", "classifier."),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_part_is_that_of_the_names(name: str) -> None:
    config = configuration(**CHANGES[name])
    counted = dict.fromkeys(PARTS, 0)
    for parameter, shape in parameter_shapes(config).items():
        (part,) = [p for p, ends in PARTS.items() if any(end in parameter for end in ends)]
        counted[part] += prod(shape)
    assert parameter_count(config)._asdict() == counted
    module = nn.Transformer(config, device=torch.device("meta"))
    assert parameter_count(config).total == sum(p.numel() for p in module.parameters())


def test_a_published_size() -> None:
    """GPT-2 small has 124,439,808 parameters, 85,056,000 of them in its layers."""
    sizes = {"vocabulary_size": 50257, "d_model": 768, "heads": 12, "layers": 12, "d_ff": 3072}
    gpt2 = Configuration(kind="decoder", place="pre", position="learned", max_length=1024, **sizes)
    assert parameter_count(gpt2).total == 124_439_808
    assert parameter_count(gpt2).without_embedding == 85_056_000
    assert round(parameter_count(gpt2).without_embedding / (12 * 12 * 768**2), 3) == 1.001
