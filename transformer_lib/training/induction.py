"""Induction heads: how strong they are, and how much the context lowers the loss of the model."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from transformer_lib.formulas import checks
from transformer_lib.training.batches import Batch, device_of
from transformer_lib.training.loss import evaluating, token_losses

EARLY, LATE = 16, 64  # a window's first tokens, and where its late ones begin


def repeated_ids(
    vocabulary_size: int, *, length: int, count: int, rng: np.random.Generator
) -> torch.Tensor:
    """Return random token sequences, each repeated once: only the repetition helps to predict.

    Args:
        vocabulary_size: V; all tokens are equally likely, and none occurs twice in one half.
        length: the number of tokens in a half, at most V.
        count: the number of sequences.
        rng: the generator that draws the tokens.

    Returns:
        Ids, (count, 2 length).

    Raises:
        ValueError: a number is not an integer of 1 or more, or length is above V.
    """
    checks.count(1, vocabulary_size=vocabulary_size, length=length, count=count)
    if length > vocabulary_size:
        raise ValueError(
            f"length must be at most {vocabulary_size}, the number of tokens, got {length}"
        )
    halves = [rng.permutation(vocabulary_size)[:length] for _ in range(count)]
    return torch.from_numpy(np.stack([np.concatenate([half, half]) for half in halves]))


def induction_scores(
    model: Any, ids: torch.Tensor, *, prefix: Sequence[int] = ()
) -> NDArray[np.float64]:
    """Return how much each head attends to the token after the previous occurrence of its token.

    In the second half of a repeated sequence, this is the weight from position i to position
    i - length + 1, averaged over all such positions. It is 1 for a perfect induction head.

    Args:
        model: a decoder of torch.
        ids: as `repeated_ids` gives them.
        prefix: ids that begin each sequence, such as the start token of the model, to which many
            heads attend where they look for nothing.

    Returns:
        One score per layer (row) and head (column).

    A high score shows where a head looks, and not that the model needs this head.

    Source: Olsson et al. (2022), "In-context learning and induction heads", "prefix matching".
    """
    half, first = ids.shape[1] // 2, torch.tensor(prefix, dtype=ids.dtype)
    names = [f"decoder.layers.{i}.self_attention.weights" for i in range(model.config.layers)]
    texts = torch.cat([first.expand(len(ids), -1), ids], dim=1)
    with evaluating(model):
        found = model.trace(texts.to(device_of(model)), names=names)
    places = torch.arange(half, 2 * half - 1) + len(prefix)
    scores = [found[name][:, :, places, places - half + 1].double().mean((0, 2)) for name in names]
    return torch.stack(scores).cpu().numpy()


def repetition_gain(model: Any, ids: torch.Tensor) -> float:
    """Return how much lower the loss is in the second half of repeated sequences, nats per token.

    Args:
        model: a decoder of torch.
        ids: as `repeated_ids` gives them.
    """
    half = ids.shape[1] // 2
    losses = token_losses(model, Batch(ids[:, :-1], ids[:, 1:]))
    # Target `half` is the first token of the second half, which nothing announces.
    return float(losses[:, : half - 1].mean() - losses[:, half:].mean())


def context_gain(model: Any, batches: Iterable[Batch]) -> float:
    """Return how much lower the loss is late in a window than early, in nats per token.

    Args:
        model: a decoder of torch.
        batches: windows of a text; windows shorter than the longest are left out.

    Raises:
        ValueError: no window is long enough to contain late tokens.

    Source: Kaplan et al. (2020), section 3.3; Olsson et al. (2022), "in-context learning score".
    """
    whole = list(batches)
    longest = max((batch.ids.shape[1] for batch in whole), default=0)
    if longest <= LATE:
        raise ValueError(f"batches must have a window of more than {LATE} tokens, got {longest}")
    rows = [token_losses(model, batch) for batch in whole if batch.ids.shape[1] == longest]
    by_place = torch.cat(rows).mean(0)
    return float(by_place[:EARLY].mean() - by_place[LATE:].mean())
