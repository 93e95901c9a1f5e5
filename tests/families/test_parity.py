"""Our models against those of `transformers`, of one checkpoint on disk, number for number.

The same numbers come out of both: logits, hidden states, attention weights, losses, gradients of
the embedding. In float64 transformers must not round to float32 on the way, as it does in
norms, softmax, rotary positions and losses; `in_float64` sees to that.
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import transformer_lib as tl
from tests.families.checkpoints import CASES, PAD, make, read, write
from transformer_lib import families, nn

every = pytest.mark.parametrize("name", CASES)
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
LENGTHS = (9, 6, 4)
SIDES = ("none", "right", "left")


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return {name: write(name, tmp_path_factory.mktemp("model")) for name in CASES}


def batch(side: str, seed: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ids, (3, 9), and which of them are tokens and not padding."""
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(3, 23, (len(LENGTHS), 9), generator=generator)
    counted = torch.arange(9) < torch.tensor(LENGTHS)[:, None]
    mask = {"none": counted | True, "right": counted, "left": counted.flip(1)}[side]
    return ids.where(mask, PAD), mask


def arguments(name: str, side: str, hf: Any, ours: nn.Transformer) -> Any:
    """Return what each of the two models is called with, and the labels."""
    ids, mask = batch(side)
    before = mask.roll(1, dims=-1)  # what stands on padding predicts nothing
    labels = ids.where(mask & before, -100)
    theirs = {"input_ids": ids, "attention_mask": mask.long(), "labels": labels}
    mine: dict[str, Any] = {"ids": ids, "mask": mask}
    counted = (mask.long().cumsum(-1) - 1).clamp(0)
    if ours.config.kind == "decoder":
        if name.split(",")[0] != "bloom":
            theirs["position_ids"] = counted
    if name.startswith("bert"):
        theirs["position_ids"] = counted
        theirs["token_type_ids"] = mine["types"] = (counted > 2).long()
    if name == "bert, both heads":
        theirs["next_sentence_label"] = torch.tensor([1, 0, 1])
    return theirs, mine, labels


def run(name: str, side: str, hf: Any, ours: nn.Transformer) -> dict[str, Any]:
    """Return pairs of what the two models compute, theirs and ours, of tokens and not of padding."""
    theirs, mine, labels = arguments(name, side, hf, ours)
    found = hf(**theirs, output_hidden_states=True, output_attentions=True, return_dict=True)
    kept = ours.trace(**mine)
    tokens = mine["mask"]
    stack = "encoder" if ours.config.kind == "encoder" else "decoder"
    logits = found.logits if "logits" in found else found.prediction_logits
    pairs = {"logits": (logits[tokens], kept["logits"][tokens])}
    pairs |= rows(stack, tokens, found.hidden_states, found.attentions, kept, ours.config)
    loss = loss_of(ours.config, kept["logits"], labels)
    if ours.config.classes:
        classes = ours.classify(**mine)
        pairs["classes"] = (found.seq_relationship_logits, classes)
        loss = loss + tl.cross_entropy(classes, theirs["next_sentence_label"])
    pairs["loss"] = (found.loss, loss)
    found.loss.backward()
    loss.backward()
    pairs["gradient"] = (
        hf.get_input_embeddings().weight.grad[PAD + 1 :],
        ours.embedding.tokens.grad[PAD + 1 :],
    )
    return pairs


def rows(
    stack: str, tokens: Any, hidden: Any, attentions: Any, kept: Any, config: tl.Configuration
) -> dict[str, Any]:
    layers = range(config.layers)
    embedded = "source_embedding" if stack == "encoder" and config.has_decoder else "embedding"
    ours = [kept[f"{embedded}.output"], *(kept[f"{stack}.layers.{i}.resid_post"] for i in layers)]
    ours[-1] = kept[f"{stack}.output"]
    pairs = {f"{stack} {i}": (hidden[i][tokens], x[tokens]) for i, x in enumerate(ours)}
    for i in layers:
        weights = kept[f"{stack}.layers.{i}.self_attention.weights"]
        pairs[f"{stack} {i} weights"] = tuple(
            x.transpose(1, 2)[tokens] for x in (attentions[i], weights)
        )
    assert len(hidden) == len(ours) and len(attentions) == config.layers
    return pairs


def loss_of(config: tl.Configuration, logits: torch.Tensor, labels: torch.Tensor) -> Any:
    if config.kind == "decoder":
        return tl.cross_entropy(logits[:, :-1], labels[:, 1:])
    return tl.cross_entropy(logits, labels)


@pytest.fixture
def in_float64(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function after which transformers has no float32 to compute in."""

    def switch(hf: Any) -> Any:
        hf.double()
        for module in hf.modules():
            if hasattr(module, "inv_freq"):
                d = 2 * len(module.inv_freq)
                base = module.config.rope_parameters["rope_theta"]
                module.inv_freq = base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
        monkeypatch.setattr(torch, "float32", torch.float64)
        monkeypatch.setattr(torch, "float", torch.float64)
        monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
        return hf

    return switch


@every
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("dtype", TOLERANCE, ids=["float32", "float64"])
def test_the_same_numbers_come_out(
    name: str, side: str, dtype: torch.dtype, folders: dict[str, Path], in_float64: Any
) -> None:
    hf, ours = read(name, folders[name]), families.load(folders[name], dtype=dtype)
    if dtype == torch.float64:
        in_float64(hf)
    limit = TOLERANCE[dtype]
    for what, (theirs, mine) in run(name, side, hf, ours).items():
        np.testing.assert_allclose(
            mine.detach(), theirs.detach(), rtol=limit, atol=limit, err_msg=what
        )
