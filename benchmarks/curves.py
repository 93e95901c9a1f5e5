"""How costs grow: a step of training over tokens and width, decoding with and without a cache.

The sizes of a curve take turns. The last column is the slope between
a size and the one before: 1 is in proportion, 2 is with the square.
"""

import math
import statistics
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import torch

from benchmarks import rounds, training
from transformer_lib import nn

ROUNDS = 7
Bodies = Mapping[int, Callable[[], Any]]


def model_of(d: int, length: int, attention: str = "fused") -> nn.Transformer:
    """Return a decoder of two layers and heads of 32 columns."""
    config = nn.Configuration(
        kind="decoder",
        vocabulary_size=512,
        d_model=d,
        heads=d // 32,
        layers=2,
        d_ff=4 * d,
        place="pre",
        position="learned",
        max_length=length,
        dropout=0.0,
    )
    return nn.Transformer(config, seed=0, attention=attention)


def step(model: nn.Transformer, n: int) -> Callable[[], None]:
    """Return a step of training on one text of n tokens."""
    ids = torch.randint(512, (1, n + 1))
    return training.step(model, partial(training.next_loss, model, ids))


def curves() -> Iterator[tuple[str, str, Bodies]]:
    """Yield each curve: what it is, what grows, and a body for each size."""
    for attention in ("explicit", "fused"):
        sizes = (128, 256, 512, 1024)
        bodies = {n: step(model_of(128, n, attention), n) for n in sizes}
        yield f"A step of training, d_model 128, {attention} attention", "tokens", bodies
    bodies = {d: step(model_of(d, 128), 128) for d in (64, 128, 256, 512)}
    yield "A step of training, 128 tokens, fused attention", "d_model", bodies
    model, ids = model_of(128, 520), torch.randint(512, (1, 4))
    for cached in (True, False):
        write = partial(nn.generate, model, ids, cached=cached)
        texts = {n: partial(write, max_new_tokens=n) for n in (64, 128, 256, 512)}
        with_it = "with" if cached else "without"
        yield f"Tokens written greedily {with_it} a cache, d_model 128", "tokens", texts


def table(bodies: Bodies, grows: str) -> str:
    """Return the median of each size in milliseconds, and the slope from the size before."""
    times = rounds.interleaved({str(size): body for size, body in bodies.items()}, ROUNDS)
    spent = [statistics.median(each) for each in times.values()]
    sizes = list(bodies)
    slopes = ["", *(slope(*each) for each in zip(sizes, sizes[1:], spent, spent[1:], strict=False))]
    rows = zip(sizes, spent, slopes, strict=True)
    lines = [f"| {size} | {1e3 * time:.1f} | {grown} |" for size, time, grown in rows]
    return "\n".join([f"| {grows} | ms | slope |", "|---|---|---|", *lines])


def slope(small: int, large: int, before: float, after: float) -> str:
    """Return the exponent with which time has grown."""
    return f"{math.log(after / before) / math.log(large / small):.2f}"


def section() -> str:
    """Return all curves as Markdown."""
    told = [f"### {name}\n\n{table(bodies, grows)}\n" for name, grows, bodies in curves()]
    return "\n".join(["## How costs grow\n", *told])
