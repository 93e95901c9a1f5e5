"""Our models against those of `transformers`, of one checkpoint on disk, number for number.

The same numbers come out of both: logits, hidden states, attention weights, losses, gradients of
the embedding. In float64 transformers must not round to float32 on the way, as it does in
norms, softmax, rotary positions and losses; `in_float64` sees to that.
"""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from transformers.models.bloom import modeling_bloom

import transformer_lib as tl
from tests.families import parity
from tests.families.checkpoints import CASES, PAD, read
from transformer_lib import families, nn

pytestmark = pytest.mark.slow  # transformers alone takes seconds to import
every = pytest.mark.parametrize("name", CASES)
TOLERANCE = {torch.float32: 1e-5, torch.float64: 1e-10}
LENGTHS = (9, 6, 4)
SIDES = ("none", "right", "left")


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
    if ours.config.kind == "encoder-decoder":
        return two_sides(ids, mask, side, ours.config)
    before = mask.roll(1, dims=-1)  # what stands on padding predicts nothing
    labels = ids.where(mask & before, -100)
    theirs = {"input_ids": ids, "attention_mask": mask.long(), "labels": labels}
    mine: dict[str, Any] = {"ids": ids, "mask": mask}
    counted = (mask.long().cumsum(-1) - 1).clamp(0)
    if ours.config.kind == "decoder" and ours.config.position != "alibi":
        theirs["position_ids"] = counted
    if name == "distilbert":  # which counts padding, too
        mine["positions"] = torch.arange(9).expand_as(ids)
    if name.startswith("bert"):
        theirs["position_ids"] = counted
        theirs["token_type_ids"] = mine["types"] = (counted > 2).long()
    if name == "bert, both heads":
        theirs["next_sentence_label"] = torch.tensor([1, 0, 1])
    return theirs, mine, labels


def two_sides(source: Any, source_mask: Any, side: str, config: tl.Configuration) -> Any:
    ids, mask = (x[:, :-2] if side == "right" else x[:, 2:] for x in batch(side, seed=1))
    labels = ids.where(mask, -100)
    theirs = {"input_ids": source, "attention_mask": source_mask.long(), "labels": labels}
    theirs |= {"decoder_input_ids": ids, "decoder_attention_mask": mask.long()}
    mine = {"ids": ids, "source": source, "mask": mask, "source_mask": source_mask}
    if config.position != "t5":  # transformers counts padding, too, in these
        mine["positions"] = torch.arange(ids.shape[1]).expand_as(ids)
        mine["source_positions"] = torch.arange(source.shape[1]).expand_as(source)
    return theirs, mine, labels


def run(name: str, side: str, hf: Any, ours: nn.Transformer) -> dict[str, Any]:
    """Return pairs of what the two models compute, theirs and ours, of tokens alone."""
    theirs, mine, labels = arguments(name, side, hf, ours)
    found = hf(**theirs, output_hidden_states=True, output_attentions=True, return_dict=True)
    kept = ours.trace(**mine)
    tokens = mine["mask"]
    stack = "encoder" if ours.config.kind == "encoder" else "decoder"
    logits = found.logits if "logits" in found else found.prediction_logits
    pairs = {"logits": (logits[tokens], kept["logits"][tokens])}
    if ours.config.kind == "encoder-decoder":
        states, weights = found.encoder_hidden_states, found.encoder_attentions
        pairs |= rows("encoder", mine["source_mask"], states, weights, kept, ours.config)
        crossed = "decoder.layers.{}.cross_attention.weights"
        pairs |= weighed("cross {}", tokens, found.cross_attentions, kept, crossed)
        states, weights = found.decoder_hidden_states, found.decoder_attentions
    else:
        states, weights = found.hidden_states, found.attentions
    pairs |= rows(stack, tokens, states, weights, kept, ours.config)
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
    assert len(hidden) == len(ours) and len(attentions) == config.layers
    own = f"{stack}.layers.{{}}.self_attention.weights"
    return pairs | weighed(f"{stack} {{}} weights", tokens, attentions, kept, own)


def weighed(what: str, tokens: Any, attentions: Any, kept: Any, ours: str) -> dict[str, Any]:
    """Return pairs of the attention weights of each layer, of tokens alone."""
    return {
        what.format(i): tuple(x.transpose(1, 2)[tokens] for x in (theirs, kept[ours.format(i)]))
        for i, theirs in enumerate(attentions)
    }


def loss_of(config: tl.Configuration, logits: torch.Tensor, labels: torch.Tensor) -> Any:
    if config.kind == "decoder":
        return tl.cross_entropy(logits[:, :-1], labels[:, 1:])
    return tl.cross_entropy(logits, labels)


def halves(n: int, d: int) -> torch.Tensor:
    """Return what Marian's table holds, not rounded to float32."""
    angles = torch.arange(n).double()[:, None] / 10000 ** (torch.arange(0, d, 2).double() / d)
    return torch.cat([angles.sin(), angles.cos()], dim=-1)


def without_float32(hf: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave transformers no float32 to compute in, until the patch is undone."""
    hf.double()
    if hf.config.model_type == "marian":
        for side in (hf.model.encoder, hf.model.decoder):
            n, d = side.embed_positions.weight.shape
            side.embed_positions.weight = torch.nn.Parameter(halves(n, d))
    # Its own has sqrt(2 / pi) to eight digits.
    monkeypatch.setattr(modeling_bloom, "GeLUFunction", SimpleNamespace(apply=tl.gelu_tanh))
    for module in hf.modules():
        if hasattr(module, "inv_freq"):
            d = 2 * len(module.inv_freq)
            base = module.config.rope_parameters["rope_theta"]
            module.inv_freq = base ** -(torch.arange(0, d, 2, dtype=torch.float64) / d)
    monkeypatch.setattr(torch, "float32", torch.float64)
    monkeypatch.setattr(torch, "float", torch.float64)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)


def compared(name: str, side: str, dtype: torch.dtype, folder: Path) -> dict[str, Any]:
    """Return what `run` gives of a checkpoint, computed in one precision."""
    hf, ours = read(name, folder), families.load(folder, dtype=dtype)
    with pytest.MonkeyPatch.context() as monkeypatch:
        if dtype == torch.float64:
            without_float32(hf, monkeypatch)
        return run(name, side, hf, ours)


@every
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("dtype", TOLERANCE, ids=["float32", "float64"])
def test_the_same_numbers_come_out(
    name: str, side: str, dtype: torch.dtype, folders: dict[str, Path]
) -> None:
    limit, pairs = TOLERANCE[dtype], compared(name, side, dtype, folders[name])
    for what, (theirs, mine) in pairs.items():
        np.testing.assert_allclose(
            mine.detach(), theirs.detach(), rtol=limit, atol=limit, err_msg=what
        )
    family = name.split(",")[0]
    stored = parity.read().get(family)
    assert stored, f"run: python -m tests.families.parity {family}"
    for kind, off in parity.distances(pairs).items():
        assert off <= stored[kind][str(dtype).removeprefix("torch.")], kind


@every
@pytest.mark.parametrize("cached", [True, False], ids=["cached", "uncached"])
def test_greedy_generation_gives_the_same_tokens(
    name: str, cached: bool, folders: dict[str, Path]
) -> None:
    hf, ours = read(name, folders[name]), families.load(folders[name])
    if not ours.config.has_decoder:
        with pytest.raises(ValueError, match="with a decoder"):
            nn.generate(ours, batch("left")[0], max_new_tokens=2)
        return
    two = ours.config.kind == "encoder-decoder"
    ids, mask = batch("right" if two else "left")
    begin = torch.zeros(3, 1, dtype=torch.int64)
    options: Any = {"max_new_tokens": 7, "do_sample": False, "use_cache": cached}
    theirs = hf.generate(
        ids, attention_mask=mask.long(), pad_token_id=PAD, eos_token_id=2, **options
    )
    start = begin.shape[1] if two else ids.shape[1]
    inputs = {"source": ids, "source_mask": mask} if two else {"mask": mask}
    found = nn.generate(
        ours, begin if two else ids, **inputs, max_new_tokens=7, end=2, cached=cached
    )
    for mine, row in zip(found.tokens, theirs[:, start:].tolist(), strict=True):
        assert list(mine) == row[: len(mine)]
        assert set(row[len(mine) :]) <= {PAD} and (len(mine) == 7 or mine[-1] == 2)
    assert len({tokens for tokens in found.tokens}) > 1


def test_no_stored_distance_is_above_what_is_allowed() -> None:
    stored = parity.read()
    assert set(stored) == set(families.FAMILIES), "run: python -m tests.families.parity"
    for kinds in stored.values():
        assert set(parity.KINDS) - {"classes"} <= set(kinds)
        for dtype, limit in TOLERANCE.items():
            name = str(dtype).removeprefix("torch.")
            assert all(off[name] <= limit for off in kinds.values())
