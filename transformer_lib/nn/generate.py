"""Generation in batches: one loop for every model with a decoder and every way to decode."""

from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np
import torch

from transformer_lib.decoding.draw import generator
from transformer_lib.decoding.next_token import is_id, positive_integer
from transformer_lib.formulas import checks
from transformer_lib.model.finite import reason
from transformer_lib.nn.bare import last_logits_of
from transformer_lib.nn.lines import Beams, Generated, Lines, Single, drawn, most_probable
from transformer_lib.nn.reserved import Reserved, reserved_cache
from transformer_lib.nn.transformer import Transformer


def generate(
    model: Transformer,
    ids: torch.Tensor,
    source: torch.Tensor | None = None,
    *,
    max_new_tokens: int,
    end: int | Collection[int] = (),
    mask: torch.Tensor | None = None,
    source_mask: torch.Tensor | None = None,
    rng: np.random.Generator | None = None,
    temperature: float = 1.0,
    top_k: int | None = None,
    top_p: float | None = None,
    width: int | None = None,
    alpha: float = 0.0,
    cached: bool = True,
) -> Generated:
    """Continue each sequence of a batch greedily, by sampling with `rng`, or by beam search.

    The model runs without gradients and without dropout. Memory for the cache is allocated once for
    the whole length, or only for the window if the model has one.

    Args:
        model: a Transformer with a decoder.
        ids: the beginnings, (texts, n); shorter ones are padded on the left, as `mask` shows.
        source: token ids of an encoder-decoder's source, (texts, n_source).
        max_new_tokens: the most tokens to add to each sequence.
        end: the id that ends a sequence, several such ids, or none.
        mask: which ids are tokens and not padding, (texts, n), as booleans or 0 and 1.
        source_mask: the same for the source, (texts, n_source).
        rng: the source of randomness for sampling; it gives one number per sequence and token.
        temperature: divides the logits before `top_k` and then `top_p` apply, as in `sample`.
        top_k: sample only from the k most probable tokens.
        top_p: sample only from the fewest tokens that total at least p.
        width: the number of beams to follow for each sequence, as in `beam_search`.
        alpha: exponent of the length penalty of beams.
        cached: whether to keep keys and values; otherwise all are computed again for each token.

    Raises:
        ValueError: the model has no decoder or its logits are nan or inf, an argument is not as
            described, padding is on the right, both `rng` and `width` are given, or as `forward`.

    Source: as `greedy_search`, `sample` and `beam_search`.

    >>> from transformer_lib.nn import Configuration
    >>> config = Configuration(
    ...     kind="decoder", vocabulary_size=7, d_model=4, heads=2, layers=1, d_ff=8
    ... )
    >>> ids = torch.tensor([[3, 1], [2, 2]])
    >>> found = generate(Transformer(config, seed=0), ids, max_new_tokens=3)
    >>> [len(tokens) for tokens in found.tokens]
    [3, 3]
    """
    _tensors(ids=ids, **checks.given(source=source, mask=mask, source_mask=source_mask))
    _check(model, ids, mask, max_new_tokens, rng, width)
    if rng is None:
        _unused("sampling, which needs rng", temperature=(temperature, 1.0))
        _unused("sampling, which needs rng", top_k=(top_k, None), top_p=(top_p, None))
    if width is None:
        _unused("beams, which need width", alpha=(alpha, 0.0))
    ends = _ends(end, model.config.vocabulary_size)
    lines: Lines = Single(len(ids), ends, most_probable)
    if rng is not None:
        choose = partial(drawn, rng=rng, temperature=temperature, top_k=top_k, top_p=top_p)
        lines = Single(len(ids), ends, choose)
    if width is not None:
        lines = Beams(len(ids), ends, width=width, limit=max_new_tokens, alpha=alpha)
        ids = ids.repeat_interleave(width, dim=0)
        source, mask, source_mask = (
            None if x is None else x.repeat_interleave(width, dim=0)
            for x in (source, mask, source_mask)
        )
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            _follow(model, lines, ids, mask, max_new_tokens, cached, source, source_mask)
    finally:
        model.train(was_training)
    return lines.result()


def _follow(
    model: Transformer,
    lines: Lines,
    ids: torch.Tensor,
    mask: torch.Tensor | None,
    max_new_tokens: int,
    cached: bool,
    source: torch.Tensor | None,
    source_mask: torch.Tensor | None,
) -> None:
    """Add tokens to ids until no line lives: the one loop."""
    cache = reserved_cache(model.decoder_layers, ids.shape[-1] + max_new_tokens) if cached else None
    last_logits = last_logits_of(model)
    for _ in range(max_new_tokens):
        scores = last_logits(ids, source, mask=mask, source_mask=source_mask, cache=cache)
        log_p = torch.log_softmax(scores.double(), dim=-1)
        if bool(log_p[:, 0].isnan().any()):  # one nan, or inf, makes all of its row nan
            wrong = reason(scores, model.named_parameters())
            raise ValueError(f"model must give logits that are finite or -inf, {wrong}")
        parents, tokens = lines.step(log_p)
        if not lines.living:
            return
        if parents is not None:
            ids, mask = ids[parents], None if mask is None else mask[parents]
            for layer in [] if cache is None else cache.layers:
                if isinstance(layer.own, Reserved):
                    layer.own.pick(parents)
        ids = torch.cat([ids, tokens[:, None]], dim=-1)
        if mask is not None:
            mask = torch.cat([mask, mask.new_ones(len(mask), 1)], dim=-1)


def _tensors(**named: Any) -> None:
    for name, given in named.items():
        if not isinstance(given, torch.Tensor):
            raise ValueError(f"{name} must be a torch tensor, got {type(given).__name__}")


def _check(
    model: Transformer,
    ids: torch.Tensor,
    mask: torch.Tensor | None,
    max_new_tokens: int,
    rng: np.random.Generator | None,
    width: int | None,
) -> None:
    if not isinstance(model, Transformer) or not model.config.has_decoder:
        raise ValueError("model must be a Transformer with a decoder")
    checks.exact_rank(2, ids=ids)
    if 0 in ids.shape:
        raise ValueError(
            f"ids must contain a token for each of one or more sequences, got "
            f"{checks.shape_of(ids)}"
        )
    positive_integer(max_new_tokens=max_new_tokens, **checks.given(width=width))
    room = model.config.max_length + 1 - ids.shape[-1]  # the last new token is not read
    if model.config.position == "learned" and max_new_tokens > room and mask is None:
        raise ValueError(
            f"max_new_tokens must be at most {room} after {ids.shape[-1]} tokens: the model "
            f"has {model.config.max_length} learned positions, got {max_new_tokens}"
        )
    if rng is not None:
        generator(rng)
        if width is not None:
            raise ValueError("rng is for sampling and width for beams: give one of them")
    checks.exact_shape(tuple(ids.shape), mask=mask)
    if mask is not None and not bool(mask[:, -1].all()):
        raise ValueError("mask must be true in its last column: padding belongs on the left")


def _unused(purpose: str, **options: tuple[float | None, float | None]) -> None:
    """Raise ValueError for an option that is not its default, where nothing would read it."""
    for name, (value, default) in options.items():
        if value != default:
            raise ValueError(f"{name} is for {purpose}, got {value!r} without")


def _ends(end: Any, size: int) -> frozenset[int]:
    """Return the ids that end a text, or raise ValueError where one is no id."""
    ends = [*end] if isinstance(end, Collection) and getattr(end, "ndim", True) else [end]
    for each in ends:
        if not is_id(each) or each >= size:
            raise ValueError(
                f"end must be an id below vocabulary_size = {size}, or several, got {each!r}"
            )
    return frozenset(ends)
