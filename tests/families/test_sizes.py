"""The published sizes, counted on torch's meta device, as `transformers` counts them."""

import pytest
import torch
import transformers

import transformer_lib as tl
from course.recomputations import facts
from transformer_lib import families, nn

pytestmark = pytest.mark.slow  # transformers alone takes seconds to import

TABLES = {"roberta": 1, "bart": 2}  # of positions, with two rows that no position uses
CALLED = {"GPT": "openai-gpt", "GPT-2": "gpt2", "GPT-3": "gpt2"}


def count(config: tl.Configuration) -> int:
    return sum(p.numel() for p in nn.Transformer(config, device="meta").parameters())


@pytest.mark.parametrize("name", [x for x in families.SIZES if "Transformer" not in x])
def test_transformers_counts_as_many(name: str) -> None:
    config, first = families.SIZES[name], name.split(",")[0]
    family = families.FAMILIES[CALLED.get(first, first.lower())]
    made = transformers.AutoConfig.for_model(**family.hf_config(config))
    with torch.device("meta"):
        theirs = getattr(transformers, family.architecture)(made)
    unused = 2 * TABLES.get(family.name, 0) * config.d_model
    learned = [p for p in theirs.parameters() if p.requires_grad]  # Marian's sines are not
    if config.head_bias:
        learned += [x for name, x in theirs.named_buffers() if name == "final_logits_bias"]
    assert sum(p.numel() for p in learned) == count(config) + unused


def test_the_ledger_counts_by_a_formula_what_the_modules_hold() -> None:
    counts = {name: count(config) for name, config in families.SIZES.items()}
    assert counts["GPT"] == facts.gpt_1()
    assert counts["GPT-2, XL"] == facts.gpt_2()
    assert counts["GPT-3"] == facts.gpt_3()
    assert counts["BLOOM"] == facts.bloom()


def test_a_translator_of_opus_is_as_large_as_its_file() -> None:
    """Its page says 298 MB of float32, in which two tables of sines are kept."""
    config = families.SIZES["Marian, OPUS-MT"]
    tables = 2 * config.max_length * config.d_model
    assert round(4 * (count(config) + tables) / 1e6) == 298
    assert (config.activation, config.layers, config.scale_embedding) == ("silu", 6, True)
    assert families.SIZES["RoBERTa, base"].token_types == 1
