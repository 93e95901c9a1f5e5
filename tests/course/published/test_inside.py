"""Looking inside the published model: what TransformerLens finds, and the heads of agreement."""

import json
import re
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from course.published import fetch, model
from transformer_lib import families
from transformer_lib.nn import Transformer, changed, direct, lens, patched

THEIRS = json.loads(Path(__file__).with_name("transformer_lens.json").read_text("utf-8"))
ARE, IS = THEIRS["tokens"]
# Subject, preposition, attractor.
ITEMS = """key to cabinet, door to room, letter from friend, picture of house, book about dog,
report on school, road to city, window of car, gift from teacher, song about girl, story about king,
map of island, cost of ticket, member of team, author of book, owner of shop, leader of group,
doctor near hospital, student behind desk, boy near tree, player behind coach, farmer near horse,
writer beside actor, bird above roof"""


@pytest.fixture(scope="module")
def published() -> Transformer:
    """The published model in torch, in float64."""
    return families.load(fetch.place(), dtype=torch.float64).eval()


def more(logits: torch.Tensor) -> torch.Tensor:
    """The logit of "are" minus that of "is"."""
    return logits[..., ARE] - logits[..., IS]


@pytest.mark.published
@pytest.mark.parametrize("pair", THEIRS["pairs"], ids=lambda pair: pair["sentences"][0])
def test_the_published_model_shows_what_transformer_lens_shows(
    published: Transformer, pair: dict[str, Any]
) -> None:
    singular, plural = torch.tensor(pair["ids"])
    layer, head = (at - 1 for at in THEIRS["silent_head"])
    with torch.no_grad():
        steps = published.trace(plural)
        parts = direct(published, steps, ARE, IS)
        heads = f"decoder.layers.{layer}.self_attention.heads"
        rest = (torch.arange(published.config.heads) != head)[:, None, None]
        with changed(published, {heads: lambda x: x * rest}):
            silent = more(published(plural)[-1])
    ours = {
        "lens": more(lens(published, steps)),
        "heads": parts.heads,
        "feed_forwards": parts.feed_forwards,
        "embedding": parts.embedding,
        "silent": silent,
        "patched": patched(published, singular, plural, more),
    }
    for name, values in ours.items():
        # Their rotary base is a float32, and they round to six digits.
        np.testing.assert_allclose(values.detach(), pair[name], atol=1e-5, err_msg=name)


def plural_of(noun: str) -> str:
    """The plural: cities of city, boys of boy."""
    return re.sub("([^aeiou])y$", r"\1ie", noun) + "s"


@pytest.mark.published
def test_the_published_model_finds_the_number_of_a_subject_with_two_heads(
    published: Transformer,
) -> None:
    tokenizer = model.loaded().tokenizer
    effects = []
    for item in ITEMS.replace("\n", " ").split(", "):
        subject, preposition, attractor = item.split()
        forms = [(noun, plural_of(noun)) for noun in (subject, attractor)]
        if any(len(tokenizer.encode(f" {form}")) > 1 for noun in forms for form in noun):
            continue
        shares = {}
        for one, (two, other) in product((0, 1), enumerate(forms[1])):
            text = f"{model.START}The {forms[0][one]} {preposition} the {other}"
            steps = published.trace(torch.tensor(tokenizer.encode(text)))
            shares[one, two] = direct(published, steps, ARE, IS).heads.detach()
        effects.append(sum(shares[1, two] - shares[0, two] for two in (0, 1)) / 2)
    assert len(effects) == 23
    mean = torch.stack(effects).mean(0)
    first = mean.flatten().argsort(descending=True)[:3].tolist()
    places = [(int(at) // 9 + 1, int(at) % 9 + 1) for at in first]
    assert places == [(27, 1), (28, 9), (28, 8)]
    # Means over 23 items; their 95 % intervals are 0.52 and 0.32 wide on each side.
    assert mean[26, 0] == pytest.approx(4.25, abs=0.01)
    assert mean[27, 8] == pytest.approx(2.84, abs=0.01)
